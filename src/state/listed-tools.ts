import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalJson } from '../contract/canonical-json.ts'
import { isObject, type JsonObject, type JsonValue } from '../contract/json.ts'
import { makePrivateDirectory, readPrivateFile } from './private-file.ts'

/** The tool list of an MCP server, as received. */
interface ListedTools {
  readonly serverInfo: JsonObject
  readonly definitions: readonly JsonObject[]
}

/** A server at one address. The same name in another config, or with other arguments, is a different server. */
interface ListedServer {
  readonly name: string
  /** The folder of its config. */
  readonly folder: string
  /** With variables expanded, so it may contain secrets. Only a salted digest is stored. */
  readonly address: JsonValue
}

/** A cache of tool lists in the state directory. */
interface ListedToolsStore {
  /** Undefined on a cache miss, or if the file is unusable. */
  load(server: ListedServer): ListedTools | undefined
  /** Never rejects. */
  save(server: ListedServer, listed: ListedTools): Promise<void>
}

const maxFileBytes = 8 * 1024 * 1024
const maxFiles = 256

export function openListedTools(stateDirectory: string): ListedToolsStore {
  const directory = join(stateDirectory, 'listed-tools')
  const saved = new Map<string, string>()

  return {
    load(server) {
      try {
        const kept = read(join(directory, toFileName(server)))
        if (!kept || kept.address !== digestAddress(server, kept.salt)) return undefined
        const listed = { serverInfo: kept.serverInfo, definitions: kept.definitions }
        saved.set(server.name, JSON.stringify(listed))
        return listed
      } catch {
        return undefined
      }
    },
    async save(server, listed) {
      try {
        const content = JSON.stringify(listed)
        if (content.length > maxFileBytes || saved.get(server.name) === content) return
        const salt = randomBytes(16).toString('hex')
        makePrivateDirectory(directory)
        const address = digestAddress(server, salt)
        await replace(join(directory, toFileName(server)), JSON.stringify({ version: 1, salt, address, ...listed }))
        saved.set(server.name, content)
        await prune(directory)
      } catch {
        // A cache miss at the next start only costs time.
      }
    },
  }
}

interface Kept extends ListedTools {
  readonly salt: string
  readonly address: string
}

function read(path: string): Kept | undefined {
  const bytes = readPrivateFile(path)
  if (!bytes || bytes.byteLength > maxFileBytes * 2) return undefined
  const { version, salt, address, serverInfo, definitions } = JSON.parse(Buffer.from(bytes).toString())
  const isKept = version === 1 && typeof salt === 'string' && isObject(serverInfo) && Array.isArray(definitions)
  return isKept && definitions.every(isObject) ? { salt, address, serverInfo, definitions } : undefined
}

async function replace(path: string, text: string) {
  const temporary = `${path}.${randomUUID()}`
  try {
    await writeFile(temporary, text, { mode: 0o600, flag: 'wx' })
    await rename(temporary, path)
  } catch (cause) {
    await rm(temporary, { force: true })
    throw cause
  }
}

/** Deletes the least recently written files beyond the limit. */
async function prune(directory: string) {
  const names = await readdir(directory)
  if (names.length <= maxFiles) return
  const paths = names.map((name) => join(directory, name))
  const ages = await Promise.all(paths.map(async (path) => ({ path, at: (await stat(path)).mtimeMs })))
  const oldest = ages.sort((one, other) => one.at - other.at).slice(0, names.length - maxFiles)
  await Promise.all(oldest.map(({ path }) => rm(path, { force: true })))
}

function toFileName(server: ListedServer): string {
  const place = createHash('sha256').update(`${server.folder}\n${server.name}`).digest('hex')
  return `${server.name.replace(/[^\w-]/g, '_').slice(0, 80)}-${place.slice(0, 16)}.json`
}

function digestAddress({ name, address }: ListedServer, salt: string): string {
  return createHash('sha256')
    .update(`${salt}\n${canonicalJson([name, address])}`)
    .digest('hex')
}
