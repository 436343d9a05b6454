import type { CallSuccess } from '../contract/call-result.ts'
import type { Contract } from '../contract/contract.ts'
import type { JsonObject, JsonSchema, JsonValue } from '../contract/json.ts'

/**
 * What a model and its user see of a result, rendered only from the validated output. Top-level properties that the
 * contract declares as base64 of a media type become images, audio and embedded resources, as do images and audio in a
 * list of blocks with their own types; everything else is text.
 */
export function toMcpContent(result: CallSuccess, contract: Contract | undefined): JsonObject[] {
  const { media, lists } = contract ? partsOf(contract) : none
  if (media.length === 0 && lists.length === 0) return [{ type: 'text', text: JSON.stringify(result.output) }]
  const rest = { ...result.output }
  const blocks: JsonObject[] = []
  for (const found of media) {
    const data = rest[found.property]
    if (typeof data !== 'string') continue
    delete rest[found.property]
    blocks.push(toBlock(found, data, result.callId))
  }
  for (const list of lists) {
    const items = rest[list]
    if (Array.isArray(items)) rest[list] = items.map((item) => takeMedia(item, blocks))
  }
  if (blocks.length === 0) return [{ type: 'text', text: JSON.stringify(result.output) }]
  return Object.keys(rest).length === 0 ? blocks : [{ type: 'text', text: JSON.stringify(rest) }, ...blocks]
}

interface Media {
  readonly property: string
  readonly type: 'image' | 'audio' | 'resource'
  readonly mimeType: string
}

function toBlock({ property, type, mimeType }: Media, data: JsonValue, callId: string): JsonObject {
  if (type !== 'resource') return { type, data, mimeType }
  // A name to identify it by. It cannot be read again: the call returned it once.
  const uri = `toolpact:///calls/${callId}/${encodeURIComponent(property)}`
  return { type, resource: { uri, mimeType, blob: data } }
}

/** A block with an image or audio, without its bytes, which go into a separate block. */
function takeMedia(item: JsonValue, blocks: JsonObject[]): JsonValue {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item
  const { data, ...rest } = item
  const type = typeof item.mimeType === 'string' ? /^(image|audio)\/[\w.+-]+$/.exec(item.mimeType)?.[1] : undefined
  if (type === undefined || typeof data !== 'string' || !isBase64.test(data)) return item
  blocks.push({ type, data, mimeType: item.mimeType! })
  return rest
}

const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/

interface Parts {
  readonly media: readonly Media[]
  /** Properties that are lists of blocks with bytes and their type. */
  readonly lists: readonly string[]
}

const none: Parts = { media: [], lists: [] }
const found = new WeakMap<Contract, Parts>()

function partsOf(contract: Contract): Parts {
  let parts = found.get(contract)
  if (!parts) {
    const properties = Object.entries(contract.output.properties ?? {})
    parts = {
      media: properties.flatMap(([property, schema]) => toMedia(property, schema)),
      lists: properties.filter(([, schema]) => holdsMedia(schema)).map(([property]) => property),
    }
    found.set(contract, parts)
  }
  return parts
}

function holdsMedia(schema: JsonSchema | boolean): boolean {
  const items = typeof schema === 'object' && schema.type === 'array' ? schema.items : undefined
  const { data, mimeType } = (items as JsonSchema | undefined)?.properties ?? {}
  return typeof data === 'object' && data.contentEncoding === 'base64' && mimeType !== undefined
}

function toMedia(property: string, schema: JsonSchema | boolean): Media[] {
  if (typeof schema === 'boolean' || schema.contentEncoding !== 'base64') return []
  const { contentMediaType: mimeType } = schema
  if (typeof mimeType !== 'string') return []
  const type = /^(image|audio)\//.exec(mimeType)?.[1] as 'image' | 'audio' | undefined
  return [{ property, type: type ?? 'resource', mimeType }]
}
