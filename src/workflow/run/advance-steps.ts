import { randomUUID } from 'node:crypto'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import type { ErrorData } from '../../contract/tool-error.ts'
import { findPredecessors } from '../document/find-predecessors.ts'
import { type CallStep, isCall, type Step, type WaitStep } from '../document/workflow.ts'
import { type Evaluated, evaluate, type Scope } from '../expression/evaluate.ts'
import { toRunError } from './run-errors.ts'
import { errorOf, type RunSteps, type Unit } from './run-steps.ts'

/** A call to make, once it is stored that it begins. */
export interface Launch {
  readonly unit: Unit
  readonly input: JsonObject
  readonly callId: string
  /** The question about an earlier attempt, which was answered. */
  readonly approvalId?: string
}

/** Decides which steps of a run begin next, and what they are called with. */
export class StepAdvance {
  /** Calls that must be made again: their question was answered, or nothing came of them. */
  readonly again = new Set<string>()
  readonly #steps: RunSteps
  readonly #predecessors: ReadonlyMap<string, readonly string[]>
  readonly #items = new Map<string, readonly JsonValue[]>()

  constructor(steps: RunSteps) {
    this.#steps = steps
    this.#predecessors = findPredecessors(steps.workflow)
  }

  /** Begins what can begin. The calls are made once that is stored. */
  async advance(): Promise<Launch[]> {
    const { steps, parallel } = this.#steps.workflow
    const launches: Launch[] = []
    let active = 0
    for (const step of steps) {
      if (this.#steps.hasEnded(step.id)) continue
      if (!this.#steps.get(step.id)) {
        if (this.#steps.failure) continue
        const isReady = this.#predecessors.get(step.id)!.every((id) => this.#steps.hasEnded(id))
        if (!isReady || active >= parallel) continue
      }
      launches.push(...(await this.#advanceStep(step)))
      if (this.#steps.hasEnded(step.id)) continue
      // One at a time means in the order of the document, also while a step waits.
      if (parallel === 1) break
      if (this.#steps.get(step.id)?.state === 'running') active++
    }
    return launches
  }

  async #advanceStep(step: Step): Promise<Launch[]> {
    const launches = await this.#advanceMain(step)
    const { id } = step
    if (this.#steps.get(id)?.state !== 'failed' || !isCall(step) || typeof step.onError !== 'object') return launches
    const key = `${id}/undo`
    if (this.#steps.get(key) && !this.again.has(key)) return launches
    return [...launches, ...(await this.#begin({ key, step, isUndo: true }, step.onError))]
  }

  async #advanceMain(step: Step): Promise<Launch[]> {
    const { id } = step
    if (this.#steps.isOver(id)) return []
    if (!this.#steps.get(id) && step.when !== undefined) {
      const when = await this.#evaluate(id, step.when, this.#steps.toScope())
      if (!when.ok) return []
      if (when.value === false) {
        this.#steps.end(id, 'skipped')
        return []
      }
    }
    if (!isCall(step)) return this.#advanceWait(step)
    return step.forEach ? this.#advanceItems(step) : this.#advanceUnit({ key: id, step })
  }

  async #advanceWait({ id, wait }: WaitStep): Promise<[]> {
    const stored = this.#steps.get(id)
    if (stored) {
      if (stored.wakesAt !== undefined && stored.wakesAt <= Date.now()) this.#steps.end(id, 'done')
      return []
    }
    let wakesAt = Date.now()
    if ('forMs' in wait) wakesAt += wait.forMs
    else {
      const until = await this.#evaluate(id, wait.until, this.#steps.toScope())
      if (!until.ok) return []
      wakesAt = Date.parse(String(until.value))
      if (Number.isNaN(wakesAt)) {
        this.#fail(id, toRunError('mapping_failed', `Step '${id}' waits until something that is not a date-time.`))
        return []
      }
    }
    if (wakesAt <= Date.now()) this.#steps.end(id, 'done')
    else this.#steps.put({ key: id, state: 'waiting', startedAt: Date.now(), wakesAt })
    return []
  }

  async #advanceItems(step: CallStep): Promise<Launch[]> {
    const { id } = step
    const { max, parallel } = step.forEach!
    if (!this.#items.has(id)) {
      const list = await this.#evaluate(id, step.forEach!.in, this.#steps.toScope())
      if (!list.ok) return []
      if (!Array.isArray(list.value) || list.value.length > max) {
        this.#fail(id, toRunError('mapping_failed', `Step '${id}' needs a list of at most ${max} items.`))
        return []
      }
      this.#items.set(id, list.value)
      if (!this.#steps.get(id)) this.#steps.put({ key: id, state: 'running', startedAt: Date.now() })
    }
    const items = this.#items.get(id)!
    const units = items.map((_, index): Unit => ({ key: `${id}/${index}`, step, index }))
    const launches: Launch[] = []
    let active = 0
    let failed: ErrorData | undefined
    for (const unit of units) {
      const isBegun = this.#steps.get(unit.key) !== undefined
      if (!isBegun && (failed || this.#steps.failure || active >= parallel)) continue
      launches.push(...(await this.#advanceUnit(unit)))
      if (!this.#steps.isOver(unit.key)) active++
      else if (step.onError !== 'continue') failed ??= errorOf(this.#steps.get(unit.key))
    }
    if (active > 0) return launches
    if (failed) this.#fail(id, failed)
    else if (units.every(({ key }) => this.#steps.isOver(key)))
      this.#steps.end(id, 'done', { output: units.flatMap(({ key }) => this.#steps.get(key)!.value?.output ?? []) })
    return launches
  }

  async #advanceUnit(unit: Unit): Promise<Launch[]> {
    const isNext = !this.#steps.get(unit.key) || this.again.has(unit.key)
    return isNext && !this.#steps.failure ? this.#begin(unit, unit.step) : []
  }

  async #begin(unit: Unit, { input }: Pick<CallStep, 'input'>): Promise<Launch[]> {
    const { key, step, index } = unit
    const item = index === undefined ? {} : { index, item: this.#items.get(step.id)![index]! }
    const made = await this.#evaluate(key, input, this.#steps.toScope(item))
    if (!made.ok) return []
    this.again.delete(key)
    const callId = randomUUID()
    const { startedAt = Date.now(), questionId } = this.#steps.get(key) ?? {}
    this.#steps.put({ key, state: 'running', startedAt, callId })
    return [
      { unit, input: made.value as JsonObject, callId, ...(questionId !== undefined && { approvalId: questionId }) },
    ]
  }

  async #evaluate(key: string, value: JsonValue, scope: Scope): Promise<Evaluated> {
    const made = await evaluate(value, scope)
    if (!made.ok) this.#fail(key, toRunError('mapping_failed', `A value of step '${key}' could not be made (${made.pointer}): ${made.message}`)) // biome-ignore format: one line
    return made
  }

  #fail(key: string, error: ErrorData) {
    this.again.delete(key)
    this.#steps.fail(key, error)
  }
}
