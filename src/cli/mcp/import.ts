import type { ConfigEditor } from '../../app/config/config-editor.ts'
import type { JsonObject } from '../../contract/json.ts'
import { printable, printableJson } from '../../contract/text/printable.ts'
import { setMember } from '../../state/edit-json.ts'
import { clients } from '../../surfaces/clients/clients.ts'
import { toPlaces } from '../connect/client-file.ts'
import { openChosenConfig } from '../options/chosen-config.ts'
import { type Request, UsageError } from '../options/command.ts'
import { toColumns } from '../terminal/columns.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { confirm } from '../terminal/prompt/confirm.ts'
import { type Line, paint } from '../terminal/terminal.ts'
import { readUserName } from '../terminal/user-name.ts'
import type { GrantMembers } from './change-grants.ts'
import { chooseFound, printFound } from './choose-found.ts'
import { printConfigChange, printEverywhere, printNotOffered } from './config-change.ts'
import {
  areCodeVariablesMeant,
  describeServer,
  printSecrets,
  toCodeVariableLines,
  toCodeVariableNames,
} from './describe-server.ts'
import { toGrantFolder, toGrantMembers } from './grant-options.ts'
import { type ReadClients, readClients, readSource } from './read-clients.ts'
import { settleServers, toAnswers } from './settle-servers.ts'
import { toStatusJson } from './status-report.ts'
import { type Candidate, type FoundServers, toCandidates } from './to-candidates.ts'

const maxTries = 3

/** Imports servers of other clients after showing them. */
export async function importServers(request: Request, words: readonly string[]): Promise<number> {
  const { options } = request
  const [source, ...wanted] = words
  const places = toPlaces(options)
  if (source !== undefined) {
    if (options.all) throw new UsageError('Name a client or use --all, not both.')
    return importFound(await readSource(source, places), wanted, request)
  }
  const read = await readClients(clients, places)
  if (options.all) return importFound(read, [], request)
  const chosen = read.found.length > 0 && !options.json ? await chooseFound(read.found, request) : undefined
  if (chosen !== undefined) return importFound({ ...read, found: chosen }, [], request)
  return printFound(read, request)
}

async function importFound(
  { found, problems }: ReadClients,
  wanted: readonly string[],
  given: Request,
): Promise<number> {
  const request = await chooseScope(found, given)
  const { options, terminal } = request
  const editor = openChosenConfig(request)
  const grants = toGrantMembers(options, toGrantFolder(editor))
  const { workspace, home } = toPlaces(options)
  const candidates = await toCandidates(found, {
    workspace,
    folder: editor.folder,
    isEverywhere: editor.scope === 'everywhere',
    home,
    environment: process.env,
    existing: ((await editor.look())?.content.mcpServers ?? {}) as { [name: string]: unknown },
    reserved: editor.reserved,
    replace: options.replace ?? false,
    wanted,
    findFault: editor.findFault,
  })
  const missing = wanted.find((name) => !candidates.some(({ given }) => given === name))
  if (missing !== undefined) throw new UsageError(`There is no server '${missing}' to import.`, 'Leave out the names to see all.') // biome-ignore format: one line
  const offered = candidates.filter(({ skipped }) => skipped === undefined)
  if (!options.json) terminal.print(...toLines(candidates, terminal.columns))
  const isAnyWanted = offered.length > 0 && (options.yes || (await isMeant(offered.length, request)))
  const kept = isAnyWanted ? await keepMeant(offered, wanted, request) : offered
  const chosen = isAnyWanted ? await complete(kept, { grants, editor, request }) : kept
  const isWanted = isAnyWanted && chosen.length > 0
  const changed = isWanted ? await write(chosen, editor) : undefined
  if (offered.length === 0) terminal.log('There is nothing to import.')
  const names = changed ? chosen.map(({ name }) => name) : []
  if (changed) {
    if (!options.json) terminal.print([paint('green', '✓ '), `Imported ${names.join(', ')}.`])
    printConfigChange(changed, editor, request)
    const entries = Object.fromEntries(chosen.map(({ name, entry }) => [name, entry]))
    printSecrets(entries, request)
    await printEverywhere(entries, editor, request)
    await printNotOffered(names, editor, request)
    const sources = [...new Set(chosen.map(({ from }) => from))].join(', ')
    terminal.log(`Remove ${names.length === 1 ? 'it' : 'them'} from ${printable(sources)}: an agent that has its own entry does not go through Toolpact.`) // biome-ignore format: one line
  }
  const unclear = [...problems, ...candidates.flatMap(({ given, problems: own }) => own.map((problem) => `${given}: ${problem}`))] // biome-ignore format: one line
  if (!options.json) printProblems(unclear, request)
  const statuses = await settleServers(names, editor, request)
  if (options.json)
    terminal.print(printableJson({ config: editor.path, imported: names, trust: changed?.trust, servers: candidates.map(toJson), problems: unclear, statuses: statuses.map(toStatusJson) })) // biome-ignore format: one line
  if (offered.length > chosen.length || (chosen.length > 0 && !changed)) return exitCodes.refused
  return unclear.length > 0 ? exitCodes.failed : exitCodes.success
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
  return candidates.flatMap(({ entry, notes, skipped }, index) => [
    rows[index]!,
    ...(skipped === undefined ? toCodeVariableLines(entry) : []),
    ...(skipped === undefined ? notes : [`Skipped: ${skipped}`]).map((note) => paint('dim', `     ${printable(note)}`)),
  ])
}

