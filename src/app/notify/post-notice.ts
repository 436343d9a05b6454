import { createHmac } from 'node:crypto'
import type { Deliver, Notice } from './open-notifier.ts'
import { sendRequest } from './send-request.ts'

interface Webhook {
  readonly url: string
  /** Name of the environment variable with the secret. */
  readonly secretEnv?: string | undefined
  /** Hosts that may be reached although their addresses are private. */
  readonly allowHosts: readonly string[] | undefined
  readonly signal: AbortSignal
}

/** Posts a notice of a question once. */
export function postNotice(notice: Notice, webhook: Webhook): ReturnType<Deliver> {
  return postEvent({ event: 'question', ...notice }, webhook)
}

/** Posts an event as JSON, signed with the secret. Returns why it was not delivered. */
export async function postEvent(event: object, { url, secretEnv, allowHosts, signal }: Webhook): ReturnType<Deliver> {
  const secret = secretEnv === undefined ? undefined : process.env[secretEnv]
  if (secretEnv !== undefined && !secret) return { fault: `the environment variable ${secretEnv} is not set`, isFinal: true } // biome-ignore format: one line
  const body = JSON.stringify(event)
  const sent = await sendRequest({ method: 'POST', url, body, headers: toHeaders(body, secret), allowHosts, signal, maxBytes: 0 }) // biome-ignore format: one line
  if ('fault' in sent) return sent
  const { status } = sent
  if (status >= 200 && status < 300) return undefined
  return { fault: `it answered with status ${status}`, isFinal: status < 500 && status !== 408 && status !== 429 }
}

/** `v1` is the HMAC-SHA256 of the time, a dot and the body: a receiver refuses old times, so that nothing is replayed. */
function toHeaders(body: string, secret: string | undefined): { [name: string]: string } {
  const time = Math.floor(Date.now() / 1000)
  const v1 = secret && createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  return { 'Content-Type': 'application/json', ...(v1 && { 'Toolpact-Signature': `t=${time},v1=${v1}` }) }
}
