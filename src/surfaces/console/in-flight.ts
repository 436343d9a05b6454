import type { QueuedSummary } from '../../runtime/approval/queue.ts'
import type { RememberedQuestion } from '../../runtime/storage/storage.ts'
import { type Checks, checkNames, type LiveCall, type StreamEvents } from './api/api.ts'
import { runningMs, toCallRow } from './calls.ts'
import type { ConsoleParts } from './endpoint.ts'

/** More than a person can read. */
const maxCalls = 200

type InFlight = StreamEvents['inFlight']

/**
 * The calls in flight of all processes, from the state: those that wait for an answer, and those that the ledger has no
 * outcome of. So nothing has to be observed before the first browser connects.
 */
export async function findInFlight({ approvals, ledger }: ConsoleParts['toolpact']): Promise<InFlight> {
  const now = Date.now()
  const questions = await approvals.questions(now)
  const live = questions.flatMap((question) => (question.awaitedBy === null ? [] : toWaiting(question)))
  const { calls } = await ledger.calls({ outcome: 'interrupted', since: new Date(now - runningMs), limit: maxCalls })
  return { live: live.slice(-maxCalls), running: calls.map((call) => toCallRow(call, now)) }
}

/** What was observed is known in more detail. */
export function withFollowed({ live, running }: InFlight, followed: readonly LiveCall[]): InFlight {
  const known = new Set(followed.map(({ callId }) => callId))
  const isOther = ({ callId }: { readonly callId: string }) => !known.has(callId)
  return { live: [...live.filter(isOther), ...followed], running: running.filter(isOther) }
}

/** It has passed every check before. */
const checks: Checks = {
  ...Object.fromEntries(checkNames.slice(0, checkNames.indexOf('approve')).map((name) => [name, 'passed'])),
  approve: 'begun',
}

/** The row of a call that waits for the answer to a question. */
export function toWaiting({ awaitedBy, tool, askedAt, summary }: RememberedQuestion): LiveCall {
  const { caller, target } = summary as unknown as QueuedSummary
  return {
    callId: awaitedBy!,
    tool,
    caller: caller.name,
    startedAt: new Date(askedAt).toISOString(),
    checks,
    about: target,
  }
}
