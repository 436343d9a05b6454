import type { CallClient } from '../contract/call-client.ts'
import { isObject, type JsonObject, type JsonValue } from '../contract/json.ts'
import { instructionsName, type PromptOffer, promptPrefix, toCompleteName } from '../contract/offer.ts'
import type { Tool, ToolContext } from '../contract/tool.ts'
import { ToolError, type ToolErrorOptions } from '../contract/tool-error.ts'
import { errorCodes } from '../protocol/reply.ts'
import { credentialRequired, resourceNotFound, type UpstreamCode } from './admission/upstream-errors.ts'
import type { Admitted } from './admission/verdict.ts'
import { PeerRefusal, type UpstreamCallOptions, UpstreamFailure } from './connect/client.ts'
import type { Confinement } from './connect/confinement.ts'
import { inQuotes } from './connect/quote.ts'
import type { Quote } from './connect/transport.ts'
import { sendConnected } from './connect-caller.ts'
import { isAboutCredentials, toCredentialAdvice } from './credential-failure.ts'
import { withServedUris } from './offers/call-offer.ts'
import { toInstructionsTool } from './offers/instructions.ts'
import type { ServerResources } from './offers/server-resources.ts'
import { type SendCompletion, toCompleter } from './offers/to-completer.ts'
import { resourcesName } from './offers/to-definitions.ts'
import { CallPeer, type Sampler } from './peer/call-peer.ts'
import { type SamplingSettings, samplingName, toSamplingInput, toSamplingResult } from './peer/sampling.ts'
import type { ServerSettings } from './server-settings.ts'
import { toMeaning } from './to-output.ts'
import type { Authorize } from './upstream.ts'

/** Sends a call to the server of a tool, by the server's own name for it. Rejects with an `UpstreamFailure`. */
export type SendCall = (
  tool: Tool,
  call: { readonly name: string; readonly input: JsonObject },
  options: UpstreamCallOptions,
) => Promise<JsonValue>

export interface ToolOptions {
  readonly send: SendCall
  /** Redacts secrets that the operator passed to the server, and removes terminal control characters. */
  readonly quote: Quote
  /** The name in the config. */
  readonly server: string
  readonly complete: SendCompletion
  readonly resources: ServerResources
  /** What was refused to the server since then, if that explains a failure. */
  readonly explain?: Confinement['explain']
  /** What the operator lets the server ask for. */
  readonly asking: () => Pick<ServerSettings, 'sampling' | 'roots'>
  /** Where callers connect, if they log in to the server. */
  readonly findPage?: Authorize['findPage'] | undefined
}

/** Turns an admitted tool into an ordinary one, whose `run` calls the server. */
export function toTool(admitted: Admitted, options: ToolOptions): Tool {
  const { send, quote, server } = options
  if (admitted.name === instructionsName) return toInstructionsTool(admitted.contract)
  const { contract, ownName, forApps, ui, claimsToRead, requiresIsError } = admitted
  const tool: Tool = {
    contract,
    ...(forApps && { forApps }),
    ...(ui && { ui }),
    ...(claimsToRead && { claimsToRead }),
    ...toOffer(contract.name, options),
    async run(input, { signal, progress, note, attach, caller, client, trace, callOwn }) {
      const asking = options.asking()
      const begun = Date.now()
      const sampling = asking.sampling && callOwn && toSampler(asking.sampling, callOwn)
      const explained = (error: ToolError, words: string) => withExplanation(error, options.explain?.(begun, words))
      const peer = new CallPeer({ server, quote, caller, client, sampling, roots: asking.roots })
      try {
        const call = () => send(tool, { name: ownName, input }, { signal, caller, onProgress: progress, peer, trace })
        const sent = call()
        const result = await (options.findPage
          ? sent.catch(sendConnected(call, { ...options, signal, progress, caller, client }))
          : sent)
        if (!isObject(result))
          return fail('upstream_protocol_error', 'The server answered with something other than a result.')
        if (result.isError !== undefined && typeof result.isError !== 'boolean')
          return fail('upstream_protocol_error', 'The server sent an isError that is neither true nor false.')
        if (result.isError === undefined && !requiresIsError) note({ isError: 'missing' })
        // Of the result of reading a resource. Results of tools have no such member.
        if (contract.name === resourcesName && typeof result.ttlMs === 'number') note({ ttlMs: result.ttlMs })
        const meaning = await toMeaning(withLinks(result, options), admitted)
        if ('failure' in meaning) return explained(toReported(quote(meaning.failure), server), meaning.failure)
        if (meaning.attached || result._meta !== undefined) attach(meaning.attached ?? [], result._meta)
        return meaning.output
      } catch (cause) {
        if (!(cause instanceof UpstreamFailure)) throw cause
        if (cause.required) return toLack(cause, { server, asking, client })
        return explained(toToolError(cause, server, contract.name), cause.said ?? cause.message)
      } finally {
        peer.endLogs?.()
      }
    },
  }
  if (!tool.offer) return Object.freeze(tool)
  const helpers = [toCompleter(tool, { server, ownName, send: options.complete })]
  return Object.freeze(Object.assign(tool, { helpers }))
}

