import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { shorten } from '../../contract/text/shorten.ts'
import { errorCodes } from '../../protocol/reply.ts'
import { legacyRevisions, metaKeys, modernRevisions } from '../../protocol/revisions.ts'
import { type ClientOptions, UpstreamFailure } from './client.ts'
import type { Conversation } from './conversation.ts'

/** The result of a negotiation. */
export interface Agreement {
  readonly revision: string
  readonly isModern: boolean
  readonly serverInfo: JsonObject
  readonly capabilities: JsonObject
  readonly instructions?: string
}

interface NegotiateOptions extends Pick<ClientOptions, 'info' | 'protocol' | 'startMs' | 'capabilities'> {
  /** Over stdio, an older server may not answer an unknown request at all. */
  readonly mayBeSilent: boolean
}

/** Agrees on a revision: tries the preferred era first, and falls back to the other one. */
export async function negotiate(
  conversation: Conversation,
  { info, protocol, startMs, mayBeSilent, capabilities = {} }: NegotiateOptions,
  signal: AbortSignal,
): Promise<Agreement> {
  const legacy = (until: AbortSignal) => initialize(conversation, { info, capabilities }, until)
  const modern = (until: AbortSignal) => discover(conversation, { info, capabilities }, until)
  if (protocol === undefined || !modernRevisions.includes(protocol)) {
    return legacy(signal).catch((failure) => tryOther(failure, () => modern(signal)))
  }
  if (!mayBeSilent) return modern(signal).catch((failure) => tryOther(failure, () => legacy(signal)))
  const probe = AbortSignal.timeout(startMs / 2)
  return modern(AbortSignal.any([signal, probe])).catch((silence) =>
    tryOther(silence, () =>
      // It may have been silent only because it starts slowly.
      legacy(signal).catch((failure) => {
        if (probe.aborted && isOtherEra(failure)) return modern(signal)
        throw failure
      }),
    ),
  )
}

/** Reports the first refusal, unless the other era gives a better reason. */
async function tryOther(failure: UpstreamFailure, other: () => Promise<Agreement>): Promise<Agreement> {
  if (!isOtherEra(failure)) throw failure
  try {
    return await other()
  } catch (cause) {
    throw isOtherEra(cause) ? failure : cause
  }
}

/** Whether the server may support the other era. Not if it requires a credential, is gone or does not speak MCP. */
function isOtherEra(failure: unknown): failure is UpstreamFailure {
  if (!(failure instanceof UpstreamFailure)) return false
  if (failure.status !== undefined) return [400, 404, 405, 406, 415, 422, 501].includes(failure.status)
  return failure.kind === 'refused' || isTimeout(failure.cause)
}

function isTimeout(cause: unknown): boolean {
  return cause instanceof DOMException && cause.name === 'TimeoutError'
}

/** How this client introduces itself. */
interface Introduction {
  readonly info: ClientOptions['info']
  readonly capabilities: JsonObject
}

async function initialize(
  conversation: Conversation,
  { info, capabilities: offered }: Introduction,
  signal: AbortSignal,
): Promise<Agreement> {
  conversation.meta = ''
  conversation.declaresCapabilities = false
  conversation.transport.speak(undefined)
  const about = { protocolVersion: legacyRevisions[0]!, capabilities: offered, clientInfo: { ...info } }
  const result = await conversation.request('initialize', inside(about), { signal })
  const { protocolVersion, serverInfo, capabilities, instructions } = toObject(result, 'initialize')
  if (typeof protocolVersion !== 'string' || !legacyRevisions.includes(protocolVersion)) {
    const known = [...modernRevisions, ...legacyRevisions].join(', ')
    throw toForeign(conversation, [protocolVersion ?? null], `this host speaks ${known}`)
  }
  conversation.transport.speak(protocolVersion)
  await conversation.notify('notifications/initialized', {})
  return toAgreement(protocolVersion, false, { serverInfo, capabilities, instructions })
}

async function discover(
  conversation: Conversation,
  { info, capabilities: { extensions } }: Introduction,
  signal: AbortSignal,
): Promise<Agreement> {
  const revision = modernRevisions[0]!
  conversation.meta = inside({
    [metaKeys.revision]: revision,
    [clientInfoKey]: { ...info },
  })
  conversation.declaresCapabilities = true
  conversation.extensions = isObject(extensions) ? extensions : {}
  conversation.transport.speak(revision)
  const ask = () => conversation.request('server/discover', '', { signal })
  const result = await ask().catch((failure: UpstreamFailure) => {
    // It may reject the first request only to list its revisions, including ours.
    if (failure.code === errorCodes.revision && failure.supported?.includes(revision)) return ask()
    throw failure
  })
  const { supportedVersions, serverInfo, capabilities, instructions, _meta } = toObject(result, 'server/discover')
  if (Array.isArray(supportedVersions) && !supportedVersions.includes(revision)) {
    throw toForeign(conversation, supportedVersions, `not ${revision}`)
  }
  const own = serverInfo ?? (isObject(_meta) ? _meta[metaKeys.server] : undefined)
  return toAgreement(revision, true, { serverInfo: own, capabilities, instructions })
}

/** The names of revisions are untrusted text: quoted for people, and omitted for callers. */
function toForeign(conversation: Conversation, revisions: readonly JsonValue[], wanted: string): UpstreamFailure {
  const words = revisions.map((revision) => (typeof revision === 'string' ? revision : JSON.stringify(revision)))
  const said = conversation.quote(words.join(', '), 200)
  return new UpstreamFailure('refused', `The server speaks MCP ${said}, and ${wanted}. Use another version of it.`, {
    plain: 'The server supports no revision of MCP that this host supports. Use another version of the server.',
  })
}

const clientInfoKey = 'io.modelcontextprotocol/clientInfo'

function inside(value: JsonObject): string {
  return JSON.stringify(value).slice(1, -1)
}

function toObject(result: JsonValue, method: string): JsonObject {
  if (isObject(result)) return result
  throw new UpstreamFailure('protocol', `The server answered ${method} with something other than an object.`)
}

interface About {
  readonly serverInfo: JsonValue | undefined
  readonly capabilities: JsonValue | undefined
  readonly instructions: JsonValue | undefined
}

/** Far above the longest of known servers. Models do not read instructions; people do, if they are flagged. */
const maxInstructions = 65_536

function toAgreement(revision: string, isModern: boolean, about: About): Agreement {
  const { serverInfo, capabilities, instructions } = about
  return {
    revision,
    isModern,
    serverInfo: isObject(serverInfo) ? serverInfo : {},
    capabilities: isObject(capabilities) ? capabilities : {},
    ...(typeof instructions === 'string' && { instructions: shorten(instructions, maxInstructions) }),
  }
}
