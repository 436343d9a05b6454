import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Toolpact } from '../../../app/app.ts'
import { readAbout } from '../../../app/contract-folders/read-about.ts'
import { toolNameForm } from '../../../contract/forms.ts'
import type { JsonObject } from '../../../contract/json.ts'
import { printableJson } from '../../../contract/text/printable.ts'
import { toShellWord } from '../../../contract/text/shell-word.ts'
import { checkWorkflow } from '../../../workflow/check/check-workflow.ts'
import { readWorkflow, type WorkflowProblem } from '../../../workflow/document/read-workflow.ts'
import { commandCaller, type Request, UsageError } from '../../options/command.ts'
import { findTool } from '../../options/find-tool.ts'
import { toColumns } from '../../terminal/columns.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { paint, type Terminal } from '../../terminal/terminal.ts'
import { refuseTwin } from '../plan-in-folder.ts'
import { toCode } from '../to-code.ts'
import { writeFiles } from '../write-files.ts'
import { findByName, findByValue } from './find-sources.ts'
import { fromAgentRun } from './from-agent-run.ts'
import { fromSession, type Recorded } from './from-session.ts'
import { type Draft, type DraftCall, type Mapping, toDocument } from './to-document.ts'

/** `toolpact new workflow`. */
export async function newWorkflow(request: Request, words: readonly string[]): Promise<number> {
  const { options, terminal } = request
  const folder = options.contracts?.[0] ?? 'tools'
  if ((options.contracts?.length ?? 0) > 1)
    throw new UsageError('A workflow is made in one folder.', 'Give --contracts DIR once.')
  if (options.from !== undefined && words.length > 1)
    throw new UsageError('With --from, the session names the tools.', 'Leave the tools out.')
  // It need not exist yet.
  const toolpact = await request.open({ contracts: existsSync(folder) ? [folder] : [] })
  try {
    const wanted = await toWanted(toolpact, request, words)
    if (!wanted) {
      terminal.log('Nothing was written.')
      return exitCodes.refused
    }
    refuseTwin(folder, wanted.name)
    const made = await draft(toolpact, wanted)
    const path = join(folder, `${wanted.name}.${wanted.isRecorded ? 'draft' : 'workflow'}.json`)
    const text = `${toCode(made.document, { language: 'json', isSpread: true })}\n`
    await writeFiles({ created: [{ path, text, about: 'the workflow' }], changed: [] })
    const id = `${(await readAbout(folder)).name}.${wanted.name}`
    print({ ...made, id, path, folder, wanted }, request)
    return exitCodes.success
  } finally {
    await toolpact.close()
  }
}

interface Wanted {
  readonly name: string
  readonly description: string
  readonly calls: readonly DraftCall[]
  readonly isRecorded: boolean
  /** Calls of the session that are no steps. */
  readonly left: number
}

async function toWanted(toolpact: Toolpact, { options, terminal }: Request, words: readonly string[]) {
  const { openTty } = await import('../../terminal/prompt/open-tty.ts')
  const tty = options.yes || options.json ? undefined : openTty()
  const recorded = options.from === undefined ? undefined : await readRecorded(toolpact, options.from)
  const find = async (word: string): Promise<DraftCall> => {
    const { id, contract } = await findTool(toolpact, word, commandCaller)
    return { tool: id, contract }
  }
  try {
    const { askForWorkflow } = await import('./ask-for-workflow.ts')
    const [word, ...tools] = words
    if (word !== undefined) checkName(word)
    const given = { name: word, description: options.description, calls: recorded?.calls ?? (tools.length > 0 ? await Promise.all(tools.map(find)) : undefined) } // biome-ignore format: one line
    const asked = tty
      ? await askForWorkflow(given, { tty, signal: terminal.signal, checkName, find, describe })
      : requireParts(given)
    if (!asked) return undefined
    return { ...asked, isRecorded: recorded !== undefined, left: recorded?.left ?? 0 } satisfies Wanted
  } finally {
    tty?.close()
  }
}

async function readRecorded(toolpact: Toolpact, start: string): Promise<Recorded> {
  const isSession = start !== '' && (await toolpact.sessions.find(start)).length > 0
  return isSession ? fromSession(toolpact, start) : fromAgentRun(toolpact, start)
}

