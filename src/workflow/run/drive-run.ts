import type { CallResult } from '../../contract/call-result.ts'
import type { Contract } from '../../contract/contract.ts'
import { toPipelineError } from '../../contract/error-codes.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { PartCall } from '../../contract/run-part.ts'
import { compileSchema } from '../../contract/schema/compile-schema.ts'
import type { RunChange, Runs, StoredStep } from '../../runtime/storage/runs.ts'
import type { Approvals, Ledger } from '../../runtime/storage/storage.ts'
import { evaluate } from '../expression/evaluate.ts'
import { type Launch, StepAdvance } from './advance-steps.ts'
import { lookUpKnown, mayRunAgain } from './known-of-step.ts'
import { toRunError } from './run-errors.ts'
import { RunSteps, toErrorValue, type Unit } from './run-steps.ts'
import type { StoredRequest } from './stored-request.ts'

export interface DriveOptions {
  readonly runs: Runs
  readonly approvals: Approvals
  readonly ledger: Ledger
  /** Makes the call of a step. Never rejects. */
  readonly call: (call: PartCall) => Promise<CallResult>
  readonly findContract: (tool: string) => Promise<Contract | undefined>
  /** Whether this process may still begin calls of the run. */
  readonly mayBegin: () => boolean
  /** Whether to begin no more steps. */
  readonly isPausing: () => boolean
  readonly onProgress: (progress: {
    readonly progress: number
    readonly total: number
    readonly message: string
  }) => void
  /** How long a run that ended is kept. */
  readonly keepMs: number
}

/** A run that this process has claimed. */
export interface ClaimedRun {
  readonly id: string
  readonly owner: string
  readonly epoch: number
  readonly createdAt: number
  readonly request: StoredRequest
  readonly steps: readonly StoredStep[]
}

/** `lost`: another process owns the run, or it was cancelled. `paused`: another process may go on. */
export type DriveEnd = 'ended' | 'waiting' | 'needs_person' | 'paused' | 'lost'

/**
 * Drives a claimed run until it ends or waits. Each change of the run is stored before anything follows from it: a step is
 * stored as begun, with the id of its call, before the call is made, together with the outcomes of the steps before it. After a
 * crash the stored steps and the ledger therefore say which calls were made. It is hard because steps run in parallel, wait for
 * people and times, and the process may lose the run at any moment, after which it stores nothing more.
 */
export class RunDrive {
  readonly #run: ClaimedRun
  readonly #options: DriveOptions
  readonly #steps: RunSteps
  readonly #advance: StepAdvance
  readonly #controller = new AbortController()
  readonly #inFlight = new Set<string>()
  /** Number of calls that have ended. */
  #ended = 0
  #isLookDue = true
  /** Whether a step may have changed something, here or in an earlier process. */
  #hasWritten: boolean
  #wake = () => {}

  constructor(run: ClaimedRun, options: DriveOptions) {
    this.#run = run
    this.#options = options
    const { workflow, input } = run.request
    const scope = { input, run: { id: run.id, startedAt: new Date(run.createdAt).toISOString() } }
    this.#steps = new RunSteps(workflow, run.steps, scope)
    this.#advance = new StepAdvance(this.#steps)
    this.#hasWritten = run.steps.length > 0
  }

