import { join } from 'node:path'
import type { ConfigEditor } from '../../app/config/config-editor.ts'
import { toAbsolute } from '../../app/isolation/is-granted.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { printableJson } from '../../contract/text/printable.ts'
import { describeGrants, findWider, type GrantedEntry, toGrants } from '../../host/lock/grants.ts'
import { readLock } from '../../host/lock/read-lock.ts'
import { readFileIfThere } from '../../state/config-file.ts'
import { removeMember, setMember } from '../../state/edit-json.ts'
import { openChosenConfig } from '../options/chosen-config.ts'
import { type Request, UsageError } from '../options/command.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { paint } from '../terminal/terminal.ts'
import { readUserName } from '../terminal/user-name.ts'
import { addGrants, type GrantMembers, removeGrants } from './change-grants.ts'
import { printConfigChange } from './config-change.ts'
import { toGrantMembers } from './grant-options.ts'
import { proposeToUser } from './propose.ts'
import { toUnknownServer } from './remove.ts'

/** Grants a server folders and hosts in addition; without options, finds out what it needs and asks. */
export async function grantServer(request: Request, words: readonly string[]): Promise<number> {
  const found = await findServer(request, words, 'grant')
  const { name, entry, folder, toPath } = found
  const given = toGrantMembers(request.options, folder)
  const isGiven = Object.keys(given).length > 0
  const more = isGiven ? given : await proposeToUser(name, entry, { folder, request })
  if (!more) return exitCodes.refused
  // What was switched off is confined again once something is granted.
  const isOff = entry.isolation === 'off' && more.isolation === undefined
  return save(found, addGrants(entry, more, toPath), { request, removed: isOff ? ['isolation'] : [] })
}

/** Takes folders and hosts back; without options, all of them. */
export async function revokeServer(request: Request, words: readonly string[]): Promise<number> {
  const found = await findServer(request, words, 'revoke')
  const { entry, folder, toPath } = found
  const given = toGrantMembers(request.options, folder, { mustExist: false })
  if (Object.keys(given).length > 0) return save(found, removeGrants(entry, given, toPath), { request })
  const removed = entry.isolation === 'off' ? ['isolation'] : []
  return save(found, { read: [], write: [], network: 'none' }, { request, removed })
}

interface FoundServer {
  readonly name: string
  readonly entry: JsonObject
  readonly editor: ConfigEditor
  /** Grants are written relative to this folder; undefined for a server of every folder. */
  readonly folder: string | undefined
  readonly toPath: (written: string) => string
}

async function findServer(request: Request, [name, ...more]: readonly string[], verb: string): Promise<FoundServer> {
  if (name === undefined || more.length > 0)
    throw new UsageError(`mcp ${verb} needs the name of one server.`, 'Run `toolpact mcp list` to see them.')
  const editor = openChosenConfig(request)
  const seen = await editor.look()
  const servers = seen?.config.mcpServers ?? {}
  if (!seen || !Object.hasOwn(servers, name)) throw toUnknownServer(name, Object.keys(servers))
  const entry = servers[name] as unknown as JsonObject
  if (entry.command === undefined)
    throw new UsageError(`${name} is reached by its url: it does not run on this machine, and cannot be confined.`)
  return {
    name,
    entry,
    editor,
    folder: seen.scopeOf(name) === 'everywhere' ? undefined : editor.folder,
    toPath: (written) => toAbsolute(written, editor.folder),
  }
}

interface Saving {
  readonly request: Request
  /** Members of the entry that are removed. */
  readonly removed?: readonly string[]
}

async function save(found: FoundServer, members: GrantMembers, { request, removed = [] }: Saving): Promise<number> {
  const { name, entry, editor } = found
  const { options, terminal } = request
  const at = (key: string) => ['mcpServers', name, key]
  const edit = (text: string) => {
    const without = removed.reduce((next, key) => removeMember(next, at(key)), text)
    return Object.entries(members).reduce((next, [key, value]) => setMember(next, at(key), value as JsonValue), without)
  }
  const changed = await editor.change(edit, readUserName(), name)
  const { isolation, ...rest } = { ...entry, ...members } as GrantedEntry
  const next = removed.includes('isolation') || isolation === undefined ? rest : { ...rest, isolation }
  const grants = toGrants(next)
  const may = describeGrants(grants)
  const review = findReview(found, next)
  if (options.json) {
    const { isChanged, path, trust } = changed
    terminal.print(printableJson({ server: name, grants: grants ?? null, may, changed: isChanged, config: path, trust, review: review ?? null })) // biome-ignore format: one line
    return exitCodes.success
  }
  const how = grants ? `is confined: it ${may}` : `is not confined: it ${may}`
  terminal.print([paint('green', '✓ '), `${name} ${how}.${changed.isChanged ? '' : ' Nothing changed.'}`])
  if (changed.isChanged) printConfigChange(changed, editor, request)
  if (review !== undefined) terminal.log([paint('yellow', 'Note:'), ` ${review}`])
  return exitCodes.success
}

/** What the lock does not contain yet. A lock that cannot be read is reported by the commands that need it. */
function findReview({ name, editor, folder }: FoundServer, next: GrantedEntry): string | undefined {
  if (folder === undefined) return undefined
  try {
    const bytes = readFileIfThere(join(editor.folder, 'toolpact.lock'))
    const locked = bytes && readLock(bytes).servers[name]
    const wider = locked ? findWider(locked.identity.grants, toGrants(next)) : []
    if (wider.length === 0) return undefined
    return `This is more than toolpact.lock has accepted: ${wider.join(', ')}. To review it: toolpact lock --accept ${name}`
  } catch {
    return undefined
  }
}