export interface PartOfWorkflow {
  readonly name: string | undefined
  readonly description: string | undefined
  readonly calls: readonly DraftCall[] | undefined
}

/** Without a terminal. */
function requireParts({ name, calls, description }: PartOfWorkflow) {
  const example = 'Such as: toolpact new workflow save_page web.fetch create_file'
  if (name === undefined) throw new UsageError('new workflow needs a name.', example)
  if (calls === undefined) throw new UsageError('new workflow needs the tools that it calls.', example)
  return { name, calls, description: description ?? describe(calls) }
}

function checkName(name: string): void {
  if (!toolNameForm.test(name))
    throw new UsageError(`A workflow cannot be named '${name}'.`, 'Use a letter, then up to 63 letters, digits, _ . or -.') // biome-ignore format: one line
}

function describe(calls: readonly DraftCall[]): string {
  const names = calls.map(({ contract }) => contract.name)
  return `Calls ${names.join(', then ')}.`
}

interface Checked extends Draft {
  readonly problems: readonly WorkflowProblem[]
}

async function draft({ catalog }: Toolpact, { name, description, calls, isRecorded }: Wanted): Promise<Checked> {
  const contracts = new Map(calls.map(({ tool, contract }) => [tool, contract]))
  async function findProblems(document: JsonObject): Promise<readonly WorkflowProblem[]> {
    const read = await readWorkflow(JSON.stringify(document), 'json')
    if (!read.ok) return read.problems
    return checkWorkflow(read.workflow, {
      findContract: async (id) => contracts.get(id) ?? findContract(catalog, id),
    })
  }
  const findSources = isRecorded ? findByValue : findByName
  const made = await toDocument({ name, description }, calls, { findSources, findProblems })
  return { ...made, problems: await findProblems(made.document) }
}

async function findContract(catalog: Toolpact['catalog'], id: string) {
  const found = await catalog.find(id)
  return found.kind === 'found' ? found.tool.contract : undefined
}

interface Printed extends Checked {
  readonly id: string
  readonly path: string
  readonly folder: string
  readonly wanted: Wanted
}

function print(printed: Printed, { options, terminal }: Request): void {
  const { id, path, problems, mappings, wanted } = printed
  const next = toNext(printed)
  if (options.json) {
    terminal.print(printableJson({ workflow: id, created: [path], mappings, problems, next }))
    return
  }
  terminal.print(
    [paint('green', '✓ '), paint('bold', id)],
    `  ${path}`,
    '',
    paint('bold', 'Steps'),
    ...toColumns(mappings.map(toRow), { width: terminal.columns }),
  )
  if (wanted.left > 0)
    terminal.print('', `${toCount(wanted.left)} of the session failed or was undone, and is no step.`)
  printProblems(problems, terminal)
  terminal.print('', paint('bold', 'Next'), ...next.map((step, index) => `  ${index + 1}. ${step}`))
}

function toCount(left: number): string {
  return left === 1 ? '1 call' : `${left} calls`
}

function toRow({ step, name, from, source }: Mapping) {
  const [, , id, , ...path] = source.split('/')
  const part = path.join('/')
  const origin =
    from === 'input'
      ? `input ${source.slice('/input/'.length)}`
      : `${part || 'output'} of ${id}${from === 'checked' ? ', checked when it runs' : ''}`
  return [`  ${step}`, name, paint('dim', `← ${origin}`)]
}

function printProblems(problems: readonly WorkflowProblem[], terminal: Terminal): void {
  if (problems.length === 0) return
  terminal.print('', paint('bold', 'To correct'))
  for (const { pointer, message } of problems) terminal.print(`  ${pointer || '/'}: ${message}`)
}

function toNext({ id, path, folder, wanted, document }: Printed): string[] {
  const place = toShellWord(folder)
  const served = join(folder, `${wanted.name}.workflow.json`)
  const { properties = {} } = document.input as { properties?: JsonObject }
  const pairs = Object.keys(properties).map((name) => ` ${toShellWord(`${name}=…`)}`)
  return [
    `Read ${path}, and correct it.`,
    ...(wanted.isRecorded ? [`mv ${toShellWord(path)} ${toShellWord(served)}`] : []),
    `toolpact check --contracts ${place}`,
    `toolpact run ${id}${pairs.join('')} --contracts ${place}`,
  ]
}
