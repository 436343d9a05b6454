import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, resolve } from 'node:path'
import { nearest } from '../../contract/text/nearest.ts'
import type { Client, ClientFile, Places, Scope } from '../../surfaces/clients/client.ts'
import { connectable, findClients } from '../../surfaces/clients/clients.ts'
import { type Options, UsageError } from '../options/command.ts'
import { EditError, readServer, type ServerPlace } from './edit-client-file.ts'

/** Name of the Toolpact entry in client configs. */
const serverName = 'toolpact'

export interface OpenedFile {
  readonly client: Client
  readonly file: ClientFile
  /** `file.path` with symlinks resolved. */
  readonly path: string
  /** Undefined if the file does not exist yet. */
  readonly bytes: Buffer | undefined
  readonly place: ServerPlace
}

export function toPlaces({ workspace }: Options): Places {
  return { platform: process.platform, home: homedir(), workspace: resolve(workspace ?? '.'), environment: process.env }
}

/** Finds the client and its config file. */
export function openClientFile(name: string, options: Options): OpenedFile {
  const [client] = findClients(name)
  if (!client?.toStdio) throw toUnknownClient(name, client)
  const scope = toScope(options.scope)
  const files = client.files(toPlaces(options)).filter((file) => file.key && file.scope === scope)
  const file = files.find(({ path }) => existsSync(path)) ?? files[0]
  if (!file) throw new UsageError(`${client.title} has no ${scope} config file.`, `Use --scope ${scope === 'user' ? 'project' : 'user'}.`) // biome-ignore format: one line
  return open(client, file)
}

/** Existing config files of a client. */
export function openExistingFiles(client: Client, options: Options): readonly OpenedFile[] {
  const files = client.files(toPlaces(options)).filter(({ key, path }) => key && existsSync(path))
  return files.map((file) => open(client, file))
}

/** Whether the client seems to be installed. */
export function isFound(client: Client, options: Options): boolean {
  const { home, workspace, ...places } = toPlaces(options)
  const common = [home, workspace, dirname(home)]
  return client
    .files({ home, workspace, ...places })
    .some(({ path, scope }) => existsSync(path) || (scope === 'user' && !common.includes(dirname(path)) && existsSync(dirname(path)))) // biome-ignore format: one line
}

/** Undefined if the file has no Toolpact entry or cannot be read. */
export async function findEntry({ bytes, place }: OpenedFile) {
  try {
    return bytes && (await readServer(bytes.toString(), place))
  } catch (cause) {
    if (cause instanceof EditError) return undefined
    throw cause
  }
}

function open(client: Client, file: ClientFile): OpenedFile {
  const { format, isList, newFile } = client
  const path = existsSync(file.path) ? realpathSync.native(file.path) : file.path
  const bytes = existsSync(path) ? readFileSync(path) : undefined
  return { client, file, path, bytes, place: { format, key: file.key!, name: serverName, isList, newFile } }
}

function toScope(scope = 'user'): Scope {
  if (scope === 'user' || scope === 'project') return scope
  throw new UsageError(`--scope cannot be '${scope}'.`, 'Use --scope user or --scope project.')
}

function toUnknownClient(name: string, client: Client | undefined): UsageError {
  const names = connectable.map(({ id }) => id)
  if (client) return new UsageError(`${client.title} has servers, but cannot use Toolpact as a client.`, `Run \`toolpact mcp import ${client.id}\` to import its servers.`) // biome-ignore format: one line
  const close = nearest(name, names)
  return new UsageError(`Unknown client '${name}'.`, close ? `Did you mean toolpact connect ${close}?` : `Use ${names.join(', ')}.`) // biome-ignore format: one line
}
