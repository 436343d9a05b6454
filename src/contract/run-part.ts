import type { CallResult } from './call-result.ts'
import type { JsonObject } from './json.ts'

/** How a caller follows a run that may outlive its call, as that of a workflow may. */
export interface RunFollow {
  /** Called with the id of the run once it is stored. */
  readonly onStart?: (runId: string) => void
  /** Aborted when the caller stops waiting: the call ends with `run_pending`, and the run continues. Default: wait for the end. */
  readonly detach?: AbortSignal
}

/** The step of a run that a call belongs to. */
export interface RunPart {
  readonly run: string
  readonly step: string
  /** Chosen in advance, so that the run can find the call in the ledger. */
  readonly callId: string
  /** A person is asked even if the policy allows the call. */
  readonly asks?: boolean
  /** A person approved exactly this call in advance, as part of a plan. Any other call of the step asks. */
  readonly granted?: PlanGrant
  /** Whether the run may still make the call, asked right before its intent is recorded. */
  readonly mayBegin?: () => boolean
}

/** A call that a person approved as part of a plan. */
export interface PlanGrant {
  readonly tool: string
  readonly contractDigest: string
  readonly inputDigest: string
  /** Who approved the plan. */
  readonly by: string
}

/** A call that a run makes. */
export interface PartCall {
  /** Full id of the tool. */
  readonly tool: string
  readonly input: JsonObject
  readonly part: RunPart
  /** An approval that was granted before, for exactly this step. */
  readonly approvalId?: string
  readonly signal: AbortSignal
}

/** What the run of a workflow gets. */
export interface RunContext extends RunFollow {
  /** Who approved the call of the workflow; absent: no one was asked. */
  readonly approvedBy?: string
  /** Makes a call for the same caller: checked, approved and recorded as a call of its own. Never rejects. */
  readonly call: (call: PartCall) => Promise<CallResult>
}

/** Thrown by the run of a workflow that continues after its call. */
export class RunPending extends Error {
  override readonly name = 'RunPending'
  readonly suggestion: string

  constructor(message: string, suggestion: string) {
    super(message)
    this.suggestion = suggestion
  }
}
