import { lookup } from 'node:dns/promises'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { connect, dialDirectly } from '../../capabilities/web/connect.ts'
import { readVersion } from '../../contract/package-version.ts'
import { decideUrl } from '../../policy/network.ts'

export interface OutgoingRequest {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly body?: string
  readonly headers?: { readonly [name: string]: string }
  /** Hosts that may be reached although their addresses are private. */
  readonly allowHosts: readonly string[] | undefined
  readonly signal: AbortSignal
  /** Of the answer. */
  readonly maxBytes: number
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: IncomingHttpHeaders
}

/** The answer, or why there is none and whether trying again may help. */
export type Outcome = Answer | { readonly fault: string; readonly isFinal: boolean }

const timeoutMs = 10_000

/** Sends one request to an address of the config. Redirects are not followed: secrets are meant for that address only. */
export async function sendRequest(outgoing: OutgoingRequest): Promise<Outcome> {
  const { url, allowHosts, signal } = outgoing
  const decision = decideUrl(url, allowHosts)
  if (!decision.allow) return { fault: `${decision.reason}; add the host to policy.allowHosts if that is meant`, isFinal: true } // biome-ignore format: one line
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  let socket: Socket | undefined
  try {
    const connector = { lookup: resolve, dial: dialDirectly, certificateAuthorities: undefined }
    const deadline = performance.now() + timeoutMs
    socket = await connect(connector, { url: decision.url, trusted: decision.trusted, signal: timeout, deadline })
    return await send(socket, decision.url, { ...outgoing, signal: timeout })
  } catch (cause) {
    const fault = timeout.aborted ? `no answer within ${timeoutMs / 1000} s` : (cause as Error).message
    return { fault, isFinal: false }
  } finally {
    socket?.destroy()
  }
}

function send(socket: Socket, url: URL, outgoing: OutgoingRequest): Promise<Answer> {
  const { method, body, headers, signal, maxBytes } = outgoing
  return new Promise((resolve, reject) => {
    const { host, pathname, search } = url
    const own = {
      Host: host,
      'User-Agent': `toolpact/${readVersion()}`,
      ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }),
      ...headers,
      Connection: 'close',
    }
    const options = { method, path: `${pathname}${search}`, headers: own, signal }
    // Without an agent there is neither a pool nor a proxy.
    const sent = request({ ...options, setHost: false, createConnection: () => socket }, (response) => {
      // Where only the status matters, the body is not awaited.
      const read = maxBytes === 0 ? Promise.resolve('') : readBody(response, maxBytes)
      read.then((text) => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }), reject)
    })
    sent.on('error', reject).end(body)
  })
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > maxBytes) {
      // Answers beyond the limit are cut off: what counts comes first.
      parts.push(part.subarray(0, part.length - (bytes - maxBytes)))
      break
    }
    parts.push(part)
  }
  response.destroy()
  return Buffer.concat(parts).toString('utf8')
}

async function resolve(hostname: string): Promise<string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address)
}
