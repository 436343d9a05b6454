import type { OpenAI } from 'openai'
import { isObject } from '../../contract/json.ts'
import type { ModelAnswer, ModelToolCall } from '../model.ts'
import { BrokenOffError, toNoAnswer } from './model-error.ts'

const opening = /<think(?:ing)?>/

const closing = /<\/think(?:ing)?>/

const tags = ['<think>', '<thinking>', '</think>', '</thinking>']

interface ReadOptions {
  readonly client: OpenAI
  readonly onText: ((delta: string) => void) | undefined
  /** Called whenever a stream says something: text, reasoning or a part of a call. */
  readonly onActivity: () => void
}

/** Reads an endpoint's answer, whole or streamed. All of it is untrusted. */
export async function readAnswer(response: Response, options: ReadOptions): Promise<ModelAnswer> {
  const type = (response.headers.get('content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase()
  if (type === 'text/event-stream') return toAnswer(await readStream(response, options))
  const text = await response.text()
  const whole = toWhole(text, type)
  const answer = toAnswer(whole)
  // A stream was requested, but the response is whole.
  if (answer.text) options.onText?.(answer.text)
  return answer
}

/** What the model said, before validation. */
interface Said {
  content: string
  refusal: string
  readonly calls: ModelToolCall[]
  finish: string | undefined
  usage: ModelAnswer['usage']
}

const maxCalls = 128

function toAnswer({ content, refusal, calls, finish, usage }: Said): ModelAnswer {
  const text = withoutThoughts(content)
  if (finish === 'length') throw toNoAnswer('the answer was cut off at the token limit', 'limit')
  if (finish === 'content_filter' || (refusal && !text)) throw toNoAnswer('the model refused to answer')
  if (calls.length > maxCalls) throw toNoAnswer(`the answer has more than ${maxCalls} tool calls`)
  if (!text && calls.length === 0)
    throw toNoAnswer(content.trim() ? 'the answer contains only reasoning' : 'the answer is empty')
  return { text, toolCalls: calls, finish: calls.length > 0 ? 'tool_calls' : 'stop', ...(usage && { usage }) }
}

function toWhole(text: string, type: string): Said {
  const body = parse(text)
  if (body === undefined) {
    throw toNoAnswer(
      /html/.test(type) || /^\s*</.test(text) ? 'the answer is a web page' : 'the answer is not JSON',
      'url',
    )
  }
  const { choices, usage, error } = asRecord(body)
  const choice = asRecord(Array.isArray(choices) ? choices[0] : undefined)
  // Some gateways report failures with status 200.
  if (error && !choice.message)
    throw toNoAnswer(`the endpoint returned an error: ${asText(asRecord(error).message ?? error)}`, 'endpoint')
  if (!isObject(choice.message)) throw toNoAnswer('the answer is not a chat completion', 'url')
  const { content, refusal, tool_calls: calls } = choice.message
  return {
    content: asContent(content),
    refusal: asText(refusal),
    calls: asList(calls).map((call, index) => toCall(asRecord(call), index)),
    finish: asText(choice.finish_reason) || undefined,
    usage: toUsage(usage),
  }
}

async function readStream(response: Response, { client, onText, onActivity }: ReadOptions): Promise<Said> {
  const { Stream } = await import('openai/streaming')
  const stream = Stream.fromSSEResponse<unknown>(response, new AbortController(), client)
  const filter = createThoughtFilter()
  const said: Omit<Said, 'calls'> = { content: '', refusal: '', finish: undefined, usage: undefined }
  const pieces: { id: string; name: string; arguments: string }[] = []
  const tell = (text: string) => text && onText?.(text)
  for await (const event of stream) {
    const { choices, usage } = asRecord(event)
    said.usage = toUsage(usage) ?? said.usage
    const choice = asRecord(Array.isArray(choices) ? choices[0] : undefined)
    const delta = asRecord(choice.delta)
    const { content, refusal, tool_calls: calls } = delta
    if (saysSomething(delta)) onActivity()
    const text = asContent(content)
    said.content += text
    said.refusal += asText(refusal)
    tell(filter.add(text))
    for (const call of asList(calls)) addPiece(pieces, asRecord(call))
    said.finish = asText(choice.finish_reason) || said.finish
  }
  if (said.finish === undefined) throw new BrokenOffError()
  tell(filter.end())
  return { ...said, calls: pieces.map((piece, index) => checkCall(piece, index)) }
}

/** Empty pieces, which some endpoints send to keep a connection open, are silence. */
function saysSomething({ role: _, ...delta }: Record<string, unknown>): boolean {
  return Object.values(delta).some((part) => part !== '' && part !== null && part !== undefined)
}

/** A call is streamed in pieces with an index; without one, a new id or name starts a new call. */
function addPiece(pieces: { id: string; name: string; arguments: string }[], call: Record<string, unknown>): void {
  const { name, arguments: input } = asRecord(call.function)
  const id = asText(call.id)
  const isNew = pieces.length === 0 || (id !== '' && pieces.at(-1)!.id !== id)
  const index = Number.isInteger(call.index) ? (call.index as number) : pieces.length - (isNew ? 0 : 1)
  if (index < 0 || index >= maxCalls) throw toNoAnswer(`the answer has more than ${maxCalls} tool calls`)
  while (pieces.length <= index) pieces.push({ id: '', name: '', arguments: '' })
  const piece = pieces[index]!
  piece.id ||= id
  piece.name ||= asText(name)
  piece.arguments += asArguments(input)
}

function toCall(call: Record<string, unknown>, index: number): ModelToolCall {
  const { name, arguments: input } = asRecord(call.function)
  return checkCall({ id: asText(call.id), name: asText(name), arguments: asArguments(input) }, index)
}

function checkCall({ id, name, arguments: input }: ModelToolCall, index: number): ModelToolCall {
  if (!name) throw toNoAnswer('the answer has a tool call without a name')
  return { id: id || `call_${index + 1}`, name, arguments: input }
}

function toUsage(usage: unknown): ModelAnswer['usage'] {
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = asRecord(usage)
  if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number') return undefined
  return { inputTokens, outputTokens }
}

/** Text, or a list of parts with text. */
function asContent(content: unknown): string {
  if (!Array.isArray(content)) return asText(content)
  return content.map((part) => asText(asRecord(part).text)).join('')
}

/** Some endpoints send the arguments as an object instead of its JSON text. */
function asArguments(input: unknown): string {
  return isObject(input) ? JSON.stringify(input) : asText(input)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function asRecord(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}

/** Removes reasoning tags and their content from streamed text. */
function createThoughtFilter() {
  let held = ''
  let thinking = false

  function take(piece: string, isLast: boolean): string {
    held += piece
    let said = ''
    for (;;) {
      const tag = findFirst(held, thinking ? closing : opening)
      if (!tag) break
      if (!thinking) said += held.slice(0, tag.start)
      held = held.slice(tag.end)
      thinking = !thinking
    }
    // The end may be the start of a tag.
    const kept = isLast ? 0 : tailOf(held)
    if (!thinking) said += held.slice(0, held.length - kept)
    held = kept === 0 ? '' : held.slice(-kept)
    return said
  }

  return { add: (piece: string) => take(piece, false), end: () => take('', true) }
}

/** The whole text without reasoning. If it began in the prompt, the text has only the closing tag. */
function withoutThoughts(text: string): string {
  const end = findFirst(text, closing)
  const begin = findFirst(text, opening)
  const rest = end && (!begin || end.start < begin.start) ? text.slice(end.end) : text
  const filter = createThoughtFilter()
  return `${filter.add(rest)}${filter.end()}`.trim()
}

function findFirst(text: string, tag: RegExp): { start: number; end: number } | undefined {
  const found = tag.exec(text)
  return found ? { start: found.index, end: found.index + found[0].length } : undefined
}

function tailOf(text: string): number {
  const maxLength = Math.max(...tags.map((tag) => tag.length)) - 1
  for (let length = Math.min(maxLength, text.length); length > 0; length--) {
    if (tags.some((tag) => tag.startsWith(text.slice(-length)))) return length
  }
  return 0
}
