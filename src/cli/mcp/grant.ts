import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { printableJson } from '../../contract/text/printable.ts'
import { describeGrants, toGrants } from '../../host/lock/grants.ts'
import { removeMember } from '../../state/edit-json.ts'
import { openChosenConfig } from '../options/chosen-config.ts'
import { type Request, UsageError } from '../options/command.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { paint } from '../terminal/terminal.ts'
import { readUserName } from '../terminal/user-name.ts'
import { printConfigChange } from './config-change.ts'
import { toGrantMembers } from './grant-options.ts'
import { proposeToUser, toFolder } from './propose.ts'
import { toUnknownServer } from './remove.ts'

const keys = ['isolation', 'read', 'write', 'network'] as const

/** Grants a server folders and hosts in addition; without options, finds out what it needs and asks. */
export async function grantServer(request: Request, words: readonly string[]): Promise<number> {
  const { name, entry, editor } = await findEntry(request, words, 'grant')
  const given = toGrantMembers(request.options, toFolder(editor))
  const more = Object.keys(given).length > 0 ? given : await propose(name, entry, request)
  if (!more) return exitCodes.refused
  const next: { [key: string]: JsonValue } = { ...entry, ...more }
  for (const key of ['read', 'write', 'network'] as const)
    if (Array.isArray(more[key])) next[key] = unite(entry[key], more[key])
  return save(name, next, { editor, request })
}

/** Takes folders and hosts back; without options, all of them. */
export async function revokeServer(request: Request, words: readonly string[]): Promise<number> {
  const { name, entry, editor } = await findEntry(request, words, 'revoke')
  const given = toGrantMembers(request.options, toFolder(editor))
  if (Object.keys(given).length === 0) return save(name, { ...entry, read: [], write: [], network: 'none' }, { editor, request }) // biome-ignore format: one line
  const next: { [key: string]: JsonValue } = { ...entry }
  for (const key of ['read', 'write', 'network'] as const) {
    if (given[key] === undefined) continue
    const left = subtract(entry[key], given[key], `--${key === 'network' ? 'allow-host' : key}`)
    next[key] = key === 'network' && left.length === 0 ? 'none' : left
  }
  return save(name, next, { editor, request })
}

async function findEntry(request: Request, [name, ...more]: readonly string[], verb: string) {
  if (name === undefined || more.length > 0)
    throw new UsageError(`mcp ${verb} needs the name of one server.`, 'Run `toolpact mcp list` to see them.')
  const editor = openChosenConfig(request)
  const servers = (await editor.look())?.config.mcpServers ?? {}
  if (!Object.hasOwn(servers, name)) throw toUnknownServer(name, Object.keys(servers))
  const entry = servers[name] as unknown as JsonObject
  if (entry.command === undefined)
    throw new UsageError(`${name} is reached by its url: it does not run on this machine, and cannot be confined.`)
  return { name, entry, editor }
}

async function propose(name: string, entry: JsonObject, request: Request): Promise<JsonObject | undefined> {
  return proposeToUser(name, entry, { editor: openChosenConfig(request), request })
}

/** `any` and `none` give way to a list; a list that is added to `any` changes nothing. */
function unite(old: JsonValue | undefined, more: JsonValue): JsonValue {
  if (old === 'any') return old
  return [...new Set([...(Array.isArray(old) ? old : []), ...(more as JsonValue[])])]
}

function subtract(old: JsonValue | undefined, less: JsonValue, option: string): JsonValue[] {
  if (less === 'any') return []
  if (old === 'any') throw new UsageError('It may connect to any host.', 'Take that back: --allow-host any')
  const known = Array.isArray(old) ? old : []
  const missing = (less as JsonValue[]).find((value) => !known.includes(value))
  if (missing !== undefined) throw new UsageError(`${option} ${String(missing)} was not granted.`)
  return known.filter((value) => !(less as JsonValue[]).includes(value))
}

async function save(
  name: string,
  next: JsonObject,
  { editor, request }: { editor: ReturnType<typeof openChosenConfig>; request: Request },
): Promise<number> {
  const { options, terminal } = request
  const members = keys.flatMap((key) => (next[key] === undefined ? [] : [{ path: ['mcpServers', name, key], value: next[key] }])) // biome-ignore format: one line
  const changes = await editor.set(members, readUserName())
  // What was switched off is confined again once something is granted.
  if (next.isolation === 'off' && options.isolation === undefined)
    await editor.change((text) => removeMember(text, ['mcpServers', name, 'isolation']), readUserName(), name)
  const grants = toGrants({ ...next, ...(options.isolation === undefined && next.isolation === 'off' && { isolation: 'auto' }) }) // biome-ignore format: one line
  const may = describeGrants(grants)
  if (options.json) terminal.print(printableJson({ server: name, grants: grants ?? null, may }))
  else {
    terminal.print([paint('green', '✓ '), `${name} ${may}.`])
    for (const changed of changes.filter(({ isChanged }) => isChanged)) printConfigChange(changed, editor, request)
  }
  return exitCodes.success
}
