import type { JsonObject, JsonValue } from '../../contract/json.ts'
import type { ErrorData } from '../../contract/tool-error.ts'
import type { StepState, StoredStep } from '../../runtime/storage/runs.ts'
import { type CallStep, isCall, type Step, type Workflow } from '../document/workflow.ts'
import type { Scope } from '../expression/evaluate.ts'
import { toRunError } from './run-errors.ts'

/** One call of a step: the step itself, one item of its `forEach`, or its compensation. */
export interface Unit {
  readonly key: string
  readonly step: CallStep
  /** Of an item. */
  readonly index?: number
  /** The compensation of the step. */
  readonly isUndo?: boolean
}

/** The steps of a run as they are stored, and what follows from them. */
export class RunSteps {
  readonly workflow: Workflow
  readonly #scope: Pick<Scope, 'input' | 'run'>
  readonly #stored: Map<string, StoredStep>
  readonly #unsaved = new Set<string>()
  #failure: ErrorData | undefined

  constructor(workflow: Workflow, stored: readonly StoredStep[], scope: Pick<Scope, 'input' | 'run'>) {
    this.workflow = workflow
    this.#scope = scope
    this.#stored = new Map(stored.map((step) => [step.key, step]))
    this.#failure = this.#findFailure()
  }

  get(key: string): StoredStep | undefined {
    return this.#stored.get(key)
  }

  put(step: StoredStep) {
    this.#stored.set(step.key, step)
    this.#unsaved.add(step.key)
    this.#failure ??= this.#findFailure()
  }

  end(key: string, state: StepState, value?: JsonObject) {
    const now = Date.now()
    const { startedAt = now, callId } = this.#stored.get(key) ?? {}
    this.put({ key, state, startedAt, endedAt: now, ...(callId !== undefined && { callId }), ...(value && { value }) })
  }

  fail(key: string, error: ErrorData) {
    this.end(key, 'failed', toErrorValue(error))
  }

  /** What has changed since the last time. */
  takeUnsaved(): StoredStep[] {
    const steps = [...this.#unsaved].map((key) => this.#stored.get(key)!)
    this.#unsaved.clear()
    return steps
  }

  /** The first failure that stops the run. */
  get failure(): ErrorData | undefined {
    return this.#failure
  }

  /** The tool that the call with this key calls. */
  toolOf(key: string): string {
    const [id] = key.split('/')
    const step = this.#find(id!) as CallStep
    return key.endsWith('/undo') && typeof step.onError === 'object' ? step.onError.tool : step.tool
  }

  all(): StoredStep[] {
    return [...this.#stored.values()]
  }

  /** Whether a step of the workflow needs nothing more. */
  hasEnded(id: string): boolean {
    const stored = this.#stored.get(id)
    if (!stored || !isOver(stored)) return false
    const step = this.#find(id)
    if (stored.state !== 'failed' || !step || !isCall(step) || typeof step.onError !== 'object') return true
    const undo = this.#stored.get(`${id}/undo`)
    return undo !== undefined && isOver(undo)
  }

  /** Whether a call needs nothing more. */
  isOver(key: string): boolean {
    const stored = this.#stored.get(key)
    return stored !== undefined && isOver(stored)
  }

  /** Whether the failure of a step stops the run. A failed compensation always does. */
  stops(step: Step): boolean {
    if (!isCall(step)) return true
    const { onError } = step
    if (typeof onError === 'string') return onError === 'stop'
    return onError.then === 'stop' || this.#stored.get(`${step.id}/undo`)?.state === 'failed'
  }

  get done(): number {
    return this.workflow.steps.filter(({ id }) => this.hasEnded(id)).length
  }

  /** What expressions see. A compensation sees the error of its own step. */
  toScope(at: { readonly index?: number; readonly item?: JsonValue } = {}): Scope {
    const steps: { [id: string]: Scope['steps'][string] } = {}
    for (const { id } of this.workflow.steps) {
      const stored = this.#stored.get(id)
      if (stored && isOver(stored)) steps[id] = toOutcome(stored)
    }
    const { index, item } = at
    return { ...this.#scope, steps, ...(index !== undefined && { index, item: item ?? null }) }
  }

  #findFailure(): ErrorData | undefined {
    for (const step of this.workflow.steps) {
      const stored = this.#stored.get(step.id)
      if (stored?.state !== 'failed' || !this.hasEnded(step.id)) continue
      if (!this.stops(step)) continue
      const { code, message } = errorOf(stored)!
      const tool = isCall(step) ? ` (${step.tool})` : ''
      return toRunError('step_failed', `Step '${step.id}'${tool} failed: ${message} (${code})`)
    }
    return undefined
  }

  #find(id: string): Step | undefined {
    return this.workflow.steps.find((step) => step.id === id)
  }
}

function isOver({ state }: StoredStep): boolean {
  return state === 'done' || state === 'failed' || state === 'skipped'
}

function toOutcome(stored: StoredStep): Scope['steps'][string] {
  if (stored.state === 'skipped') return { skipped: true }
  const error = errorOf(stored)
  if (error) return { skipped: false, error: { code: error.code, message: error.message } }
  const output = stored.value?.output
  return { skipped: false, ...(output !== undefined && { output }) }
}

/** The error of a failed step. */
export function errorOf(stored: StoredStep | undefined): ErrorData | undefined {
  return stored?.value?.error as unknown as ErrorData | undefined
}

export function toErrorValue(error: ErrorData): JsonObject {
  return { error: error as unknown as JsonObject }
}
