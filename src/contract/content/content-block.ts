import { isObject, type JsonObject, type JsonValue } from '../json.ts'
import { stripHidden } from '../text/hidden-characters.ts'
import { shorten } from '../text/shorten.ts'
import { cleanAnnotations, cleanMeta } from './clean-meta.ts'
import { isRecognised, isSameType, mediaTypeOf } from './media-type.ts'

const standard = /^[A-Za-z0-9+/]+={0,2}$/

const lenient = /^[A-Za-z0-9+/_-]{2,}={0,2}$/

/** An MCP content block. Its text has no hidden characters, and its media type matches its bytes. */
export interface ContentBlock extends JsonObject {
  type: 'text' | 'image' | 'audio' | 'resource' | 'resource_link'
}

export const maxBlocks = 1000

/** Whether a value is a complete content block. Results of tools without an output schema contain only such. */
export function isContentBlock(value: JsonValue): value is ContentBlock {
  if (!isObject(value)) return false
  const { type, text, data, mimeType, resource, uri } = value
  if (type === 'text') return typeof text === 'string'
  if (type === 'image' || type === 'audio') return typeof data === 'string' && typeof mimeType === 'string'
  return type === 'resource' ? isObject(resource) : type === 'resource_link' && typeof uri === 'string'
}

/**
 * Sanitizes a block from an untrusted source. Unknown kinds are quoted as JSON. Bytes that do not match their declared
 * type are replaced by a text that says so. Nothing is interpreted.
 */
export function cleanBlock(block: JsonValue): ContentBlock {
  if (!isObject(block)) return toQuoted(block)
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string'
        ? { type: 'text', text: stripHidden(block.text, 'prose'), ...toBeside(block) }
        : toQuoted(block)
    case 'image':
    case 'audio':
      return toMedia(block.type, block)
    case 'resource':
      return toResource(block)
    case 'resource_link':
      return toLink(block)
    default:
      return toQuoted(block)
  }
}

function toQuoted(value: JsonValue): ContentBlock {
  return { type: 'text', text: stripHidden(JSON.stringify(value), 'prose') }
}

function toLeftOut(what: string, why: string): ContentBlock {
  return { type: 'text', text: `[${what} left out: ${why}.]`, _meta: { [leftOutKey]: true } }
}

const leftOutKey = 'toolpact/left_out'

/** Whether a text block was put in place of omitted content. Blocks from outside cannot have this key. */
export function isLeftOut({ _meta }: ContentBlock): boolean {
  return isObject(_meta) && _meta[leftOutKey] === true
}

/** Verified by content: models and clients reject a whole conversation because of one invalid image. */
function toMedia(type: 'image' | 'audio', block: JsonObject): ContentBlock {
  const what = type === 'image' ? 'An image was' : 'A sound was'
  const data = typeof block.data === 'string' ? toBase64(block.data) : undefined
  if (data === undefined) return toLeftOut(what, 'its data is not base64')
  const declared = toMimeType(block.mimeType)
  const found = mediaTypeOf(headOf(data))
  const mimeType = found && !(declared && isSameType(found, declared)) ? found : declared
  if (!mimeType?.startsWith(`${type}/`)) return toLeftOut(what, `its bytes are ${mimeType ?? 'of no known type'}`)
  if (!found && isRecognised(mimeType)) return toLeftOut(what, `its bytes are not ${mimeType}`)
  return { type, data, mimeType, ...toBeside(block) }
}

function toResource(block: JsonObject): ContentBlock {
  const { resource } = block
  const uri = isObject(resource) ? toUri(resource.uri) : undefined
  if (!isObject(resource) || uri === undefined) return toQuoted(withoutBytes(block))
  const _meta = cleanMeta(resource._meta)
  const declared = toMimeType(resource.mimeType)
  if (typeof resource.text === 'string') {
    const text = stripHidden(resource.text, 'prose')
    return toWhole({ uri, ...(declared && { mimeType: declared }), text, ...(_meta && { _meta }) })
  }
  const blob = typeof resource.blob === 'string' ? toBase64(resource.blob) : undefined
  if (blob === undefined) return toLeftOut('A resource was', 'it has neither text nor data in base64')
  return toWhole({ uri, mimeType: toBlobType(blob, declared), blob, ...(_meta && { _meta }) })

  function toWhole(resource: JsonObject): ContentBlock {
    return { type: 'resource', resource, ...toBeside(block) }
  }
}

