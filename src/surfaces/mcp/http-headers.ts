import type { IncomingHttpHeaders } from 'node:http'
import { isObject } from '../../contract/json.ts'
import type { Message, Request } from '../../protocol/message.ts'
import { errorCodes, type Reply, refuse, refuseRevision, toErrorReply } from '../../protocol/reply.ts'
import { metaKeys, modernRevisions } from '../../protocol/revisions.ts'
import { decodeHeader, readHeader, toMismatch } from './header-value.ts'

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
    (typeof name === 'string' ? compare('Mcp-Name', decodeHeader(readHeader(headers, 'mcp-name')), name) : undefined)
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

function compare(name: string, header: string | undefined, body: string): string | undefined {
  return header === body ? undefined : toMismatch(name, header, body)
}
