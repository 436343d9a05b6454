import type { Replies } from '../storage/replies.ts'
import { type Belonging, type Query, toRefusal } from './queries.ts'
import type { Trace } from './trace.ts'

/** As long as a process remembers a query. */
const keepMs = 3_600_000

/**
 * Takes the single step of a query in the storage as well, for processes that serve the same callers: what one of them has
 * taken, no other gives. Queries without a name or a session are of this process alone.
 */
export async function takeShared(
  replies: Replies,
  belonging: Belonging,
  trace: Pick<Trace, 'caller' | 'toolId' | 'inputDigest' | 'query'>,
): Promise<void> {
  const { caller, toolId, inputDigest } = trace
  const { kind, query } = belonging
  if (kind === 'missing') throw toRefusal(belonging)
  if (kind === 'named' && !query.isNamed) return
  const id = JSON.stringify(['query', kind, caller.name, kind === 'named' ? query.id : (caller.session ?? '')])
  // Each time that the call is put off, the next turn is free, for the same call alone.
  for (let turn = 0; ; turn++) {
    const key = `${id} ${turn}`
    const now = Date.now()
    const { state } = await replies.claim(key, `${toolId} ${inputDigest}`, { now, expiresAt: now + keepMs })
    if (state === 'claimed') {
      trace.query = withPutOff(query, () => replies.keep(key, {}))
      return
    }
    if (state !== 'kept') throw toRefusal(belonging)
  }
}

function withPutOff(query: Query, putOff: () => Promise<void>): Query {
  return {
    id: query.id,
    take: (call) => query.take(call),
    async putOff() {
      await query.putOff?.()
      await putOff()
    },
  }
}
