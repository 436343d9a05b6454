import { type Contract, toEffectFields } from '../../contract/contract.ts'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { type Complaint, judgeAdmission, judgeRefusal, judgeRun, toInputRefusal } from './judge.ts'
import type { ScenarioLog, ScenarioName } from './report.ts'
import type { Files, Observed, StandIn, Subject } from './subject.ts'
import { type Check, openCheck } from './values/check.ts'
import { createRandom, type Random } from './values/random.ts'
import { shrink } from './values/shrink.ts'

export interface TrialOptions {
  readonly seed: number
  /** Why the tool must not run. Scenarios that work with stubs still run. */
  readonly notRun?: string
  /** Stops at the first failing scenario and does not minimize inputs. */
  readonly quick?: boolean
}

/** State of testing one tool: its contract, its pipeline, and values found so far. */
export interface Trial {
  readonly contract: Contract
  readonly subject: Subject
  /** Also set once the tool has timed out, so that later cases do not wait for it. */
  notRun: string | undefined
  readonly input: Check
  readonly output: Check
  /** Valid inputs, simple ones first. */
  readonly inputs: readonly JsonObject[]
  /** Valid outputs, including those the tool returned. */
  readonly outputs: JsonObject[]
  /** Error codes that the tool returned. */
  readonly codes: Set<string>
  readonly random: (scenario: ScenarioName | '') => Random
  /** Minimizes a failing value. */
  readonly shrink: typeof shrink
}

const fewRandom = 3

export async function openTrial(contract: Contract, subject: Subject, options: TrialOptions): Promise<Trial> {
  const { limits, examples } = contract
  const input = await openCheck(contract.input, { useDefaults: true, maxBytes: limits.inputBytes })
  const output = await openCheck(contract.output, { useDefaults: false, maxBytes: limits.outputBytes })
  const random = (scenario: string) => createRandom(`${options.seed} ${subject.id} ${scenario}`)
  const source = random('')
  const made = (check: Check) => [
    check.make(source, 'small'),
    check.make(source, 'large'),
    ...Array.from({ length: fewRandom }, () => check.make(source, 'any')),
  ]
  return {
    contract,
    subject,
    notRun: options.notRun,
    input,
    output,
    inputs: [...examples.map(({ input }) => input), ...made(input)].filter(isObject).filter(input.isValid),
    outputs: [...examples.map(({ output }) => output), ...made(output)].filter(isObject).filter(output.isValid),
    codes: new Set(),
    random,
    shrink: options.quick ? async (value) => value : shrink,
  }
}

/** A stub that returns a valid output. */
export function answering({ outputs }: Trial): StandIn {
  return () => outputs[0] ?? {}
}

export interface ValidCase {
  readonly what: string
  readonly input: JsonObject
  readonly files?: Files
}

/**
 * Runs the tool with a valid input, or, if it must not run, checks that the input would reach it. Minimizes a failing
 * input.
 */
export async function runValid(trial: Trial, log: ScenarioLog, { what, input, files }: ValidCase): Promise<void> {
  const { contract } = trial
  const safe = toRunnable(trial, input, log)
  log.count()
  if (!safe) {
    const complaint = judgeAdmission(await trial.subject.call(input, { standIn: answering(trial) }))
    if (complaint) log.fail(complaint.kind, { case: what, message: complaint.message, input })
    return
  }
  const complaint = await judge(safe)
  if (!complaint) return
  const { kind } = complaint
  if (!log.isNews(kind)) return log.fail(kind)
  const stillFails = async (smaller: JsonValue) =>
    isObject(smaller) &&
    trial.input.isValid(smaller) &&
    isSafeInput(contract, smaller) &&
    (await judge(smaller))?.kind === kind
  if (kind === 'timeout') {
    return log.fail(kind, { case: what, message: complaint.message, input: safe, ...(files && { files }) })
  }
  const smallest = await trial.shrink(safe, stillFails)
  const { message } = (await judge(smallest as JsonObject)) ?? complaint
  log.fail(kind, { case: what, message, input: smallest, ...(files && { files }) })

  async function judge(input: JsonObject): Promise<Complaint | undefined> {
    const observed = await trial.subject.call(input, { ...(files && { files }) })
    if (isHeldBack(observed, log)) return undefined
    remember(trial, observed)
    return judgeRun(contract, trial.output, observed)
  }
}

