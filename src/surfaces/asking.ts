import type { ApprovalRequest, Approver } from '../pipeline/approver.ts'

/** How calls that need approval are asked about, as whoever serves the tools chose. Given to every surface. */
export interface Asking {
  /** Answers every question in place of a person (`--yes`): pass it as the call's approver and ask nobody. */
  readonly always?: Approver
  /** How long a call waits in the queue where its surface lets it wait; 0: it is refused at once. */
  readonly waitMs: number
  /** Tells the operator that a question waits, under the id with which it is answered. */
  readonly onWaiting: (request: ApprovalRequest, id: string) => void
}
