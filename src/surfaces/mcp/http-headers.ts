import type { IncomingHttpHeaders } from 'node:http'
import type { Contract } from '../../contract/contract.ts'
import { isObject, type JsonSchema, type JsonValue } from '../../contract/json.ts'
import type { Message, Request } from '../../protocol/message.ts'
import { errorCodes, type Reply, refuse, refuseRevision, toErrorReply } from '../../protocol/reply.ts'
import { metaKeys, modernRevisions } from '../../protocol/revisions.ts'

/** The protocol revision of a message: the body overrides the header. */
export function readRevision(headers: IncomingHttpHeaders, message: Message): string | undefined {
  const said = message.kind === 'request' ? readBodyRevision(message) : undefined
  return said ?? readHeader(headers, 'mcp-protocol-version')
}

/** What is wrong with the headers of a modern request. They mirror parts of the body, for proxies. */
export function findHeaderFault(headers: IncomingHttpHeaders, request: Request): Reply | undefined {
  const { id, method, params } = request
  const revision = readBodyRevision(request)
  const headerRevision = readHeader(headers, 'mcp-protocol-version')
  if (revision === undefined) {
    if (headerRevision !== undefined && !modernRevisions.includes(headerRevision))
      return refuseRevision(id, headerRevision)
    return refuse(id, `_meta["${metaKeys.revision}"] must be a string. Send it.`)
  }
  const name = Object.hasOwn(namedBy, method) ? params[namedBy[method]!] : undefined
  const fault =
    compare('MCP-Protocol-Version', headerRevision, revision) ??
    compare('Mcp-Method', readHeader(headers, 'mcp-method'), method) ??
    (typeof name === 'string' ? compare('Mcp-Name', decodeHeader(readHeader(headers, 'mcp-name')), name) : undefined)
  return fault === undefined ? undefined : toErrorReply(id, { code: errorCodes.headers, message: fault })
}

/** The parameter that `Mcp-Name` repeats. */
const namedBy: { readonly [method: string]: string } = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
}

export interface Accepted {
  readonly json: boolean
  readonly stream: boolean
}

/** Without `Accept` a client gets JSON; streams only if it asks for them. */
export function readAccept(accept: string | undefined): Accepted {
  if (accept === undefined) return { json: true, stream: false }
  const any = accept.includes('*/*')
  return { json: any || /application\/(?:json|\*)/i.test(accept), stream: /text\/event-stream/i.test(accept) }
}

function readBodyRevision({ params: { _meta } }: Request): string | undefined {
  const revision = isObject(_meta) ? _meta[metaKeys.revision] : undefined
  return typeof revision === 'string' ? revision : undefined
}

function compare(name: string, header: string | undefined, body: string): string | undefined {
  return header === body ? undefined : toMismatch(name, header, body)
}

/** A property of the input that clients mirror in a header, because its schema has `x-mcp-header`. */
interface Mirrored {
  readonly header: string
  readonly path: readonly string[]
}

/** What is wrong with the headers that mirror parts of the input. */
export function findParamFault(
  headers: IncomingHttpHeaders,
  contract: Contract,
  input: JsonValue | undefined,
): string | undefined {
  for (const { header, path } of mirroredOf(contract)) {
    const value = path.reduce((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), input)
    const raw = readHeader(headers, header.toLowerCase())
    if ((value === undefined || value === null) && raw === undefined) continue
    const said = decodeHeader(raw)
    if (said === undefined || !isSame(said, value)) return toMismatch(header, said, toText(value))
  }
  return undefined
}

function isSame(header: string, value: JsonValue | undefined): boolean {
  return typeof value === 'number' ? header !== '' && Number(header) === value : header === toText(value)
}

function toText(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const found = new WeakMap<Contract, readonly Mirrored[]>()

function mirroredOf(contract: Contract): readonly Mirrored[] {
  let mirrored = found.get(contract)
  if (!mirrored) {
    mirrored = findMirrored(contract.input, [])
    found.set(contract, mirrored)
  }
  return mirrored
}

function findMirrored({ properties = {} }: JsonSchema, parents: readonly string[]): Mirrored[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    if (typeof schema === 'boolean') return []
    const path = [...parents, key]
    const name = schema['x-mcp-header']
    return [...(typeof name === 'string' ? [{ header: `Mcp-Param-${name}`, path }] : []), ...findMirrored(schema, path)]
  })
}

/** A header that occurs once, trimmed. */
function readHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value.trim() : undefined
}

const encoded = /^=\?base64\?(.*)\?=$/s
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const plain = /^[\t\x20-\x7e]*$/

/** Decodes a header value; text that is not plain ASCII is sent in base64. Undefined if it is invalid. */
export function decodeHeader(value: string | undefined): string | undefined {
  if (value === undefined || !plain.test(value)) return undefined
  const text = encoded.exec(value)?.[1]
  if (text === undefined) return value
  return base64.test(text) ? Buffer.from(text, 'base64').toString() : undefined
}

/** The error for a header that does not match the body. */
function toMismatch(name: string, header: string | undefined, body: string | undefined): string {
  const says = (text: string) => `says ${JSON.stringify(text.slice(0, 200))}`
  const inHeader = header === undefined ? 'is missing or cannot be read' : says(header)
  const inBody = body === undefined ? 'says nothing of it' : says(body)
  return `The header ${name} ${inHeader}, and the body ${inBody}. Send the same in both.`
}
