import { setTimeout as sleep } from 'node:timers/promises'
import { UpstreamFailure } from './client.ts'
import type { Conversation } from './conversation.ts'

const firstPauseMs = 1000
const maxPauseMs = 30_000

/**
 * Subscribes to changes of the list of tools (2026-07-28), again whenever the subscription ends. A server that refuses
 * it is not asked twice. Never rejects.
 */
export async function keepListening(conversation: Conversation, signal: AbortSignal): Promise<void> {
  let pauseMs = firstPauseMs
  for (let round = 0; !signal.aborted && !conversation.isOver; round++) {
    const begin = performance.now()
    const listening = conversation.request('subscriptions/listen', '"notifications":{"toolsListChanged":true}', {
      signal,
      isStanding: true,
    })
    if (round > 0) conversation.onGap()
    try {
      await listening
    } catch (failure) {
      if (failure instanceof UpstreamFailure && failure.kind === 'refused') return
    }
    // One that lasted was a good one: the pauses begin anew.
    if (performance.now() - begin > maxPauseMs) pauseMs = firstPauseMs
    await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {})
    pauseMs = Math.min(pauseMs * 2, maxPauseMs)
  }
}