/**
 * Formats that use a container, such as documents in a zip file, keep their declared type; images and text may not
 * declare one.
 */
function toBlobType(blob: string, declared: string | undefined): string {
  const found = mediaTypeOf(headOf(blob))
  if (!found) return declared && !isRecognised(declared) ? declared : 'application/octet-stream'
  if (!declared || isSameType(found, declared)) return declared ?? found
  return media.test(found) || media.test(declared) || declared.startsWith('text/') ? found : declared
}

const media = /^(?:image|audio|video)\//

function toLink(block: JsonObject): ContentBlock {
  const uri = toUri(block.uri)
  if (uri === undefined) return toQuoted(block)
  const { size } = block
  const title = toLabel(block.title, 1000)
  const description = toLabel(block.description, 4000)
  const mimeType = toMimeType(block.mimeType)
  return {
    type: 'resource_link',
    uri,
    name: toLabel(block.name, 1000) ?? uri,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mimeType }),
    ...(typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 && { size }),
    ...toBeside(block),
  }
}

function toLabel(value: JsonValue | undefined, maxLength: number): string | undefined {
  if (typeof value !== 'string') return undefined
  const label = stripHidden(shorten(value, maxLength, { ellipsis: '' }), 'prose').trim()
  return label === '' ? undefined : label
}

const maxUriLength = 4096

/**
 * Clients may open a link, so schemes that execute something are refused. So are URIs that are too long: cut, they
 * would point elsewhere.
 */
function toUri(value: JsonValue | undefined): string | undefined {
  if (typeof value !== 'string' || value.length > maxUriLength) return undefined
  const uri = stripHidden(value, 'line').replace(/\s/g, '%20')
  return uri === '' || /^(?:javascript|vbscript|data):/i.test(uri) ? undefined : uri
}

const mimeTypeForm =
  /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,99}(?: ?; ?[\w-]{1,40}=[\w.+-]{1,60})*$/

function toMimeType(value: JsonValue | undefined): string | undefined {
  if (typeof value !== 'string' || value.length > 200) return undefined
  const type = value.trim().toLowerCase()
  return mimeTypeForm.test(type) ? type : undefined
}

/** The sanitized annotations and `_meta` of a block. */
function toBeside(block: JsonObject): JsonObject {
  const annotations = cleanAnnotations(block.annotations)
  const _meta = cleanMeta(block._meta)
  return { ...(annotations && { annotations }), ...(_meta && { _meta }) }
}

/** Omits bytes, which would be noise in quoted text. */
function withoutBytes(block: JsonObject): JsonObject {
  const { resource } = block
  if (!isObject(resource) || typeof resource.blob !== 'string') return block
  return { ...block, resource: { ...resource, blob: `${resource.blob.length} characters left out` } }
}

/** Standard base64 from the variants that servers send: with line breaks, URL-safe, or as a data URL. */
function toBase64(text: string): string | undefined {
  const comma = text.startsWith('data:') ? text.indexOf(';base64,') : -1
  const given = comma === -1 ? text : text.slice(comma + 8)
  const compact = /\s/.test(given) ? given.replace(/\s+/g, '') : given
  if (standard.test(compact) && compact.length % 4 === 0) return compact
  return lenient.test(compact) ? Buffer.from(compact, 'base64').toString('base64') : undefined
}

/** The first bytes, enough to detect the type. */
function headOf(base64: string): Uint8Array {
  return Buffer.from(base64.slice(0, 684), 'base64')
}
