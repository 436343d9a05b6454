import type { Caller } from '../contract/tool.ts'
import type { ApprovalRequest, Approver } from '../runtime/approval/approver.ts'
import type { KeepOptions } from '../runtime/approval/queue.ts'
import type { Approvals } from '../runtime/storage/storage.ts'

/** Where a call that needs approval is asked about: in the client's own dialog, in the queue, or in both at once. */
export type AskIn = 'client' | 'queue' | 'both'

/** How calls that need approval are asked about, as the operator chose. Given to every surface. */
export interface Asking {
  /** Answers every question in place of a person (`--yes`): pass it as the call's approver. */
  readonly always?: Approver
  /** Clients that cannot show a dialog are asked about in the queue, whatever this says. Default: in the client. */
  readonly askIn?: (caller: Caller) => AskIn
  /** How long a call waits in the queue for a client that accepts no progress and may have given up unnoticed. */
  readonly waitMs: number
  /** The same for a client that accepts progress. Default: `waitMs`. */
  readonly maxWaitMs?: number
  /** How long a question can be answered after its call has ended, and its answer be used. Default: 10 minutes. */
  readonly keepMs?: number
  /** How often a waiting client is sent progress. Default: 10 s. */
  readonly progressMs?: number
  /** Tells the operator that a question waits, under the id with which it is answered. */
  readonly onWaiting: (request: ApprovalRequest, id: string) => void
}

/** How questions are kept in the queue. */
export function toKeepOptions(approvals: Approvals, asking: Pick<Asking, 'keepMs' | 'onWaiting'>): KeepOptions {
  return { approvals, keepMs: asking.keepMs ?? defaultKeepMs, onWaiting: asking.onWaiting }
}

/** Three of eight common clients give up on a call after 60 s. */
export const defaultWaitMs = 45_000
export const defaultKeepMs = 600_000
