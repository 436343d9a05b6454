import type { Caller } from '../contract/tool.ts'
import type { ApprovalRequest, Approver } from '../runtime/approval/approver.ts'
import type { KeepOptions } from '../runtime/approval/queue.ts'
import { createDeferringApprover } from '../runtime/approval/queue-approvers.ts'
import type { Approvals } from '../runtime/storage/storage.ts'

/** Where approval is requested: in the client's own dialog, in the queue, in both, or in the console, which clients open. */
export type AskIn = 'client' | 'queue' | 'both' | 'console'

/** How approval is requested, as the operator configured it. Shared by all surfaces. */
export interface Asking {
  /** Answers every question instead of a person (`--yes`). */
  readonly always?: Approver
  /** Ignored for clients that cannot show a dialog: their calls go to the queue. Default: in the client. */
  readonly askIn?: (caller: Caller) => AskIn
  /** Address of the console, for clients that open it; undefined if no server runs. */
  readonly findConsole?: () => Promise<string | undefined>
  /** How long a call waits in the queue if its client accepts no progress, and may time out unnoticed. */
  readonly waitMs: number
  /** The same for a client that accepts progress. Default: `waitMs`. */
  readonly maxWaitMs?: number
  /** How long a question can be answered after its call has ended, and how long its answer can be used. Default: 10 minutes. */
  readonly keepMs?: number
  /** Interval of progress notifications while waiting. Default: 10 s. */
  readonly progressMs?: number
  /** Notifies the operator of a pending question. */
  readonly onWaiting: (request: ApprovalRequest, id: string) => void
}

/** How questions are kept in the queue. */
export function toKeepOptions(approvals: Approvals, asking: Pick<Asking, 'keepMs' | 'onWaiting'>): KeepOptions {
  return { approvals, keepMs: asking.keepMs ?? defaultKeepMs, onWaiting: asking.onWaiting }
}

/** Asks about a step of a run, which waits by itself: for days, if need be. */
export function createRunApprover(approvals: Approvals, asking: Pick<Asking, 'keepMs' | 'onWaiting'>): Approver {
  const { keepMs, ...keep } = toKeepOptions(approvals, asking)
  return createDeferringApprover({ ...keep, keepMs: Math.max(keepMs, runKeepMs) })
}

/** Days, not minutes: nothing is held while a run waits. */
const runKeepMs = 604_800_000

/** Three of eight common clients time out after 60 s. */
export const defaultWaitMs = 45_000
export const defaultKeepMs = 600_000