function printProblems(problems: readonly string[], { terminal }: Request): void {
  if (problems.length === 0) return
  terminal.log(
    [paint('yellow', 'Not understood, or left for you to do:')],
    ...problems.map((problem) => `  ${printable(problem)}`),
  )
}

async function isMeant(count: number, request: Request): Promise<boolean> {
  const { terminal } = request
  const question = `Import ${count === 1 ? 'this server' : `these ${count} servers`}? ${count === 1 ? 'Its command' : 'Their commands'} will be run. (y/N) `
  const answer = await confirm(question, request)
  if (answer) return true
  terminal.log(answer === undefined ? 'Not imported: there is no terminal to ask at. Add --yes to import what has a +.' : 'Not imported.') // biome-ignore format: one line
  return false
}

/** --yes does not cover variables that make a program run other code: each such server needs its own confirmation or name. */
async function keepMeant(offered: readonly Candidate[], wanted: readonly string[], request: Request) {
  const kept: Candidate[] = []
  for (const candidate of offered) {
    const { given, name, entry } = candidate
    const isNamed = request.options.yes && wanted.includes(given)
    if (isNamed || (await areCodeVariablesMeant(name, entry, request))) kept.push(candidate)
    else request.terminal.log(`Not imported: ${printable(name)}. To import it as it is, name it after the client and add --yes.`) // biome-ignore format: one line
  }
  return kept
}

interface Confining {
  /** What options grant to every server that starts here. */
  readonly grants: GrantMembers
  readonly editor: ConfigEditor
  readonly request: Request
}

/** The entries with the answers that options give, and with what is granted to servers that start here. */
async function complete(chosen: readonly Candidate[], { grants, editor, request }: Confining): Promise<Candidate[]> {
  const answers = toAnswers(request.options)
  const given = chosen.map(({ entry, ...rest }) => {
    const isLocal = entry.command !== undefined
    return { ...rest, entry: { ...entry, ...answers, ...(isLocal && grants) } as JsonObject }
  })
  const { proposeToNew } = await import('./propose.ts')
  const proposed = await proposeToNew(given, { folder: toGrantFolder(editor), request })
  return given.map((each) => ({ ...each, entry: { ...each.entry, ...proposed.get(each.name) } as JsonObject }))
}

function write(chosen: readonly Candidate[], editor: ConfigEditor) {
  const edit = (text: string) => chosen.reduce((next, { name, entry }) => setMember(next, ['mcpServers', name], entry), text) // biome-ignore format: one line
  return editor.change(edit, readUserName())
}

/** Omits values that may be secrets. */
function toJson({ given, name, from, entry, notes, problems, skipped }: Candidate) {
  return {
    name,
    given,
    from,
    reached: describeServer(entry),
    codeVariables: toCodeVariableNames(entry),
    notes,
    problems,
    skipped,
  }
}

/**
 * Asks whether servers are for every folder, the default for those of a client's user config. Does not ask if an option
 * decides it or there is no terminal.
 */
async function chooseScope(found: readonly FoundServers[], request: Request): Promise<Request> {
  const { options, terminal } = request
  const { scope, config, yes, json, 'no-config': noConfig } = options
  if (found.length === 0 || scope !== undefined || config !== undefined || yes || json || noConfig) return request
  const { openTty } = await import('../terminal/prompt/open-tty.ts')
  const tty = openTty()
  if (!tty) return request
  const everywhere = { ...request, options: { ...options, scope: 'everywhere' } }
  const usual = found.some(({ isOfFolder }) => isOfFolder) ? request : everywhere
  const question = `Use them in every folder (e), or only in this one (f)? (Enter: ${usual === request ? 'f' : 'e'}) `
  try {
    for (let tries = 0; tries < maxTries; tries++) {
      const typed = (await tty.ask(paint('bold', question), terminal.signal))?.trim().toLowerCase()
      if (typed === '') return usual
      if (typed === 'e') return everywhere
      if (typed === 'f' || typed === undefined) return request
      tty.print(['Type e or f, then Enter.'])
    }
    return request
  } finally {
    tty.close()
  }
}
