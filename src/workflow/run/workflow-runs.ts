import type { Risk } from '../../contract/contract.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import type { Caller, Progress } from '../../contract/tool.ts'
import type { ErrorData, Problem } from '../../contract/tool-error.ts'
import type { Approver } from '../../runtime/approval/approver.ts'
import type { Foreseen } from '../../runtime/approval/foresee.ts'
import type { RunState, StepState } from '../../runtime/storage/runs.ts'

/** The runs of workflows, as `toolpact.runs`. A run is started by a call of the workflow's tool. */
export interface WorkflowRuns {
  /** Newest first, without outputs. */
  list(query?: RunListQuery): Promise<Run[]>
  find(id: string): Promise<RunDetails | undefined>
  /** Ends a run that has not ended. Steps that finished stay done; the step in flight is aborted. */
  cancel(id: string, by: string): Promise<Run>
  /** A person says what became of a step during which its process ended. */
  resume(id: string, decision: ResumeDecision, by: string): Promise<Run>
  /** Runs a failed run again, from its failed step. Steps that finished do not run again. */
  retry(id: string, by: string): Promise<Run>
  /** What the run of a workflow would call and ask, as far as it is known. Nothing runs, asks, counts or is recorded. */
  plan(workflow: string, input: unknown, caller?: Caller): Promise<Plan>
  /** Calls `onChange` soon after any process changed a run. Returns what stops it. */
  watch(onChange: () => unknown): () => void
  /**
   * Resolves once the run has ended or needs a person, or the signal is aborted. Meanwhile this process continues the run when
   * nothing holds it up any more.
   */
  wait(id: string, options?: RunWaitOptions): Promise<RunDetails>
  /** Continues runs of the workspace that wait or whose process ended, until this is closed. Otherwise only own runs continue. */
  begin(options?: { readonly approver?: Approver }): void
  /** Begins no more steps. Steps in flight end, and another process continues the runs. Calls that are aborted then do not cancel their runs. */
  pause(): void
}

/** Options of `wait`. */
export interface RunWaitOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (update: Progress) => void
}

/** Selects runs. All conditions must match. */
export interface RunListQuery {
  readonly state?: RunState
  /** Full id of the workflow's tool. */
  readonly workflow?: string
  /** Name of the caller. */
  readonly caller?: string
  /** The last run of the previous page. */
  readonly after?: Pick<Run, 'id' | 'createdAt'>
  /** Default: 50. */
  readonly limit?: number
}

/** `done`: it took effect, with this output. `again`: it did not, so it runs again. `failed`: it failed, as `onError` says. */
export interface ResumeDecision {
  /** Key of the step, as in `RunDetails`. */
  readonly step: string
  readonly as: 'done' | 'again' | 'failed'
  /** With `done`: what the step returned. It must match the output schema of its tool. */
  readonly output?: JsonObject
}

/** A run of a workflow. */
export interface Run {
  /** The id of the call that started it. */
  readonly id: string
  /** Full id of the workflow's tool. */
  readonly workflow: string
  readonly contractDigest: string
  /** Name of the caller. */
  readonly caller: string
  readonly workspace: string
  readonly state: RunState
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly updatedAt: number
  /** Steps that ended, and all. */
  readonly progress: { readonly done: number; readonly total: number }
}

/** A run with its steps and what it returned. */
export interface RunDetails extends Run {
  readonly input: JsonValue
  /** What it waits for, if it does. */
  readonly waitsFor: readonly RunWait[]
  /** Every step of the workflow in the order of the document; a step with `forEach` has its items. */
  readonly steps: readonly RunStep[]
  readonly output?: JsonObject
  readonly error?: ErrorData
}

/** What a step of a run waits for. */
export interface RunWait {
  /** Key of the step. */
  readonly step: string
  /** The question in the queue. */
  readonly questionId?: string
  /** Milliseconds since 1970: when it goes on, or when the question expires. */
  readonly until?: number
}

/** A step of a run. `pending`: it has not begun. */
export interface RunStep {
  /** `STEP`, `STEP/ITEM`, or `STEP/undo` for a compensation. */
  readonly key: string
  /** Full id of its tool; absent if it waits for a time. */
  readonly tool?: string
  readonly state: StepState | 'pending'
  /** The steps that must have ended before it. Items have none. */
  readonly after: readonly string[]
  readonly startedAt?: number
  readonly endedAt?: number
  /** Its call, by which the ledger has the story. */
  readonly callId?: string
  readonly questionId?: string
  readonly wakesAt?: number
  readonly output?: JsonValue
  readonly error?: ErrorData
  /** Of an interrupted step. */
  readonly known?: KnownOfStep
  /** Of a step with `forEach`. */
  readonly items?: readonly RunStep[]
}

/** What is known of a step during which its process ended. */
export interface KnownOfStep {
  /** Whether the ledger has the intent of the call. Without it, the tool did not run. */
  readonly intended: boolean
  /** How the call ended, if the ledger knows. */
  readonly outcome?: { readonly success: boolean; readonly errorCode: string | null; readonly at: string }
  /** For people: what happened, and what to do. */
  readonly message: string
}

/** What the run of a workflow would do. */
export interface Plan {
  readonly workflow: string
  readonly contractDigest: string
  /** Of the workflow's own input. Empty if it is valid. */
  readonly problems: readonly Problem[]
  readonly steps: readonly PlannedStep[]
}

/** A step of a plan. */
export interface PlannedStep {
  readonly id: string
  /** Absent: it waits for a time. */
  readonly tool?: string
  readonly contractDigest?: string
  readonly risk?: Risk
  /** `skipped`: its `when` is false. `unknown`: that depends on an earlier step. */
  readonly runs: 'yes' | 'skipped' | 'unknown'
  /** The input, if every value is known before the run; otherwise what it is made of. */
  readonly input?: JsonValue
  readonly isInputKnown: boolean
  readonly inputDigest?: string
  /** Number of items of a `forEach`, if known. */
  readonly items?: number
  /** What would happen to the call: `unknown` if that depends on its input. */
  readonly action: 'allow' | 'ask' | 'deny' | 'unknown'
  readonly reason?: string
  readonly foreseen?: Foreseen
  /** Why it would fail. */
  readonly problem?: string
}
