import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, isAbsolute, join, relative, resolve } from 'node:path'
import type { JsonValue } from '../../contract/json.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import { toStrictJson } from '../../state/strict-json.ts'
import type { Client, ClientFile, Places } from '../../surfaces/clients/client.ts'
import { clients, findClients } from '../../surfaces/clients/clients.ts'
import { UsageError } from '../options/command.ts'
import { type FileRules, findServers, joinRules, readFileRules } from './find-servers.ts'
import type { FoundServers } from './to-candidates.ts'

/** Generous, because Claude Code stores much else in its file. */
const limits = { maxBytes: 67_108_864, maxDepth: 100 }

/** Files read, and problems. */
export interface ReadClients {
  readonly found: readonly FoundServers[]
  readonly problems: readonly string[]
}

/** Reads the servers of a client or file. */
export async function readSource(source: string, places: Places): Promise<ReadClients> {
  const named = findClients(source)
  if (named.length > 0) {
    const read = await readClients(named, places)
    if (read.isThere) return read
    const paths = named.flatMap((client) => client.files(places).map(({ path }) => path))
    throw new UsageError(`Nothing of ${source} was found. These files were looked for: ${paths.join(', ')}.`, 'Name the file, or run toolpact mcp import to see what is on this machine.') // biome-ignore format: one line
  }
  const path = resolve(source)
  const owner = findOwner(path, places)
  const read = await readFiles({ title: owner?.title ?? source, client: owner, files: [{ about: source, path, scope: isInside(places.workspace, path) ? 'project' : 'user' }] }, places) // biome-ignore format: one line
  if (!read.isThere) throw new UsageError(`There is no file ${source}, and no client of that name is known.`, `Use ${clients.map(({ id }) => id).join(', ')} or a file.`) // biome-ignore format: one line
  if (read.found.length > 0 || read.problems.length > 0) return read
  return { found: [], problems: [`${source}: no servers were found in a form that is understood.`] }
}

export async function readClients(
  wanted: readonly Client[],
  places: Places,
): Promise<ReadClients & { isThere: boolean }> {
  const all = await Promise.all(wanted.map((client) => readFiles({ title: client.title, client, files: client.files(places) }, places))) // biome-ignore format: one line
  return {
    found: all.flatMap(({ found }) => found),
    problems: all.flatMap(({ problems }) => problems),
    isThere: all.some(({ isThere }) => isThere),
  }
}

interface Source {
  readonly title: string
  readonly client: Client | undefined
  readonly files: readonly ClientFile[]
}

async function readFiles({ title, client, files }: Source, { workspace }: Places) {
  const problems: string[] = []
  const rules: FileRules[] = []
  const read: Omit<FoundServers, 'rules'>[] = []
  let isThere = false
  for (const { about, path, scope } of files.flatMap(listFolder)) {
    const file = await readClientFile(path)
    isThere ||= file.kind !== 'absent'
    if (file.kind === 'broken') problems.push(`${path} cannot be used: ${file.fault}`)
    if (file.kind !== 'content') continue
    const own = readFileRules(file.content, workspace)
    rules.push(own)
    problems.push(...own.problems.map((problem) => `${path}: ${problem}`))
    const servers = findServers(file.content, workspace)
    if (servers && Object.keys(servers).length > 0) read.push({ from: about, path, owner: title, isOfFolder: scope === 'project', servers, hasBareVariables: client?.hasBareVariables === true }) // biome-ignore format: one line
  }
  const joined = joinRules(rules)
  return { found: read.map((each) => ({ ...each, rules: joined })), problems, isThere }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return !isAbsolute(way) && !/^\.\.(?:[\\/]|$)/.test(way)
}

/** Replaces a folder by its files; keeps the path if it cannot be listed. */
function listFolder(file: ClientFile): readonly ClientFile[] {
  if (!file.isFolder) return [file]
  try {
    const names = readdirSync(file.path).filter((name) => /\.(?:ya?ml|json)$/.test(name)).sort() // biome-ignore format: one line
    return names.map((name) => ({ ...file, path: join(file.path, name) }))
  } catch {
    return []
  }
}

/** The client whose config has this path under any home directory. */
function findOwner(path: string, places: Places): Client | undefined {
  const tail = (each: string) => each.split(/[\\/]/).slice(-2).join('/')
  return clients.find((client) => client.files(places).some((file) => file.path === path || tail(file.path) === tail(path))) // biome-ignore format: one line
}

/** The result of reading a client's file. */
type ReadFile =
  | { readonly kind: 'content'; readonly content: JsonValue }
  | { readonly kind: 'absent' }
  | { readonly kind: 'broken'; readonly fault: string }

/** Reads JSON with comments, TOML or YAML, by file extension. */
async function readClientFile(path: string): Promise<ReadFile> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' }
    return { kind: 'broken', fault: `It cannot be read (${code}).` }
  }
  if (text.trim() === '') return { kind: 'content', content: {} }
  try {
    const parsed = parseJson(await toJsonText(text, extname(path).toLowerCase()), limits)
    return parsed.ok ? { kind: 'content', content: parsed.value } : { kind: 'broken', fault: parsed.message }
  } catch (cause) {
    return { kind: 'broken', fault: (cause as Error).message.split('\n')[0]! }
  }
}

/** Converts to JSON text, so that the same limits and key checks apply to every format. */
async function toJsonText(text: string, extension: string): Promise<string> {
  if (text.length > limits.maxBytes) throw new Error('It is too large.')
  if (extension === '.toml') return JSON.stringify((await import('smol-toml')).parse(text))
  if (extension === '.yaml' || extension === '.yml') return JSON.stringify((await import('yaml')).parse(text) ?? {})
  return toStrictJson(text)
}
