import type { JsonObject } from '../../../contract/json.ts'
import { type Complaint, explain, judgeRefusal } from '../judge.ts'
import type { ScenarioLog } from '../report.ts'
import { answering, type Trial } from '../trial.ts'
import { noInput } from './valid.ts'

/** The limits of the contract are enforced. Uses stubs instead of the tool. */
export async function tryLimits(trial: Trial, log: ScenarioLog): Promise<void> {
  const [input] = trial.inputs
  await tryInputBytes(trial, log)
  if (!input) return log.skip(noInput)
  await tryOutputBytes(trial, log, input)
  await tryRate(trial, log, input)
  await tryConcurrency(trial, log, input)
  await tryTimeout(trial, log, input)
}

const maxBytes = 16 * 1024 * 1024

/** A property that pads an object to a size in bytes as JSON. */
function fillTo(bytes: number): JsonObject {
  const room = bytes - '{"x":""}'.length
  return { x: 'x'.repeat(Math.max(0, room)) }
}

async function tryInputBytes(trial: Trial, log: ScenarioLog): Promise<void> {
  const { inputBytes } = trial.contract.limits
  if (inputBytes > maxBytes || inputBytes < 8)
    return log.skip(`inputBytes is ${inputBytes}: inputs of that size are not made.`)
  const standIn = answering(trial)
  const over = await trial.subject.call(fillTo(inputBytes + 1), { standIn })
  note(log, 'an input of one byte too many', judgeRefusal(over, { code: 'input_too_large' }))
  const { result } = await trial.subject.call(fillTo(inputBytes), { standIn })
  const isRefused = !result.success && result.error.code === 'input_too_large'
  note(
    log,
    'an input of just as many bytes',
    isRefused ? toComplaint('input_too_large', result.error.message) : undefined,
  )
}

async function tryOutputBytes({ contract, subject }: Trial, log: ScenarioLog, input: JsonObject): Promise<void> {
  const { outputBytes } = contract.limits
  if (outputBytes > maxBytes || outputBytes < 8)
    return log.skip(`outputBytes is ${outputBytes}: outputs of that size are not made.`)
  const isTooLarge = async (bytes: number) => {
    const { result } = await subject.call(input, { standIn: () => fillTo(bytes) })
    return !result.success && result.error.code === 'output_too_large'
  }
  const over = await isTooLarge(outputBytes + 1)
  note(
    log,
    'an output of one byte too many',
    over ? undefined : toComplaint('outputBytes', 'It was not found too large.'),
  )
  const just = await isTooLarge(outputBytes)
  note(log, 'an output of just as many bytes', just ? toComplaint('outputBytes', 'It was found too large.') : undefined)
}

const maxCalls = 1000

async function tryRate(trial: Trial, log: ScenarioLog, input: JsonObject): Promise<void> {
  const { calls } = trial.contract.limits
  if (!calls) return
  const { count, windowMs } = calls
  if (count > maxCalls) return log.skip(`The rate is ${count} calls: more than ${maxCalls} are not made.`)
  const call = () => trial.subject.call(input, { standIn: answering(trial), caller: 'the rate' })
  const start = performance.now()
  for (let made = 0; made < count; made++) {
    const observed = await call()
    if (observed.ran) continue
    return note(log, `call ${made + 1} of ${count}`, toComplaint('rate', `It was refused: ${explain(observed)}`))
  }
  const observed = await call()
  if (performance.now() - start > windowMs / 2)
    return log.skip(`The window of ${windowMs} ms passed while ${count} calls were made: the rate was not tested.`)
  const complaint = judgeRefusal(observed, { code: 'rate_limited' })
  const { result } = observed
  const hasWait = !result.success && result.error.retryAfterMs !== undefined && result.error.retryAfterMs > 0
  note(
    log,
    'one call too many',
    complaint ?? (hasWait ? undefined : toComplaint('rate', 'It does not say when to call again.')),
  )
}

const maxAtOnce = 64
const turnsToWait = 2000

async function tryConcurrency(trial: Trial, log: ScenarioLog, input: JsonObject): Promise<void> {
  const { concurrency, timeoutMs } = trial.contract.limits
  if (concurrency === undefined) return
  if (concurrency > maxAtOnce)
    return log.skip(`The concurrency is ${concurrency}: that many calls are not made at once.`)
  const gate = Promise.withResolvers<void>()
  let inside = 0
  const standIn = async () => {
    inside++
    await gate.promise
    return trial.outputs[0] ?? {}
  }
  const start = performance.now()
  const calls = Array.from({ length: concurrency + 1 }, () => trial.subject.call(input, { standIn }))
  for (let turn = 0; turn < turnsToWait && inside < concurrency; turn++) await aMoment()
  // Give a call beyond the limit time to slip through.
  for (let turn = 0; turn < 20; turn++) await aMoment()
  const atOnce = inside
  gate.resolve()
  const ended = await Promise.all(calls)
  if (performance.now() - start > timeoutMs / 2)
    return log.skip(`The calls took too long for a time limit of ${timeoutMs} ms: the concurrency was not tested.`)
  const waited = ended.every(({ ran }) => ran)
  const isRight = atOnce === concurrency && waited
  const message = `${atOnce} of ${concurrency + 1} calls ran at once, but the contract allows ${concurrency}.`
  note(log, 'one call more than may run at once', isRight ? undefined : toComplaint('concurrency', message))
}

const aMoment = () => new Promise((resolve) => setImmediate(resolve))

const maxWaitMs = 1000

async function tryTimeout(trial: Trial, log: ScenarioLog, input: JsonObject): Promise<void> {
  const { timeoutMs } = trial.contract.limits
  // Use a short timeout: the behaviour does not depend on its length.
  if (timeoutMs > maxWaitMs) return
  const standIn = () => new Promise(() => {})
  const observed = await trial.subject.call(input, { standIn })
  note(log, 'a tool that does not end', judgeRefusal(observed, { code: 'timeout', afterRun: true }))
}

function toComplaint(kind: string, message: string): Complaint {
  return { kind, message }
}

function note(log: ScenarioLog, what: string, complaint: Complaint | undefined): void {
  log.count()
  if (complaint) log.fail(`${what} ${complaint.kind}`, { case: what, message: complaint.message })
}