/** The input to run the tool with; undefined if it must not run. */
function toRunnable(trial: Trial, input: JsonObject, log: ScenarioLog): JsonObject | undefined {
  if (trial.notRun !== undefined) return undefined
  const safe = toSafeInput(trial.contract, input, trial.random(log.scenario))
  if (safe && trial.input.isValid(safe)) return safe
  log.skip('An input names an address, a command or a path outside the workspace. Such values are taken only from examples, and none fits: add an example to the contract.') // biome-ignore format: one sentence
  return undefined
}

/** If the tool was blocked from leaving the workspace, the outcome is inconclusive. */
export function isHeldBack({ reached }: Observed, log: ScenarioLog): boolean {
  if (reached !== undefined) log.skip(`The tool reaches beyond the workspace (${reached}). Use --run to allow that.`)
  return reached !== undefined
}

const maxOutputs = 12

export function remember(trial: Trial, { result }: Observed): void {
  const { codes, outputs, output } = trial
  if (!result.success) {
    codes.add(result.error.code)
    if (result.error.code === 'timeout')
      trial.notRun = 'It did not come to an end within its time, and was not run again.'
  } else if (outputs.length < maxOutputs && output.isValid(result.output)) outputs.push(result.output)
}

/** Checks that an invalid input is refused before anything runs. */
export async function runRefused(
  trial: Trial,
  log: ScenarioLog,
  { what, value }: { what: string; value: JsonValue },
): Promise<void> {
  log.count()
  const judge = async (value: JsonValue) => {
    const problems = trial.input.problemsOf(value)
    if (problems.length === 0) return undefined
    const observed = await trial.subject.call(value, { standIn: answering(trial) })
    return judgeRefusal(observed, toInputRefusal(trial.contract, problems))
  }
  const complaint = await judge(value)
  if (!complaint) return
  const { kind } = complaint
  if (!log.isNews(kind)) return log.fail(kind)
  const input = await trial.shrink(value, async (smaller) => (await judge(smaller))?.kind === kind)
  const { message } = (await judge(input)) ?? complaint
  log.fail(kind, { case: what, message, input })
}

/**
 * Replaces commands, addresses and paths outside the workspace by values from examples, so that random values name at most
 * files of the workspace. Undefined if there is no suitable example.
 */
function toSafeInput(contract: Contract, input: JsonObject, random: Random): JsonObject | undefined {
  const safe = { ...input }
  for (const field of namingFields(contract)) {
    if (isSafeValue(contract, field, safe[field])) continue
    const known = exampleValues(contract, field)
    if (known.length > 0) safe[field] = random.pick(known)
    else if (isPathField(contract, field) && typeof safe[field] === 'string') safe[field] = toPlainPath(safe[field])
    else return undefined
  }
  return safe
}

function isSafeInput(contract: Contract, input: JsonObject): boolean {
  return namingFields(contract).every((field) => isSafeValue(contract, field, input[field]))
}

function namingFields({ effects }: Contract): string[] {
  return [...new Set(toEffectFields(effects))]
}

function isPathField({ effects }: Contract, field: string): boolean {
  return ![...(effects.fetches ?? []), ...(effects.runs ?? []), ...(effects.sends ?? [])].includes(field)
}

function isSafeValue(contract: Contract, field: string, value: JsonValue | undefined): boolean {
  if (value === undefined || exampleValues(contract, field).some((known) => isSame(known, value))) return true
  return isPathField(contract, field) && [value].flat().every((path) => typeof path !== 'string' || isPlainPath(path))
}

function isPlainPath(path: string): boolean {
  return !/^(?:[/\\~]|[a-z]:)|(?:^|[/\\])\.\.(?:[/\\]|$)/i.test(path.trim())
}

function toPlainPath(path: string): string {
  return path.replaceAll(/[^a-z0-9]/gi, '_')
}

function exampleValues({ examples }: Contract, field: string): JsonValue[] {
  return examples.flatMap(({ input }) => (input[field] === undefined ? [] : [input[field]]))
}

function isSame(one: JsonValue, other: JsonValue): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
