import { defaultLimits } from '../../contract/contract.ts'
import type { JsonObject } from '../../contract/json.ts'
import { isObject } from '../../contract/json.ts'
import { printable } from '../../contract/text/printable.ts'
import type { ResumeDecision, RunDetails, RunStep } from '../../workflow/run/workflow-runs.ts'
import { type Options, type Request, UsageError } from '../options/command.ts'
import { paint } from '../terminal/terminal.ts'
import { flatten } from './run-lines.ts'

/** What became of an interrupted step: as the options say, otherwise asked at the terminal. Undefined: left undecided. */
export async function decideStep(run: RunDetails, request: Request): Promise<ResumeDecision | undefined> {
  const { options, terminal } = request
  const step = findInterrupted(run, options.step)
  const given = await readDecision(step, request)
  if (given) return given
  if (!options.json) terminal.log(...toKnownLines(step))
  const { openTty } = await import('../terminal/prompt/open-tty.ts')
  const tty = options.json ? undefined : openTty()
  if (!tty)
    throw new UsageError(
      `There is no terminal to ask what became of the step '${step.key}'.`,
      'Add --done OUTPUT, --again or --failed.',
    )
  try {
    const ask = (question: string) => tty.ask(paint('bold', question), terminal.signal)
    const answer = (await ask('Did it take effect? [d]one, run it [a]gain, [f]ailed, or Enter to leave it: '))?.trim()
    if (answer === undefined || answer === '') return undefined
    if (/^a(?:gain)?$/i.test(answer)) return { step: step.key, as: 'again' }
    if (/^f(?:ailed)?$/i.test(answer)) return { step: step.key, as: 'failed' }
    if (!/^d(?:one)?$/i.test(answer))
      throw new UsageError(`'${printable(answer)}' is not an answer.`, 'Type d, a or f.')
    const text = await ask('What did it return, as JSON? ')
    return { step: step.key, as: 'done', output: toOutput(text ?? '') }
  } finally {
    tty.close()
  }
}

function findInterrupted({ id, steps }: RunDetails, key: string | undefined): RunStep {
  const found = flatten(steps).filter(({ state }) => state === 'interrupted')
  if (key !== undefined) {
    const step = found.find((each) => each.key === key)
    if (step) return step
    throw new UsageError(`The run ${id.slice(0, 8)} has no interrupted step '${key}'.`, toNames(found))
  }
  if (found.length > 1)
    throw new UsageError(`Several steps of the run ${id.slice(0, 8)} were interrupted.`, `Choose one with --step. ${toNames(found)}`) // biome-ignore format: one line
  if (!found[0]) throw new UsageError(`No step of the run ${id.slice(0, 8)} was interrupted.`)
  return found[0]
}

function toNames(steps: readonly RunStep[]): string {
  return steps.length === 0 ? 'None was interrupted.' : `Interrupted: ${steps.map(({ key }) => key).join(', ')}.`
}

/** Undefined if no option says it. */
async function readDecision({ key }: RunStep, { options, terminal }: Request): Promise<ResumeDecision | undefined> {
  const [first, second] = decisions(options)
  if (second) throw new UsageError(`Give --${first} or --${second}, not both.`)
  if (first !== 'done') return first && { step: key, as: first }
  const { readInput } = await import('../options/read-input.ts')
  const read = await readInput(options.done!, { maxBytes: defaultLimits.outputBytes, signal: terminal.signal })
  if (!read.ok) throw new UsageError(`--done cannot be read. ${read.error.message}`, read.error.suggestion)
  return { step: key, as: 'done', output: requireObject(read.input) }
}

export function decisions(options: Options) {
  return (['done', 'again', 'failed'] as const).filter((name) => options[name] !== undefined)
}

/** What is known of an interrupted step, for the person who decides. */
function toKnownLines({ key, tool, callId, known }: RunStep) {
  const call = callId === undefined ? [] : [`What is recorded of its call: toolpact ledger show ${callId.slice(0, 8)}`]
  return [
    [paint('magenta', 'Interrupted:'), ` step ${printable(key)}${tool === undefined ? '' : ` (${printable(tool)})`}`],
    ...(known ? [printable(known.message)] : []),
    ...call,
  ]
}

function toOutput(text: string): JsonObject {
  try {
    return requireObject(JSON.parse(text))
  } catch (cause) {
    if (cause instanceof UsageError) throw cause
    throw new UsageError('The output is not JSON.', 'Nothing was decided. Type it on one line, such as {"path":"a.txt"}, or use --done @FILE.') // biome-ignore format: one line
  }
}

function requireObject(value: unknown): JsonObject {
  if (isObject(value as JsonObject)) return value as JsonObject
  throw new UsageError('The output of a step is a JSON object.', 'Nothing was decided. Give it as --done \'{"path":"a.txt"}\'.') // biome-ignore format: one line
}
