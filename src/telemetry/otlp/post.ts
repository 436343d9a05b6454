import { setTimeout as sleep } from 'node:timers/promises'

export interface Target {
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly timeoutMs: number
  /** Ends a request in flight. */
  readonly signal: AbortSignal
}

/** `rejected`: how many items the collector refused although it took the rest. */
export type Sent = { readonly ok: true; readonly rejected: number } | { readonly ok: false; readonly why: string }

/** Tries again after these pauses, unless the collector names one. Its answer to the last try counts. */
const pausesMs = [1000, 2000, 4000, 8000]
const maxPauseMs = 30_000

/** Statuses after which OTLP lets a client try again. */
const temporary = [429, 502, 503, 504]

/** An answer is small: a collector cannot make us hold more. */
const maxAnswerBytes = 65_536

/** Posts JSON to a collector. Tries again where that can help, until `hurry` is aborted. Never rejects. */
export async function post(target: Target, body: string, hurry: AbortSignal): Promise<Sent> {
  for (let tries = 0; ; tries++) {
    const { afterMs, ...sent } = await postOnce(target, body)
    const pauseMs = pausesMs[tries]
    if (sent.ok || afterMs === undefined || pauseMs === undefined || hurry.aborted) return sent
    // Spread, so that replicas do not return at the same moment.
    const waitMs = Math.min(maxPauseMs, Math.max(afterMs, pauseMs * (0.5 + Math.random())))
    await sleep(waitMs, undefined, { signal: hurry, ref: false }).catch(() => {})
  }
}

/** `afterMs`: when to try again, at the earliest; undefined if that cannot help. */
async function postOnce(
  { url, headers, timeoutMs, signal }: Target,
  body: string,
): Promise<Sent & { afterMs?: number }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      // Another address would receive the headers.
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    const answer = await readAnswer(response)
    if (response.ok) return { ok: true, rejected: toRejected(answer) }
    const why = `it answered with the status ${response.status}`
    return { ok: false, why, ...(temporary.includes(response.status) && { afterMs: toWaitMs(response) }) }
  } catch (cause) {
    const { name, message, cause: inner } = cause as Error & { cause?: { code?: string; message?: string } }
    const why = name === 'TimeoutError' ? `it did not answer within ${timeoutMs} ms` : (inner?.code ?? inner?.message ?? message) // biome-ignore format: one line
    return { ok: false, why, afterMs: 0 }
  }
}

async function readAnswer({ body }: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    // Leaving the loop cancels the rest.
    if (text.length > maxAnswerBytes) return ''
  }
  return text
}

function toRejected(answer: string): number {
  try {
    const { rejectedSpans, rejectedDataPoints } = JSON.parse(answer).partialSuccess
    const rejected = Number(rejectedSpans ?? rejectedDataPoints)
    return Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0
  } catch {
    return 0
  }
}

function toWaitMs({ headers }: Response): number {
  const seconds = Number(headers.get('retry-after'))
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0
}
