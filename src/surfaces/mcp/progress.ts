import { setTimeout as sleep } from 'node:timers/promises'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import type { Progress } from '../../contract/tool.ts'
import { isRequestId } from '../../protocol/message.ts'
import { toNotification } from '../../protocol/reply.ts'
import type { Exchange } from './connection.ts'

/** Sends progress to a client that requested it. */
export interface Reporter {
  /** Progress of the tool. */
  report(update: Progress): void
  /** What the call waits for before the tool runs. */
  wait(message: string): void
  /** Waits until the client can have read the last progress. */
  settle(): Promise<void>
}

/** Some clients lose progress that arrives in one chunk with the result. */
const progressGapMs = 20

/** Undefined if the client did not request progress. Numbers must increase; updates are dropped while the client is congested. */
export function toReporter({ _meta }: JsonObject, exchange: Exchange): Reporter | undefined {
  const progressToken: JsonValue | undefined = isObject(_meta) ? _meta.progressToken : undefined
  if (!isRequestId(progressToken) || !exchange.canSend) return undefined
  let last = -Infinity
  let sentAt = -Infinity
  /** Offset for the tool's numbers, which follow those sent while waiting. */
  let base = 0

  function send(update: Progress): boolean {
    if (update.progress <= last || exchange.isCongested || exchange.controller.signal.aborted) return false
    last = update.progress
    sentAt = performance.now()
    exchange.send(toNotification('notifications/progress', { progressToken: progressToken!, ...update }))
    return true
  }

  return {
    report({ progress, total, ...more }) {
      send({ progress: base + progress, ...(total !== undefined && { total: base + total }), ...more })
    },
    wait(message) {
      // The tool's numbers may start at 0, so the offset is one above the last number sent.
      if (send({ progress: base === 0 ? 1 : base, message })) base = last + 1
    },
    async settle() {
      const left = sentAt + progressGapMs - performance.now()
      if (left > 0) await sleep(left)
    },
  }
}

const everyMs = 10_000

/** Sends `toMessage()`, unless it is undefined, now and every ten seconds until the returned function is called. */
export function repeatProgress(
  reporter: Reporter | undefined,
  toMessage: () => string | undefined,
  ms = everyMs,
): () => void {
  if (!reporter) return () => {}
  const tick = () => {
    const message = toMessage()
    if (message !== undefined) reporter.wait(message)
  }
  tick()
  const timer = setInterval(tick, ms)
  return () => clearInterval(timer)
}
