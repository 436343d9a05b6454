import { setTimeout as sleep } from 'node:timers/promises'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import type { Progress } from '../../contract/tool.ts'
import { isRequestId } from '../../protocol/message.ts'
import { toNotification } from '../../protocol/reply.ts'
import type { Exchange } from './connection.ts'

/** Sends progress to a client that asked for it. */
export interface Reporter {
  /** What the tool reports. */
  report(update: Progress): void
  /** What the call waits for before its tool runs. */
  wait(message: string): void
  /** Leaves the client time to read the last progress before the result. */
  settle(): Promise<void>
}

/** A client that reads progress and result in one chunk loses the progress, so leave time between them. */
const progressGapMs = 20

/** Undefined if the client did not ask for progress. Its numbers must grow, and updates are dropped if it is congested. */
export function toReporter({ _meta }: JsonObject, exchange: Exchange): Reporter | undefined {
  const progressToken: JsonValue | undefined = isObject(_meta) ? _meta.progressToken : undefined
  if (!isRequestId(progressToken) || !exchange.canSend) return undefined
  let last = -Infinity
  let sentAt = -Infinity
  /** What waiting counted up to: the tool's own numbers follow after it. */
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
      // The tool's own numbers may begin with 0, so they begin one above the last of these.
      if (send({ progress: base === 0 ? 1 : base, message })) base = last + 1
    },
    async settle() {
      const left = sentAt + progressGapMs - performance.now()
      if (left > 0) await sleep(left)
    },
  }
}

const everyMs = 10_000

/** Sends `toMessage()` now, unless it has nothing to say yet, and every ten seconds until the returned function is called. */
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
