import type { CallClient, ClientRequest, ClientRequests } from '../../contract/call-client.ts'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { compileSchema } from '../../contract/schema/compile-schema.ts'
import type { Caller } from '../../contract/tool.ts'
import { errorCodes } from '../../protocol/reply.ts'
import { type Peer, PeerRefusal } from '../connect/client.ts'
import { type ElicitationOptions, toElicitation } from './to-elicitation.ts'

export interface PeerOptions extends ElicitationOptions {
  readonly caller: Caller
  /** The client that made the call; undefined if no user can be asked. */
  readonly client: CallClient | undefined
  /** Answers a request for sampling, if the operator allows it. */
  readonly sample?: ((params: JsonObject, signal: AbortSignal) => Promise<JsonObject>) | undefined
  /** Whether roots are granted. They are answered without the client. */
  readonly hasRoots?: boolean
}

/** Answers what a server asks during a call: by the user of the client, and never by a rule. */
export function createPeer({ client, caller, sample, hasRoots = false, ...options }: PeerOptions): Peer {
  const canElicit = (mode: 'form' | 'url') =>
    client?.supports({ method: 'elicitation/create', params: { mode, message: '' } }) ?? false

  async function ask(asked: ClientRequests, signal: AbortSignal): Promise<{ [key: string]: JsonObject }> {
    try {
      return { ...(await client!.ask(asked, signal)) }
    } catch (cause) {
      if (cause instanceof PeerRefusal) throw cause
      throw new PeerRefusal('The client did not answer.')
    }
  }

  return {
    owner: `${caller.name} ${caller.session ?? ''}`,
    get capabilities() {
      const [form, url] = [canElicit('form'), canElicit('url')]
      return {
        ...((form || url) && { elicitation: { ...(form && { form: {} }), ...(url && { url: {} }) } }),
        ...(sample && { sampling: {} }),
        ...(hasRoots && { roots: {} }),
      }
    },
    async answer(requests, signal) {
      const answers: { [key: string]: JsonObject } = {}
      const asked: { [key: string]: ClientRequest } = {}
      for (const [key, { method, params }] of Object.entries(requests)) {
        if (method === 'sampling/createMessage' && sample) answers[key] = await sample(params, signal)
        else if (method !== 'elicitation/create')
          throw new PeerRefusal('The method is not supported.', errorCodes.method)
        else {
          const request: ClientRequest = { method, params: toElicitation(params, options) }
          if (client?.supports(request)) asked[key] = request
          else answers[key] = { action: 'decline' }
        }
      }
      if (Object.keys(asked).length === 0) return answers
      for (const [key, result] of Object.entries(await ask(asked, signal)))
        answers[key] = await readAnswer(asked[key]!.params, result)
      return answers
    },
    ...(client?.log && { log: (level, data) => client.log!(level, data, options.server) }),
  }
}

/** The user's answer, with the defaults of the form. One that does not fit the form counts as dismissed. */
async function readAnswer({ mode, requestedSchema }: JsonObject, { action, content }: JsonObject): Promise<JsonObject> {
  if (action !== 'accept') return { action: action === 'decline' ? 'decline' : 'cancel' }
  if (mode === 'url') return { action }
  const filled: JsonObject = isObject(content) ? { ...content } : {}
  const properties = (requestedSchema as JsonObject).properties as { readonly [name: string]: JsonObject }
  for (const [name, { default: preset }] of Object.entries(properties))
    if (preset !== undefined && !Object.hasOwn(filled, name)) filled[name] = preset
  const { validate } = await compileSchema(toCheckable(requestedSchema as JsonObject), { assertFormats: false })
  return validate(filled).length === 0 ? { action, content: filled } : { action: 'cancel' }
}

/** Without words, and closed. `enumNames` is no keyword of JSON Schema. */
function toCheckable(schema: JsonObject): JsonObject {
  const strip = ([name, field]: [string, JsonValue]) => {
    const { enumNames: _, title: _title, description: _description, ...rest } = field as JsonObject
    return [name, rest] as const
  }
  const properties = Object.fromEntries(Object.entries(schema.properties as JsonObject).map(strip))
  return { ...schema, properties, additionalProperties: false }
}
