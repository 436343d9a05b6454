import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject, JsonValue } from '../../src/contract/json.ts'

/** A request that a client sent. */
export interface Received {
  readonly path: string
  readonly headers: { readonly [name: string]: string | string[] | undefined }
  readonly body: JsonObject
  /** The texts of the messages, by role, for chat completions. */
  readonly said: readonly { readonly role: string; readonly content: string }[]
}

/** One turn of the model. A string is its reply. */
export type Turn = string | Speech | Refusal | Raw | { readonly json: unknown } | Trouble

interface Speech {
  readonly say?: string | null
  readonly calls?: readonly { readonly name: string; readonly input: JsonValue; readonly id?: string }[]
  /** Default: `tool_calls` where there are calls, else `stop`. */
  readonly finish?: string | null
  readonly refusal?: string
  /** Delay before the response, in ms. */
  readonly delayMs?: number
  /** Disconnects or stalls in the middle of the response. */
  readonly midway?: 'disconnect' | 'stall'
}

interface Refusal {
  readonly status: number
  readonly error?: JsonValue
  readonly headers?: { readonly [name: string]: string }
}

/** A raw response body, with status 200. */
interface Raw {
  readonly raw: string
  readonly type?: string
}

interface Trouble {
  /** Never responds, or closes the connection. */
  readonly trouble: 'stall' | 'disconnect'
}

export type Script = readonly Turn[] | ((request: Received, turn: number) => Turn)

/**
 * An OpenAI-compatible server, with or without streaming, that follows a script: a list
 * of turns (the last one repeats), or a function of the request and the turn number, from 1.
 *
 * @example
 * await using model = await openScriptedModel([{ calls: [{ name: 'hello', input: { name: 'Ada' } }] }, 'Done.'])
 * const toolpact = await openToolpact({ config: { model: { url: model.url, model: 'scripted' } } })
 * expect(model.received[0]!.said.at(-1)).toEqual({ role: 'user', content: '…' })
 */
export async function openScriptedModel(script: Script) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const one = toReceived(request, await readText(request))
    const number = received.push(one)
    const turn = typeof script === 'function' ? script(one, number) : (script[number - 1] ?? script.at(-1) ?? '')
    await answer(response, turn, one.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const url = `${origin}/v1`
  return {
    received,
    origin,
    url,
    /** Environment for a process that uses this model. */
    environment: { TOOLPACT_MODEL_URL: url, TOOLPACT_MODEL: 'scripted', TOOLPACT_MODEL_KEY: 'scripted-key' },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(response: ServerResponse, turn: Turn, body: JsonObject): Promise<void> {
  if (typeof turn === 'string') return speak(response, { say: turn }, body)
  if ('trouble' in turn) {
    if (turn.trouble === 'disconnect') response.socket?.destroy()
  } else if ('status' in turn) {
    const text = JSON.stringify({ error: turn.error ?? { message: `status ${turn.status}` } })
    response.writeHead(turn.status, { 'content-type': 'application/json', ...turn.headers }).end(text)
  } else if ('raw' in turn) {
    response.writeHead(200, { 'content-type': turn.type ?? 'application/json' }).end(turn.raw)
  } else if ('json' in turn) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(turn.json))
  } else {
    await speak(response, turn, body)
  }
}

async function speak(response: ServerResponse, speech: Speech, { model, stream }: JsonObject): Promise<void> {
  if (speech.delayMs) await new Promise((resolve) => setTimeout(resolve, speech.delayMs))
  const envelope = { id: 'chat-1', created: 0, model: model ?? 'scripted' }
  if (stream === true) return streamSpeech(response, speech, { ...envelope, object: 'chat.completion.chunk' })
  const whole = JSON.stringify({
    ...envelope,
    object: 'chat.completion',
    choices: [{ index: 0, message: toMessage(speech), finish_reason: toFinish(speech), logprobs: null }],
    usage,
  })
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(whole) })
  if (!speech.midway) response.end(whole)
  else response.write(whole.slice(0, whole.length / 2), () => breakOff(response, speech))
}

function streamSpeech(response: ServerResponse, speech: Speech, envelope: JsonObject): void {
  const { content, refusal, tool_calls: calls = [] } = toMessage(speech)
  const deltas: JsonObject[] = [
    { role: 'assistant', content: '' },
    ...(refusal ? [{ refusal }] : []),
    ...inPieces(content ?? '').map((piece) => ({ content: piece })),
    ...calls.flatMap(({ function: { name, arguments: input }, ...call }, index) => [
      { tool_calls: [{ index, ...call, function: { name, arguments: '' } }] },
      ...inPieces(input).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
  ]
  const chunks: JsonObject[] = [
    ...deltas.map((delta) => ({ ...envelope, choices: [{ index: 0, delta, finish_reason: null }] })),
    { ...envelope, choices: [{ index: 0, delta: {}, finish_reason: toFinish(speech) }] },
    { ...envelope, choices: [], usage },
  ]
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  const sent = speech.midway ? chunks.slice(0, Math.max(2, Math.floor(deltas.length / 2))) : chunks
  const text = sent.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')
  if (!speech.midway) response.end(`${text}data: [DONE]\n\n`)
  else response.write(text, () => breakOff(response, speech))
}

const usage = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 }

function breakOff(response: ServerResponse, { midway }: Speech): void {
  // Let the client read the partial response first.
  if (midway === 'disconnect') setTimeout(() => response.socket?.destroy(), 10)
}

function toMessage({ say, calls = [], refusal }: Speech) {
  return {
    role: 'assistant',
    content: say ?? null,
    ...(refusal !== undefined && { refusal }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ name, input, id }, index) => ({
        id: id ?? `call_${index + 1}`,
        type: 'function',
        function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
      })),
    }),
  }
}

function toFinish({ finish, calls = [] }: Speech): string | null {
  return finish === undefined ? (calls.length > 0 ? 'tool_calls' : 'stop') : finish
}

/** Splits a text into short chunks, ignoring words and tags. */
function inPieces(text: string): string[] {
  return text.match(/[\s\S]{1,7}/gu) ?? []
}

function toReceived(request: IncomingMessage, text: string): Received {
  const body = (text ? JSON.parse(text) : {}) as JsonObject
  const messages = Array.isArray(body.messages) ? (body.messages as JsonObject[]) : []
  return {
    path: request.url ?? '',
    headers: request.headers,
    body,
    said: messages.map(({ role, content }) => ({
      role: String(role),
      content: typeof content === 'string' ? content : '',
    })),
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
