import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { JsonObject } from '../../src/contract/json.ts'
import { initializeParams } from '../serve/contender.ts'

/** How long a caller waits for a response. */
const patienceMs = 8000

/** `status` 0: timeout or broken connection. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever a gateway says
  readonly message?: any
}

export interface Address {
  readonly url: string
  readonly token?: string | undefined
  /** `sse`: the HTTP+SSE transport of 2024-11-05, with all responses on one stream. */
  readonly transport: 'http' | 'sse'
}

/** A caller with a separate session. Ids count from one, so two callers use the same ids. */
export interface Client {
  ask(method: string, params?: JsonObject): Promise<Answer>
  /** Sends raw text and waits for the response with this id. */
  post(id: number, body: string, headers?: Headers): Promise<Answer>
  /** Disconnects abruptly. */
  close(): void
  /** The response to `initialize`. */
  readonly greeting: string
}

type Headers = { readonly [name: string]: string }

/** The user of a caller whom servers may ask: gets the parameters of the question and returns the answer. */
export type User = (params: JsonObject) => JsonObject

export async function openClient(address: Address, headers: Headers = {}, user?: User): Promise<Client> {
  // biome-ignore lint/suspicious/noExplicitAny: whatever a gateway says
  const onRequest = ({ id, method, params }: any) => {
    const result = method === 'elicitation/create' && user ? { result: user(params) } : { error: { code: -32601, message: 'No' } } // biome-ignore format: one line
    post(0, JSON.stringify({ jsonrpc: '2.0', id, ...result }), headers)
  }
  const { post, remember, close } =
    address.transport === 'sse' ? await openStream(address, headers, onRequest) : openPosts(address, onRequest)
  let id = 0
  const client: Client = {
    ask(method, params = {}) {
      id++
      return post(id, JSON.stringify({ jsonrpc: '2.0', id, method, params }), headers)
    },
    post,
    close,
    greeting: '',
  }
  const capabilities: JsonObject = user ? { elicitation: {} } : {}
  const answer = await client.ask('initialize', { ...initializeParams, capabilities })
  if (!answer.message?.result) throw new Error(`It did not initialize: ${answer.status} ${answer.text.slice(0, 300)}`)
  remember(answer)
  await post(0, JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }), headers)
  return { ...client, greeting: answer.text }
}

interface SendOptions {
  readonly method?: string
  readonly headers?: Headers
  readonly body?: string
  /** Resolve with the response head, because a stream may never end. */
  readonly headOnly?: boolean
  /** Called for requests of the server in the stream of the response. */
  readonly onRequest?: OnRequest
}

// biome-ignore lint/suspicious/noExplicitAny: whatever a gateway says
type OnRequest = (message: any) => void

/** A single HTTP request with arbitrary headers. Never rejects. */
export function send(url: string, { method, headers, body, headOnly, onRequest }: SendOptions = {}): Promise<Answer> {
  return new Promise((resolve) => {
    const nothing = (text: string) => resolve({ status: 0, headers: {}, text })
    const sent = request(url, { method: method ?? (body === undefined ? 'GET' : 'POST'), agent: false, headers: { ...headers } }) // biome-ignore format: one line
    const wait = setTimeout(() => sent.destroy(new Error('No answer in time.')), patienceMs)
    sent.on('error', (failure) => nothing(String(failure)))
    sent.on('close', () => clearTimeout(wait))
    sent.on('response', (response) => {
      if (headOnly) {
        resolve({ status: response.statusCode!, headers: response.headers, text: '' })
        return sent.destroy()
      }
      let text = ''
      let read = 0
      response.setEncoding('utf8').on('data', (more) => {
        text += more
        for (let end = text.indexOf('\n', read); onRequest && end !== -1; end = text.indexOf('\n', read)) {
          const message = readMessage(text.slice(read, end))
          read = end + 1
          if (message?.method !== undefined && message.id !== undefined) onRequest(message)
        }
      })
      response.on('error', (failure) => nothing(String(failure)))
      response.on('end', () => {
        resolve({ status: response.statusCode!, headers: response.headers, text, message: readMessage(text) })
      })
    })
    sent.end(body)
  })
}

export function toHeaders({ token }: Pick<Address, 'token'>): Headers {
  return {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  }
}

function openPosts(address: Address, onRequest: OnRequest) {
  let session: Headers = {}
  return {
    post: (_id: number, body: string, headers: Headers = {}) =>
      send(address.url, { body, headers: { ...toHeaders(address), ...session, ...headers }, onRequest }),
    remember({ headers, message }: Answer) {
      const id = headers['mcp-session-id']
      session = {
        'MCP-Protocol-Version': message.result.protocolVersion,
        ...(typeof id === 'string' && { 'Mcp-Session-Id': id }),
      }
    },
    close() {},
  }
}

async function openStream(address: Address, headers: Headers, onRequest: OnRequest) {
  const waiting = new Map<number, (text: string) => void>()
  const sent = request(address.url, { agent: false, headers: { Accept: 'text/event-stream', ...headers } })
  sent.end()
  const endpoint = await new Promise<string>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', (response: IncomingMessage) => {
      let text = ''
      response.setEncoding('utf8').on('error', () => {})
      response.on('end', () => reject(new Error(`The stream ended: ${text.slice(0, 300)}`)))
      response.on('data', (more) => {
        const lines = (text + more).split('\n')
        text = lines.pop()!
        for (const line of lines) {
          const message = readMessage(line)
          if (message?.method !== undefined && message.id !== undefined) onRequest(message)
          else if (message) waiting.get(message.id)?.(line)
          else if (line.startsWith('data:')) resolve(new URL(line.slice(5).trim(), address.url).href)
        }
      })
    })
  })
  return {
    async post(id: number, body: string, headers: Headers = {}): Promise<Answer> {
      const came = new Promise<string>((resolve) => waiting.set(id, resolve))
      const posted = await send(endpoint, { body, headers: { ...toHeaders(address), ...headers } })
      if (id === 0 || posted.status !== 202) return posted
      let wait: NodeJS.Timeout | undefined
      const late = new Promise<undefined>((resolve) => {
        wait = setTimeout(() => resolve(undefined), patienceMs)
      })
      const text = await Promise.race([came, late])
      clearTimeout(wait)
      waiting.delete(id)
      if (text === undefined) return { status: 0, headers: {}, text: 'No answer in time.' }
      return { status: 200, headers: posted.headers, text, message: readMessage(text) }
    },
    remember() {},
    close: () => sent.destroy(),
  }
}

/** The last message in a JSON body or an event stream; notifications come before it. */
function readMessage(text: string) {
  const parts = text.startsWith('{') ? [text] : text.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : [])) // biome-ignore format: one line
  for (const part of parts.reverse())
    try {
      const message = JSON.parse(part)
      if (typeof message === 'object' && message !== null) return message
    } catch {}
  return undefined
}