  async drive(): Promise<DriveEnd> {
    await this.#recover()
    for (;;) {
      if (this.#controller.signal.aborted) return 'lost'
      const changed = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      const ended = this.#ended
      if (this.#isLookDue) await this.#lookAtQuestions()
      const launches = this.#options.isPausing() ? [] : await this.#advance.advance()
      // A call that ended meanwhile may let others begin.
      if (launches.length === 0 && this.#ended !== ended) continue
      if (launches.length === 0 && this.#inFlight.size === 0) return this.#finish()
      if (!(await this.#save({ durable: await this.#mustLast(launches) }))) return this.#lose()
      for (const launch of launches) this.#launch(launch)
      await this.#until(changed)
    }
  }

  /** Looks again at what the run waits for. */
  wake() {
    this.#isLookDue = true
    this.#wake()
  }

  /** The run is no longer ours. */
  abort() {
    this.#controller.abort()
    this.#wake()
  }

  /** What became of calls during which a process ended. */
  async #recover() {
    const { ledger, findContract } = this.#options
    for (const stored of this.#steps.all()) {
      const { key, state, callId } = stored
      if (state !== 'running' || callId === undefined) continue
      const tool = this.#steps.toolOf(key)
      const known = await lookUpKnown(ledger, { run: this.#run.id, step: key, callId })
      const contract = known.intended ? await findContract(tool) : undefined
      if (!known.intended || mayRunAgain(contract)) this.#advance.again.add(key)
      else this.#steps.put({ ...stored, state: 'interrupted', value: { known: known as unknown as JsonObject } })
    }
  }

  /** Early answers are not lost: what is waited for is looked at before and after the run begins to wait. */
  async #lookAtQuestions() {
    this.#isLookDue = false
    for (const stored of this.#steps.all()) {
      const { key, state, questionId } = stored
      if (state !== 'waiting' || questionId === undefined) continue
      const { state: answer } = await this.#options.approvals.look(questionId, Date.now())
      if (answer === 'answered') this.#advance.again.add(key)
      if (answer === 'expired') this.#steps.fail(key, toPipelineError('approval_timeout', `No one answered whether '${this.#steps.toolOf(key)}' may run.`)) // biome-ignore format: one line
    }
  }

  #launch({ unit, input, callId, ...answered }: Launch) {
    const { key, step, isUndo } = unit
    const tool = this.#steps.toolOf(key)
    const { signal } = this.#controller
    const timeout = step.timeoutMs === undefined || isUndo ? undefined : AbortSignal.timeout(step.timeoutMs)
    const { mayBegin, onProgress, call } = this.#options
    const asks = step.approval === 'ask' && !isUndo
    const granted = this.#run.request.grants?.[key]
    const part = { run: this.#run.id, step: key, callId, mayBegin, ...(asks && { asks }), ...(granted && { granted }) }
    this.#inFlight.add(key)
    onProgress({ ...this.#progress, message: `${key} (${tool})` })
    call({ tool, input, part, ...answered, signal: timeout ? AbortSignal.any([signal, timeout]) : signal }).then(
      (result) => {
        this.#inFlight.delete(key)
        this.#ended++
        if (!signal.aborted) this.#take(unit, result, timeout?.aborted === true)
        this.#wake()
      },
    )
  }

  #take({ key, step }: Unit, result: CallResult, isLate: boolean) {
    if (result.success) return this.#steps.end(key, 'done', { output: result.output })
    const { error } = result
    if (error.code === 'approval_required' && error.approvalId !== undefined) {
      const { callId: _, ...stored } = this.#steps.get(key)!
      this.#steps.put({ ...stored, state: 'waiting', questionId: error.approvalId })
      // The answer may be there already.
      this.#isLookDue = true
      return
    }
    // The lease has expired: the process that claims the run continues it.
    if (error.code === 'cancelled' && !isLate && !result.ran) return this.abort()
    const late = `'${this.#steps.toolOf(key)}' did not finish within ${step.timeoutMs! / 1000} s, the timeout of the step.`
    this.#steps.fail(key, isLate && error.code === 'cancelled' ? toPipelineError('timeout', late) : error)
  }

  /** Stores what the run came to: nothing is in flight and nothing can begin. */
  async #finish(): Promise<DriveEnd> {
    const all = this.#steps.all()
    if (this.#options.isPausing() && !this.#onlyWaits(all)) return (await this.#save({ durable: true })) ? 'paused' : 'lost' // biome-ignore format: one line
    if (all.some(({ state }) => state === 'interrupted')) return this.#close('needs_person')
    if (this.#steps.failure) {
      for (const { state, questionId } of all)
        if (state === 'waiting' && questionId !== undefined)
          await this.#options.approvals.discard(questionId, Date.now()).catch(() => {})
      return this.#close('failed', toErrorValue(this.#steps.failure))
    }
    if (all.some(({ state }) => state === 'waiting')) return this.#close('waiting')
    const result = await this.#toResult()
    return 'error' in result ? this.#close('failed', result) : this.#close('completed', result)
  }

  /** Whether nothing could begin, were this process not about to end: the step whose turn it is waits. */
  #onlyWaits(all: readonly StoredStep[]): boolean {
    const isWaiting = all.some(({ key, state }) => state === 'waiting' && !key.includes('/'))
    return isWaiting && this.#steps.workflow.parallel === 1 && this.#advance.again.size === 0
  }

  async #toResult(): Promise<JsonObject> {
    const { result, output } = this.#steps.workflow
    const made = await evaluate(result, this.#steps.toScope())
    if (!made.ok) return toErrorValue(toRunError('mapping_failed', `The result could not be made (${made.pointer}): ${made.message}`)) // biome-ignore format: one line
    const problems = (await compileSchema(output)).validate(made.value)
    if (problems.length > 0)
      return toErrorValue(toRunError('mapping_failed', `The result does not match the output of the workflow. ${problems[0]!.message}`)) // biome-ignore format: one line
    return { output: made.value }
  }

  async #close(state: NonNullable<RunChange['end']>['state'], result?: JsonObject): Promise<DriveEnd> {
    const now = Date.now()
    const isOpen = state === 'waiting' || state === 'needs_person'
    const end = { state, now, expiresAt: isOpen ? 0 : now + this.#options.keepMs, ...(result && { result }) }
    // A run that only read can be repeated.
    if (!(await this.#save({ durable: isOpen || this.#hasWritten, end }))) return 'lost'
    return isOpen ? state : 'ended'
  }

  async #save(change: Pick<RunChange, 'durable' | 'end'>): Promise<boolean> {
    const { owner, epoch, id } = this.#run
    const steps = this.#steps.takeUnsaved()
    if (steps.length === 0 && !change.end) return true
    return this.#options.runs.change(id, { owner, epoch, steps, done: this.#steps.done, ...change }, Date.now())
  }

  /** That a call begins must survive a power failure if its intent does: the ledger would know a call that the run does not. */
  async #mustLast(launches: readonly Launch[]): Promise<boolean> {
    for (const { unit } of launches)
      if ((await this.#options.findContract(this.#steps.toolOf(unit.key)))?.risk !== 'read_only') {
        this.#hasWritten = true
        return true
      }
    return false
  }

  #lose(): DriveEnd {
    this.#controller.abort()
    return 'lost'
  }

  /** Until a call ends, or what the run waits for may have come. */
  async #until(changed: Promise<void>) {
    const times = this.#steps.all().flatMap(({ state, wakesAt }) => (state === 'waiting' && wakesAt) || [])
    const timer = times.length > 0 && setTimeout(() => this.#wake(), Math.max(Math.min(...times) - Date.now(), 0) + 1)
    await changed
    if (timer) clearTimeout(timer)
  }

  get #progress() {
    return { progress: this.#steps.done, total: this.#steps.workflow.steps.length }
  }
}
