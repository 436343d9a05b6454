import type { JsonObject, JsonValue } from '../../../contract/json.ts'

/** `waiting`: for an answer, or a time. `needs_person`: a step was interrupted, and a person must say what became of it. */
export type RunState = 'running' | 'waiting' | 'needs_person' | 'completed' | 'failed' | 'cancelled'

/** A run of a workflow. */
export interface RunRow {
  readonly id: string
  /** Full id of the workflow's tool. */
  readonly workflow: string
  readonly caller: string
  readonly state: RunState
  readonly createdAt: string
  readonly updatedAt: string
  /** Steps that ended, and all. */
  readonly done: number
  readonly total: number
}

export interface RunQuery {
  readonly state?: RunState
  readonly workflow?: string
  readonly caller?: string
  /** `next` of the previous page. */
  readonly after?: string
  /** Default: 50, at most 200. */
  readonly limit?: number
}

/** Newest first. `next`: null if there are no more. */
export interface RunPage {
  readonly runs: readonly RunRow[]
  readonly next: string | null
}

/** A run with its steps. Outputs are loaded one by one: `runs/{id}/output`. */
export interface RunDetail extends RunRow {
  readonly contractDigest: string
  readonly workspace: string
  readonly input: JsonValue
  readonly steps: readonly RunStepView[]
  /** What it returned, in bytes of JSON. */
  readonly outputBytes?: number
  readonly error?: StepError
}

export interface StepError {
  readonly code: string
  readonly message: string
  readonly suggestion?: string
}

export type StepState = 'pending' | 'running' | 'waiting' | 'interrupted' | 'done' | 'failed' | 'skipped'

export interface RunStepView {
  /** `STEP`, `STEP/ITEM`, or `STEP/undo` for a compensation. */
  readonly key: string
  /** Steps that end before it begins. */
  readonly after: readonly string[]
  /** Full id of its tool; absent if it waits for a time. */
  readonly tool?: string
  readonly state: StepState
  readonly startedAt?: string
  readonly endedAt?: string
  /** Its call, if the ledger may have it. */
  readonly callId?: string
  /** The question that it waits for. */
  readonly questionId?: string
  /** Until when it waits; of a question, when that expires. */
  readonly wakesAt?: string
  readonly outputBytes?: number
  readonly error?: StepError
  /** Of an interrupted step. */
  readonly known?: {
    /** Whether the ledger has the intent of its call. Without it, the tool did not run. */
    readonly intended: boolean
    readonly message: string
  }
  /** Of a step that is called once per item. */
  readonly items?: readonly RunStepView[]
}

/** The step of a run that made or asks about a call. */
export interface StepOfRun {
  readonly id: string
  readonly step: string
}

export interface RunOutput {
  readonly output: JsonValue
}

/** `done`: it took effect, with this output. `again`: it did not, so it runs again. `failed`: it failed. */
export interface ResumeRequest {
  readonly step: string
  readonly as: 'done' | 'again' | 'failed'
  readonly output?: JsonObject
}
