import type { IncomingHttpHeaders } from 'node:http'
import { isObject, type Message, type Request } from './message.ts'
import { errorCodes, type Reply, refuse, refuseRevision, toErrorReply } from './reply.ts'
import { metaKeys, modernRevisions } from './revisions.ts'

/** The revision that a message says it speaks: its body goes before the header. */
export function readRevision(headers: IncomingHttpHeaders, message: Message): string | undefined {
  const said = message.kind === 'request' ? readBodyRevision(message) : undefined
  return said ?? readHeader(headers, 'mcp-protocol-version')
}

/** What is wrong with the headers of a modern request. They repeat what the body says, for those who do not read it. */
export function findHeaderFault(headers: IncomingHttpHeaders, request: Request): Reply | undefined {
  const { id, method, params } = request
  const revision = readBodyRevision(request)
  const headerRevision = readHeader(headers, 'mcp-protocol-version')
  if (revision === undefined) {
    if (headerRevision !== undefined && !modernRevisions.includes(headerRevision))
      return refuseRevision(id, headerRevision)
    return refuse(id, `_meta["${metaKeys.revision}"] is a string. Send it.`)
  }
  const name = method === 'tools/call' ? params.name : undefined
  const fault =
    compare('MCP-Protocol-Version', headerRevision, revision) ??
    compare('Mcp-Method', readHeader(headers, 'mcp-method'), method) ??
    (typeof name === 'string' ? compare('Mcp-Name', decode(readHeader(headers, 'mcp-name')), name) : undefined)
  return fault === undefined ? undefined : toErrorReply(id, { code: errorCodes.headers, message: fault })
}

export interface Accepted {
  readonly json: boolean
  readonly stream: boolean
}

/** A client that does not say what it takes gets JSON; only one that says so gets a stream. */
export function readAccept(accept: string | undefined): Accepted {
  if (accept === undefined) return { json: true, stream: false }
  const any = accept.includes('*/*')
  return { json: any || /application\/(?:json|\*)/i.test(accept), stream: /text\/event-stream/i.test(accept) }
}

function readBodyRevision({ params: { _meta } }: Request): string | undefined {
  const revision = isObject(_meta) ? _meta[metaKeys.revision] : undefined
  return typeof revision === 'string' ? revision : undefined
}

function readHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value.trim() : undefined
}

function compare(name: string, header: string | undefined, body: string): string | undefined {
  if (header === body) return undefined
  const said = header === undefined ? 'is missing' : `says ${JSON.stringify(header.slice(0, 200))}`
  return `The header ${name} ${said}, and the body says ${JSON.stringify(body.slice(0, 200))}. Send the same in both.`
}

const encoded = /^=\?base64\?(.*)\?=$/s
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** What cannot stand in a header as it is comes in base64. */
function decode(value: string | undefined): string | undefined {
  const text = value === undefined ? undefined : encoded.exec(value)?.[1]
  if (text === undefined) return value
  return base64.test(text) ? Buffer.from(text, 'base64').toString() : value
}
