import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { ConfigDesk } from '../../config/config-desk.ts'
import { printable, printableJson } from '../../contract/printable.ts'
import { setMember } from '../../storage/edit-json.ts'
import { toColumns } from '../columns.ts'
import { type Request, UsageError } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { type Line, paint } from '../terminal.ts'
import { readUserName } from '../user-name.ts'
import { type Client, type ClientFile, clients, listClientFiles } from './client-files.ts'
import { describeServer } from './describe-server.ts'
import { openDesk, tellChanged } from './place.ts'
import { readClientFile } from './read-client-file.ts'
import { settleServers } from './settle-servers.ts'
import { toStatusJson } from './status-report.ts'
import { tellSecrets } from './tell-secrets.ts'
import { type Candidate, type FoundServers, toCandidates } from './to-candidates.ts'

/** Takes over servers that another client has, once a person has seen them. */
export async function importServers(request: Request, words: readonly string[]): Promise<number> {
  const { options, terminal } = request
  const [source, ...wanted] = words
  if (source === undefined) throw new UsageError('mcp import needs to know from where.', `Use ${clients.join(', ')} or a file.`) // biome-ignore format: one line
  const desk = openDesk(request)
  const workspace = resolve(options.workspace ?? '.')
  const candidates = await toCandidates(await readFiles(source, workspace, request), {
    workspace,
    folder: desk.folder,
    home: homedir(),
    existing: ((await desk.look())?.content.mcpServers ?? {}) as { [name: string]: unknown },
    reserved: desk.reserved,
    replace: options.replace ?? false,
    wanted,
    findFault: desk.findFault,
  })
  const missing = wanted.find((name) => !candidates.some(({ given }) => given === name))
  if (missing !== undefined) throw new UsageError(`There is no server '${missing}' to import.`, 'Leave out the names to see all.') // biome-ignore format: one line
  const chosen = candidates.filter(({ skipped }) => skipped === undefined)
  if (!options.json) terminal.print(...toLines(candidates, terminal.columns))
  const isWanted = chosen.length > 0 && (options.yes || (await isMeant(chosen.length, request)))
  const changed = isWanted ? await write(chosen, desk) : undefined
  if (chosen.length === 0) terminal.tell('There is nothing to import.')
  const names = changed ? chosen.map(({ name }) => name) : []
  if (changed) {
    if (!options.json) terminal.print([paint('green', '✓ '), `Imported ${names.join(', ')}.`])
    tellChanged(changed, desk, request)
    tellSecrets(Object.fromEntries(chosen.map(({ name, entry }) => [name, entry])), request)
  }
  const statuses = await settleServers(names, desk, request)
  if (options.json)
    terminal.print(printableJson({ config: desk.path, imported: names, trust: changed?.trust, servers: candidates.map(toJson), statuses: statuses.map(toStatusJson) })) // biome-ignore format: one line
  return changed || chosen.length === 0 ? exitCodes.success : exitCodes.refused
}

async function readFiles(source: string, workspace: string, { terminal }: Request): Promise<FoundServers[]> {
  const files = toFiles(source, workspace)
  const found: FoundServers[] = []
  let isThere = false
  for (const { about, path } of files) {
    const read = await readClientFile(path, workspace)
    isThere ||= read.kind !== 'absent'
    if (read.kind === 'broken') terminal.tell([paint('yellow', 'Note:'), ` ${printable(path)} is of no use: ${printable(read.fault)}`]) // biome-ignore format: one line
    if (read.kind === 'servers') found.push({ from: about, servers: read.servers })
  }
  if (isThere) return found
  if (files.length === 1) throw new UsageError(`There is no file ${source}, and no client of that name is known.`, `Use ${clients.join(', ')} or a file.`) // biome-ignore format: one line
  throw new UsageError(`Nothing of ${source} was found. These were looked for: ${files.map(({ path }) => path).join(', ')}.`, 'Name the file.') // biome-ignore format: one line
}

function toFiles(source: string, workspace: string): ClientFile[] {
  if (!clients.includes(source as Client)) return [{ about: source, path: resolve(source) }]
  const { platform, env } = process
  return listClientFiles(source as Client, { platform, home: homedir(), workspace, environment: env })
}

function toLines(candidates: readonly Candidate[], width: number | undefined): Line[] {
  const rows = toColumns(
    candidates.map(({ given, name, from, entry, skipped }) => [
      skipped === undefined ? paint('green', '+') : paint('dim', '-'),
      paint('bold', skipped === undefined ? name : given),
      describeServer(entry),
      paint('dim', from),
    ]),
    { width },
  )
  return candidates.flatMap(({ notes, skipped }, index) => [
    rows[index]!,
    ...(skipped === undefined ? notes : [`Skipped: ${skipped}`]).map((note) => paint('dim', `     ${printable(note)}`)),
  ])
}

async function isMeant(count: number, { terminal, options }: Request): Promise<boolean> {
  const { openTty } = await import('../prompt/open-tty.ts')
  const tty = options.json ? undefined : openTty()
  if (!tty) {
    terminal.tell('Not imported: nobody is here to ask. Add --yes to import what has a +.')
    return false
  }
  const question = `Import ${count === 1 ? 'this server' : `these ${count} servers`}? ${count === 1 ? 'Its command' : 'Their commands'} will be run. (y/N) `
  const answer = await tty.ask(paint('bold', question), terminal.signal).finally(tty.close)
  if (/^\s*y(?:es)?\s*$/i.test(answer ?? '')) return true
  terminal.tell('Not imported.')
  return false
}

function write(chosen: readonly Candidate[], desk: ConfigDesk) {
  const edit = (text: string) => chosen.reduce((next, { name, entry }) => setMember(next, ['mcpServers', name], entry), text) // biome-ignore format: one line
  return desk.change(edit, readUserName())
}

/** Without values that may be secrets. */
function toJson({ given, name, from, entry, notes, skipped }: Candidate) {
  return { name, given, from, reached: describeServer(entry), notes, skipped }
}