/** What MCP clients use it as, if it is not a tool. */
function toOffer(name: string, { resources }: ToolOptions): Pick<Tool, 'offer'> {
  if (name === resourcesName) return { offer: resources.offer }
  if (!name.startsWith(promptPrefix)) return {}
  return {
    offer: {
      kind: 'prompt',
      get completedBy() {
        return resources.offer.completedBy === undefined ? undefined : toCompleteName(name)
      },
    } as PromptOffer,
  }
}

/** Links of a server with resources can be read here, under the URIs that are listed. */
function withLinks(result: JsonObject, { server, resources }: ToolOptions): JsonObject {
  if (!resources.isOffered || !Array.isArray(result.content)) return result
  return { ...result, content: result.content.map((block) => withServedUris(server, block)) }
}

function toSampler(settings: SamplingSettings, callOwn: NonNullable<ToolContext['callOwn']>): Sampler {
  return {
    through: settings.through,
    async sample(params, client) {
      const result = await callOwn(samplingName, toSamplingInput(params, settings), client)
      if (result.success) return toSamplingResult(result.output)
      throw new PeerRefusal(`The model was not asked: ${result.error.message}`)
    },
  }
}

/** The server requires what was not declared to it: the client lacks it, or the operator does not grant it. */
function toLack(
  { required = [], plain, said = '' }: UpstreamFailure,
  { server, asking, client }: { server: string; asking: ReturnType<ToolOptions['asking']>; client: CallClient | undefined }, // biome-ignore format: one line
): ToolError {
  const granted = {
    elicitation: true,
    sampling: asking.sampling?.through === 'client',
    roots: asking.roots === 'client',
  }
  const denied = required.filter((feature) => !granted[feature])
  if (denied.length === 0) client?.lack?.(Object.fromEntries(required.map((feature) => [feature, {}])))
  if (denied.length === 0) return toReported(said, server)
  const settings = denied.map((feature) => `"${feature}"`).join(' and ')
  return fail('upstream_protocol_error', plain, {
    suggestion: `If the server may use it, set ${settings} of the server ${server} in the config.`,
  })
}

/** The cause is not the server but what it may touch: repeating the call cannot help. */
function withExplanation(error: ToolError, why: string | undefined): ToolError {
  if (why === undefined) return error
  return new ToolError(error.code, error.message, { cause: error, suggestion: why })
}

/** A failure with the tool's own message, quoted because it is untrusted. */
function toReported(words: string, server: string): ToolError {
  const message =
    words.trim() === ''
      ? 'The tool reports a failure without a message.'
      : `The tool reports a failure. It says: ${inQuotes(words)}`
  return fail('upstream_error', message, isAboutCredentials(words) ? { suggestion: toCredentialAdvice(server) } : {})
}

function toToolError(failure: UpstreamFailure, server: string, name: string): ToolError {
  const { kind, code, said, status, plain, advice, isUnconnected, connect } = failure
  if (name === resourcesName && (code === missingResource || code === errorCodes.params))
    return new ToolError(resourceNotFound.code, 'The server has no such resource.')
  if (isUnconnected) return new ToolError(credentialRequired.code, plain, { cause: failure, ...(advice !== undefined && { suggestion: advice }), ...(connect !== undefined && { connect }) }) // biome-ignore format: one line
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

/** Before 2026-07-28 a missing resource had a code of its own. */
const missingResource = -32002

function fail(code: UpstreamCode, message: string, options?: ToolErrorOptions): ToolError {
  return new ToolError(code, message, options)
}
