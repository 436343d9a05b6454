import type { CallSuccess } from '../contract/call-result.ts'
import type { Contract } from '../contract/contract.ts'
import type { JsonSchema, JsonValue } from '../contract/json.ts'

/**
 * What a model and its user are shown of a result, rendered from the checked output and from nothing else. Top-level
 * properties that the contract declares to be base64 of a media type become pictures, sounds and embedded resources;
 * everything else is text.
 */
export function toMcpContent({ output, callId }: CallSuccess, contract: Contract | undefined): JsonValue[] {
  const media = contract ? mediaOf(contract) : none
  const shown = media.filter(({ property }) => typeof output[property] === 'string')
  if (shown.length === 0) return [{ type: 'text', text: JSON.stringify(output) }]
  const rest = { ...output }
  for (const { property } of shown) delete rest[property]
  const blocks = shown.map((found) => toBlock(found, output[found.property]!, callId))
  return Object.keys(rest).length === 0 ? blocks : [{ type: 'text', text: JSON.stringify(rest) }, ...blocks]
}

interface Media {
  readonly property: string
  readonly type: 'image' | 'audio' | 'resource'
  readonly mimeType: string
}

function toBlock({ property, type, mimeType }: Media, data: JsonValue, callId: string): JsonValue {
  if (type !== 'resource') return { type, data, mimeType }
  // A name to tell it by. It cannot be read again: the call gave it once.
  const uri = `toolpact:///calls/${callId}/${encodeURIComponent(property)}`
  return { type, resource: { uri, mimeType, blob: data } }
}

const none: readonly Media[] = []
const found = new WeakMap<Contract, readonly Media[]>()

function mediaOf(contract: Contract): readonly Media[] {
  let media = found.get(contract)
  if (!media) {
    media = Object.entries(contract.output.properties ?? {}).flatMap(([property, schema]) => toMedia(property, schema))
    found.set(contract, media)
  }
  return media
}

function toMedia(property: string, schema: JsonSchema | boolean): Media[] {
  if (typeof schema === 'boolean' || schema.contentEncoding !== 'base64') return []
  const { contentMediaType: mimeType } = schema
  if (typeof mimeType !== 'string') return []
  const type = /^(image|audio)\//.exec(mimeType)?.[1] as 'image' | 'audio' | undefined
  return [{ property, type: type ?? 'resource', mimeType }]
}
