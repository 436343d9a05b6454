import { createHmac } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { connect, dialDirectly } from '../../capabilities/web/connect.ts'
import { readVersion } from '../../contract/package-version.ts'
import { decideUrl } from '../../policy/network.ts'
import type { Deliver, Notice } from './open-notifier.ts'

interface Webhook {
  readonly url: string
  /** Name of the environment variable with the secret. */
  readonly secretEnv?: string | undefined
  /** Hosts that may be reached although their addresses are private. */
  readonly allowHosts: readonly string[] | undefined
  readonly signal: AbortSignal
}

const timeoutMs = 10_000

/** Posts a notice once. Redirects are not followed: the secret vouches for the configured address only. */
export async function postNotice(notice: Notice, { url, secretEnv, allowHosts, signal }: Webhook): ReturnType<Deliver> {
  const decision = decideUrl(url, allowHosts)
  if (!decision.allow) return { fault: `${decision.reason}; add the host to policy.allowHosts if that is meant`, isFinal: true } // biome-ignore format: one line
  const secret = secretEnv === undefined ? undefined : process.env[secretEnv]
  if (secretEnv !== undefined && !secret) return { fault: `the environment variable ${secretEnv} is not set`, isFinal: true } // biome-ignore format: one line
  const body = JSON.stringify({ event: 'question', ...notice })
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  let socket: Socket | undefined
  try {
    const connector = { lookup: resolve, dial: dialDirectly, certificateAuthorities: undefined }
    const deadline = performance.now() + timeoutMs
    socket = await connect(connector, { url: decision.url, trusted: decision.trusted, signal: timeout, deadline })
    const status = await send(socket, decision.url, { body, headers: toHeaders(body, secret), signal: timeout })
    if (status >= 200 && status < 300) return undefined
    return { fault: `it answered with status ${status}`, isFinal: status < 500 && status !== 408 && status !== 429 }
  } catch (cause) {
    const fault = timeout.aborted ? `no answer within ${timeoutMs / 1000} s` : (cause as Error).message
    return { fault, isFinal: false }
  } finally {
    socket?.destroy()
  }
}

/** `v1` is the HMAC-SHA256 of the time, a dot and the body: a receiver refuses old times, so that nothing is replayed. */
function toHeaders(body: string, secret: string | undefined) {
  const time = Math.floor(Date.now() / 1000)
  const v1 = secret && createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  return {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'User-Agent': `toolpact/${readVersion()}`,
    ...(v1 && { 'Toolpact-Signature': `t=${time},v1=${v1}` }),
  }
}

interface Sent {
  readonly body: string
  readonly headers: ReturnType<typeof toHeaders>
  readonly signal: AbortSignal
}

function send(socket: Socket, url: URL, { body, headers, signal }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    const { host, pathname, search } = url
    const options = {
      method: 'POST',
      path: `${pathname}${search}`,
      headers: { Host: host, ...headers, Connection: 'close' },
      signal,
    }
    // Without an agent there is neither a pool nor a proxy.
    const sent = request({ ...options, setHost: false, createConnection: () => socket }, (response) => {
      resolve(response.statusCode ?? 0)
      response.destroy()
    })
    sent.on('error', reject).end(body)
  })
}

async function resolve(hostname: string): Promise<string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address)
}
