import type { CallClient, ClientRequest, ClientRequests } from '../../contract/call-client.ts'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { compileSchema } from '../../contract/schema/compile-schema.ts'
import type { Caller } from '../../contract/tool.ts'
import { errorCodes } from '../../protocol/reply.ts'
import { type Peer, PeerRefusal } from '../connect/client.ts'
import { toLogger } from './forward-logs.ts'
import { GatheredAsks } from './gathered-asks.ts'
import { rootsRequest, toRoots } from './roots.ts'
import type { SamplingSettings } from './sampling.ts'
import { type ElicitationOptions, toElicitation } from './to-elicitation.ts'

export interface PeerOptions extends ElicitationOptions {
  readonly caller: Caller
  /** The client that made the call; undefined if no user can be asked. */
  readonly client: CallClient | undefined
  /** Answers requests for sampling, if the operator allows them. */
  readonly sampling?: Sampler | undefined
  /** Whose roots the server may ask for. Those of the workspace are answered without the client. */
  readonly roots?: 'workspace' | 'client' | undefined
}

export interface Sampler extends Pick<SamplingSettings, 'through'> {
  /** `client`: asks the client under the key that the server used. */
  sample(params: JsonObject, client: CallClient | undefined): Promise<JsonObject>
}

type Answers = { [key: string]: JsonObject }

/**
 * Answers what a server asks during a call: by the user of the client, and never by a rule. A class, because V8 makes a hidden
 * class for each object literal with a getter, and with it keeps the whole call until the next full collection.
 */
export class CallPeer implements Peer {
  readonly #options: PeerOptions
  readonly logLevel?: NonNullable<Peer['logLevel']>
  readonly log?: NonNullable<Peer['log']>
  readonly endLogs?: NonNullable<Peer['endLogs']>

  constructor(options: PeerOptions) {
    this.#options = options
    if (options.client?.logLevel !== undefined) Object.assign(this, toLogger(options.client, options))
  }

  get owner(): string {
    const { name, session = '' } = this.#options.caller
    return `${name} ${session}`
  }

  get capabilities(): JsonObject {
    const [form, url] = [this.#canElicit('form'), this.#canElicit('url')]
    return {
      ...((form || url) && { elicitation: { ...(form && { form: {} }), ...(url && { url: {} }) } }),
      ...(this.#canSample() && { sampling: {} }),
      ...(this.#hasRoots() && { roots: {} }),
    }
  }

  async answer(requests: ClientRequests, signal: AbortSignal): Promise<Answers> {
    const { answers, asked, sampled } = this.#sort(requests)
    const hasAsked = Object.keys(asked).length > 0
    const gathered = new GatheredAsks(sampled.length + (hasAsked ? 1 : 0), (all) => this.#ask(all, signal))
    const sampling = sampled.map(async ([key, params]) => {
      answers[key] = await this.#sample(key, params, gathered)
    })
    const given = hasAsked ? gathered.ask(asked) : undefined
    try {
      await Promise.all([...sampling, given])
    } catch (cause) {
      gathered.fail(cause)
      throw cause
    }
    const results = (await given) ?? {}
    for (const [key, request] of Object.entries(asked)) answers[key] = await readAnswer(request, results[key]!)
    return answers
  }

  #canElicit(mode: 'form' | 'url'): boolean {
    const { client } = this.#options
    return client?.supports({ method: 'elicitation/create', params: { mode, message: '' } }) ?? false
  }

  #canSample(): boolean {
    const { sampling, client } = this.#options
    return sampling?.through === 'model' || (sampling !== undefined && supportsSampling(client))
  }

  #hasRoots(): boolean {
    const { roots, client } = this.#options
    return roots === 'workspace' || (roots === 'client' && (client?.supports(rootsRequest) ?? false))
  }

  async #ask(asked: ClientRequests, signal: AbortSignal): Promise<Answers> {
    try {
      return { ...(await this.#options.client!.ask(asked, signal)) }
    } catch (cause) {
      if (cause instanceof PeerRefusal) throw cause
      throw new PeerRefusal('The client did not answer.')
    }
  }

  async #sample(key: string, params: JsonObject, gathered: GatheredAsks): Promise<JsonObject> {
    const { client, sampling } = this.#options
    let hasAsked = false
    const keyed: CallClient | undefined = client && {
      supports: (request) => client.supports(request),
      lack: (capabilities) => client.lack?.(capabilities),
      async ask({ answer }) {
        hasAsked = true
        return { answer: (await gathered.ask({ [key]: answer! }))[key]! }
      },
    }
    const result = await sampling!.sample(params, keyed)
    if (!hasAsked) gathered.leave()
    return result
  }

  /** What is answered at once, what the client is asked, and what asks a model. */
  #sort(requests: ClientRequests) {
    const { client, sampling, roots } = this.#options
    const answers: Answers = {}
    const asked: { [key: string]: ClientRequest } = {}
    const sampled: [string, JsonObject][] = []
    for (const [key, { method, params }] of Object.entries(requests)) {
      if (method === 'sampling/createMessage' && sampling) {
        if (!this.#canSample()) throw lack(client, { sampling: {} })
        sampled.push([key, params])
      } else if (method === 'roots/list' && roots === 'client') {
        if (this.#hasRoots()) asked[key] = rootsRequest
        else answers[key] = { roots: [] }
      } else if (method === 'elicitation/create') {
        const request: ClientRequest = { method, params: toElicitation(params, this.#options) }
        if (client?.supports(request)) asked[key] = request
        else answers[key] = { action: 'decline' }
      } else throw new PeerRefusal('The method is not supported.', errorCodes.method)
    }
    return { answers, asked, sampled }
  }
}

function supportsSampling(client: CallClient | undefined): boolean {
  return client?.supports({ method: 'sampling/createMessage', params: {} }) ?? false
}

/** A client of 2026-07-28 is told what it would have to support. */
function lack(client: CallClient | undefined, capabilities: JsonObject): PeerRefusal {
  client?.lack?.(capabilities)
  const names = Object.keys(capabilities).join(', ')
  return new PeerRefusal(`The client does not support ${names}.`, errorCodes.method)
}

async function readAnswer({ method, params }: ClientRequest, result: JsonObject): Promise<JsonObject> {
  return method === 'roots/list' ? toRoots(result) : readForm(params, result)
}

/** The user's answer, with the defaults of the form. One that does not fit the form counts as dismissed. */
async function readForm({ mode, requestedSchema }: JsonObject, { action, content }: JsonObject): Promise<JsonObject> {
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
