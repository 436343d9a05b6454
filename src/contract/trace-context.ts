import type { TraceContext } from './call-client.ts'

/** Version, trace id, span id and flags. Ids of zeros are invalid, and so is the version ff. */
const traceparentForm = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

const tracestateForm = /^[\x21-\x7e ,]{1,512}$/

/** The W3C trace context that a client sends; undefined if it is not valid. */
export function toTraceContext(traceparent: unknown, tracestate: unknown): TraceContext | undefined {
  if (typeof traceparent !== 'string' || !traceparentForm.test(traceparent)) return undefined
  const isState = typeof tracestate === 'string' && tracestateForm.test(tracestate)
  return { traceparent, ...(isState && { tracestate }) }
}

/** A request to an MCP server, for telemetry. */
export interface SentRequest {
  readonly server: string
  readonly method: string
  /** The tool, prompt or resource, as the server names it. */
  readonly name?: string | undefined
  readonly revision: string
  readonly transport: 'pipe' | 'tcp'
  /** Host and port of a server over HTTP. */
  readonly address?: { readonly host: string; readonly port: number } | undefined
  readonly trace?: TraceContext | undefined
}

/** Follows a request to an MCP server. */
export type FollowRequest = (request: SentRequest) => {
  /** The context to send along. */
  readonly trace?: TraceContext
  /** `failure`: a short word for why it failed. */
  end(failure?: string): void
}
