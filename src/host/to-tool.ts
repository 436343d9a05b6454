import { isObject, type JsonObject, type JsonValue } from '../contract/json.ts'
import type { Tool } from '../contract/tool.ts'
import { ToolError, type ToolErrorOptions } from '../contract/tool-error.ts'
import { errorCodes } from '../protocol/reply.ts'
import type { UpstreamCode } from './admission/upstream-errors.ts'
import type { Admitted } from './admission/verdict.ts'
import { type UpstreamCallOptions, UpstreamFailure } from './connect/client.ts'
import { inQuotes } from './connect/quote.ts'
import type { Quote } from './connect/transport.ts'
import { isAboutCredentials, toCredentialAdvice } from './credential-failure.ts'
import { createPeer } from './peer/create-peer.ts'
import { toMeaning } from './to-output.ts'

/** Sends a call to the server of a tool. Rejects with an `UpstreamFailure`. */
export type SendCall = (tool: Tool, input: JsonObject, options: UpstreamCallOptions) => Promise<JsonValue>

export interface ToolOptions {
  readonly send: SendCall
  /** Redacts secrets that the operator passed to the server, and removes terminal control characters. */
  readonly quote: Quote
  /** The name in the config. */
  readonly server: string
}

/** Turns an admitted tool into an ordinary one, whose `run` calls the server. */
export function toTool(admitted: Admitted, { send, quote, server }: ToolOptions): Tool {
  const { contract, forApps, claimsToRead, requiresIsError } = admitted
  const tool: Tool = {
    contract,
    ...(forApps && { forApps }),
    ...(claimsToRead && { claimsToRead }),
    async run(input, { signal, progress, note, attach, caller, client, trace }) {
      try {
        const peer = createPeer({ server, quote, caller, client })
        const result = await send(tool, input, { signal, onProgress: progress, peer, trace })
        if (!isObject(result))
          return fail('upstream_protocol_error', 'The server answered with something other than a result.')
        if (result.isError !== undefined && typeof result.isError !== 'boolean')
          return fail('upstream_protocol_error', 'The server sent an isError that is neither true nor false.')
        if (result.isError === undefined && !requiresIsError) note({ isError: 'missing' })
        const meaning = await toMeaning(result, admitted)
        if ('failure' in meaning) return toReported(quote(meaning.failure), server)
        if (meaning.attached || result._meta !== undefined) attach(meaning.attached ?? [], result._meta)
        return meaning.output
      } catch (cause) {
        if (cause instanceof UpstreamFailure) return toToolError(cause, server)
        throw cause
      }
    },
  }
  return Object.freeze(tool)
}

/** A failure with the tool's own message, quoted because it is untrusted. */
function toReported(words: string, server: string): ToolError {
  const message =
    words.trim() === ''
      ? 'The tool reports a failure without a message.'
      : `The tool reports a failure. It says: ${inQuotes(words)}`
  return fail('upstream_error', message, isAboutCredentials(words) ? { suggestion: toCredentialAdvice(server) } : {})
}

function toToolError(failure: UpstreamFailure, server: string): ToolError {
  const { kind, code, said, status, plain, advice } = failure
  if (kind === 'unavailable')
    return fail('upstream_unavailable', plain, { cause: failure, ...(advice !== undefined && { suggestion: advice }) })
  if (kind === 'too_long') return fail('output_too_large', plain, { cause: failure })
  // Many servers send a protocol error where they should return a result with isError.
  if (said !== undefined && !protocolFaults.includes(code!)) return toReported(said, server)
  const suggestion = status === 401 || status === 403 ? { suggestion: toCredentialAdvice(server) } : {}
  return fail('upstream_protocol_error', plain, { cause: failure, ...suggestion })
}

/** Method not found, invalid request, parse error; errors about headers, capabilities and revisions. */
const protocolFaults: readonly number[] = [
  errorCodes.parse,
  errorCodes.request,
  errorCodes.method,
  -32020,
  -32021,
  -32022,
]

function fail(code: UpstreamCode, message: string, options?: ToolErrorOptions): ToolError {
  return new ToolError(code, message, options)
}
