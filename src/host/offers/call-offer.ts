import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { promptPrefix } from '../../contract/offer.ts'
import { toPromptOutput, toResourceOutput } from '../../contract/offer-outputs.ts'
import { type UpstreamCallOptions, type UpstreamClient, UpstreamFailure } from '../connect/client.ts'
import { fromServedUri, toServedUri } from './served-uri.ts'
import type { ServerResources } from './server-resources.ts'
import { resourcesName } from './to-definitions.ts'

/** Sends a call to its server: of a tool, a prompt or a resource. What is no tool returns its output as a tool would. */
export function sendCall(
  client: UpstreamClient,
  { server, name, input, resources }: SentCall,
  options: UpstreamCallOptions,
): Promise<JsonValue> {
  if (name === resourcesName) return readResource(client, { server, resources, uri: input.uri as string }, options)
  if (!name.startsWith(promptPrefix)) return client.callTool(name, input, options)
  return getPrompt(client, { server, name, input }, options)
}

async function getPrompt(
  client: UpstreamClient,
  { server, name, input }: Omit<SentCall, 'resources'>,
  options: UpstreamCallOptions,
): Promise<JsonValue> {
  const result = await client.getPrompt(name.slice(promptPrefix.length), input, options)
  if (!isObject(result) || !Array.isArray(result.messages)) throw fail('prompts/get', 'messages')
  const messages = result.messages.map((message) =>
    isObject(message) ? { ...message, content: withServedUris(server, message.content ?? null) } : message,
  )
  return { structuredContent: toPromptOutput({ ...result, messages }), isError: false }
}

interface SentCall {
  readonly server: string
  /** The server's own name of it. */
  readonly name: string
  readonly input: JsonObject
  readonly resources: ServerResources
}

async function readResource(
  client: UpstreamClient,
  { server, resources, uri }: Pick<SentCall, 'server' | 'resources'> & { readonly uri: string },
  options: UpstreamCallOptions,
) {
  const owner = options.peer?.owner ?? ''
  const { reads } = resources
  const known = reads.find(uri, owner)
  const { version } = reads
  const result = known ?? (await client.readResource(uri, options))
  if (!known && reads.version === version) reads.keep(uri, owner, result)
  if (!isObject(result) || !Array.isArray(result.contents)) throw fail('resources/read', 'contents')
  const contents = result.contents.map((content) => {
    if (!isObject(content)) return content
    const isOther = typeof content.uri === 'string' && content.uri !== uri
    return {
      ...content,
      ...(isOther && { uri: toServedUri(server, content.uri as string) }),
      ...(isObject(content._meta) && { _meta: resources.limitMeta(isOther ? '' : uri, content._meta) }),
    }
  })
  const { ttlMs } = result
  const caching = typeof ttlMs === 'number' && ttlMs > 0 && { ttlMs }
  return { structuredContent: toResourceOutput(uri, contents), isError: false, ...caching }
}

/** A content block whose link or resource can be read through this host. */
export function withServedUris(server: string, block: JsonValue): JsonValue {
  if (!isObject(block)) return block
  if (block.type === 'resource_link' && isForeign(server, block.uri))
    return { ...block, uri: toServedUri(server, block.uri) }
  const { resource } = block
  if (block.type !== 'resource' || !isObject(resource) || !isForeign(server, resource.uri)) return block
  return { ...block, resource: { ...resource, uri: toServedUri(server, resource.uri) } }
}

function isForeign(server: string, uri: JsonValue | undefined): uri is string {
  return typeof uri === 'string' && fromServedUri(server, uri) === undefined
}

function fail(method: string, member: string): UpstreamFailure {
  return new UpstreamFailure('protocol', `The result of ${method} has no list of ${member}.`)
}
