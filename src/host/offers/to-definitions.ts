import { hash } from 'node:crypto'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { toSafeName } from '../../contract/listed-names.ts'
import { instructionsName, promptPrefix, resourcePrefix } from '../../contract/offer.ts'
import { promptOutput, resourceOutput } from '../../contract/offer-outputs.ts'
import { shorten } from '../../contract/text/shorten.ts'
import { upstreamNameForm } from '../admission/fold-name.ts'
import type { UpstreamClient } from '../connect/client.ts'
import type { Listed, ListKind } from '../connect/list-pages.ts'
import { withAppGrants } from './app-grants.ts'
import { toInstructionsDefinition } from './instructions.ts'

/** Everything that a server lists. */
export interface ServerLists {
  /** Tools as received. Prompts, reading resources and instructions in the same form, so that admission, lock and review apply to them. */
  readonly definitions: readonly JsonObject[]
  readonly resources: readonly JsonObject[]
  readonly templates: readonly JsonObject[]
  /** How long the lists may be used: the shortest of all. */
  readonly ttlMs?: number
}

export const resourcesName = `${resourcePrefix}all`
const reserved = [promptPrefix, resourcePrefix, instructionsName]

/** Lists what the server offers, at the same time. Only the list of tools is indispensable. Rejects with an `UpstreamFailure`. */
export async function listServer(
  client: UpstreamClient,
  { signal, onNoise }: { readonly signal: AbortSignal; readonly onNoise: (text: string) => void },
): Promise<ServerLists> {
  const orNone = (kind: ListKind) =>
    client.list(kind, signal).catch((failure: Error): Listed => {
      signal.throwIfAborted()
      onNoise(`Its ${kind} could not be listed: ${failure.message}`)
      return { entries: [] }
    })
  const [tools, prompts, resources, templates] = await Promise.all([
    client.list('tools', signal),
    ...(['prompts', 'resources', 'resourceTemplates'] as const).map(orNone),
  ])
  const own = tools.entries.filter(({ name }) => !reserved.some((prefix) => String(name).startsWith(prefix)))
  if (own.length < tools.entries.length) onNoise('Tools with the name of a prompt or resource are left out.')
  const withApps = await withAppGrants(client, { tools: own, resources: resources!.entries }, signal)
  const lists = [tools, prompts!, resources!, templates!]
  const ttlMs = Math.min(...lists.map((list) => list.ttlMs ?? Number.POSITIVE_INFINITY))
  const hasResources = client.capabilities.resources !== undefined
  return {
    definitions: [
      ...withApps,
      ...prompts!.entries.map(toPromptDefinition),
      ...(hasResources ? [readDefinition] : []),
      ...toInstructionsDefinition(client.instructions),
    ],
    resources: resources!.entries,
    templates: templates!.entries,
    ...(Number.isFinite(ttlMs) && { ttlMs }),
  }
}

/** A prompt as a definition. Its arguments are strings, as MCP specifies. */
function toPromptDefinition({ name, title, description, arguments: given, _meta }: JsonObject): JsonObject {
  const listed = Array.isArray(given) ? given.filter(isObject) : []
  const names = (entries: readonly JsonObject[]) => entries.map((argument) => String(argument.name))
  const required = names(listed.filter((argument) => argument.required === true))
  const shown = typeof name === 'string' ? name : JSON.stringify(name ?? null)
  const usable = toUsableName(shown)
  const { [ownNameKey]: _, ...meta } = isObject(_meta) ? _meta : {}
  const kept: JsonObject = { ...meta, ...(usable !== shown && { [ownNameKey]: shown }) }
  return {
    name: `${promptPrefix}${usable}`,
    ...(title !== undefined ? { title } : usable !== shown && { title: shorten(shown, 200) }),
    description: isText(description) ? description : `A prompt of the server: ${isText(title) ? title : shown}.`,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(listed.map((argument) => [String(argument.name), toArgumentSchema(argument)])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
    outputSchema: promptOutput as JsonObject,
    ...(Object.keys(kept).length > 0 && { _meta: kept }),
  }
}

/** Where the definition of a prompt keeps the server's own name for it, if a contract cannot have that name. */
const ownNameKey = 'toolpact/name'

/** The name as the server knows it, with the prefix of its kind. */
export function toOwnName({ _meta }: JsonObject, name: string): string {
  const own = name.startsWith(promptPrefix) && isObject(_meta) ? _meta[ownNameKey] : undefined
  return typeof own === 'string' ? promptPrefix + own : name
}

/** Prompts are often named for people: "Code review". A digest of the whole name distinguishes those that would look the same. */
function toUsableName(name: string): string {
  if (name === '' || upstreamNameForm.test(promptPrefix + name)) return name
  return `${toSafeName(name).slice(0, 32).replace(/^-/, '_')}-${hash('sha256', name).slice(0, 8)}`
}

function toArgumentSchema({ title, description }: JsonObject): JsonObject {
  return {
    type: 'string',
    ...(isText(title) && { title }),
    description: isText(description) ? description : 'An argument of the prompt.',
    maxLength: 65_536,
  }
}

/** One for all resources of a server: entries of its list come and go, and each read is checked. */
const readDefinition: JsonObject = {
  name: resourcesName,
  title: 'Resources',
  description: 'Reads a resource of the server by its URI.',
  inputSchema: {
    type: 'object',
    properties: { uri: { type: 'string', description: 'URI of the resource', minLength: 1, maxLength: 4096 } },
    required: ['uri'],
    additionalProperties: false,
  },
  outputSchema: resourceOutput as JsonObject,
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
