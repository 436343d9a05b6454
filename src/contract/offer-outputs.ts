import { readPageUi } from './app-ui.ts'
import { cleanBlock, maxBlocks } from './content/content-block.ts'
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from './json.ts'
import type { ListedResource } from './offer.ts'
import { blockSchema } from './opaque-output.ts'
import { stripHidden } from './text/hidden-characters.ts'
import { shorten } from './text/shorten.ts'

const closed = { type: 'object', additionalProperties: false } as const
const { uri, title, description, size, mimeType, annotations, _meta } = blockSchema.properties

/** The output of every prompt: messages that `toPromptOutput` has sanitized. */
export const promptOutput: JsonSchema = {
  ...closed,
  properties: {
    description: { type: 'string', description: 'What the prompt is for', maxLength: 4000 },
    messages: {
      type: 'array',
      description: 'The messages of the prompt, in order',
      maxItems: maxBlocks,
      items: {
        ...closed,
        properties: { role: { enum: ['user', 'assistant'], description: 'Who says it' }, content: blockSchema },
        required: ['role', 'content'],
      },
    },
  },
  required: ['messages'],
}

/** A sanitized prompt. Values of an unknown form are quoted as text. */
export function toPromptOutput({ description, messages }: JsonObject): JsonObject {
  const given = Array.isArray(messages) ? messages.slice(0, maxBlocks) : []
  return {
    ...(typeof description === 'string' && { description: toLine(description, 4000) }),
    messages: given.map((message) => {
      const { role, content } = isObject(message) ? message : { role: 'user', content: message }
      const block = typeof content === 'string' ? { type: 'text', text: content } : (content ?? '')
      return { role: role === 'assistant' ? 'assistant' : 'user', content: cleanBlock(block) }
    }),
  }
}

/** The output of every resource: contents that `toResourceOutput` has sanitized. */
export const resourceOutput: JsonSchema = {
  ...closed,
  properties: {
    contents: {
      type: 'array',
      description: 'The contents of the resource: one, or several below it',
      maxItems: maxBlocks,
      items: blockSchema.properties.resource,
    },
  },
  required: ['contents'],
}

const mediaForm = /^(?:image\/(?!svg)|audio\/|video\/|application\/(?:pdf|zip|gzip)\b)/i

/** Sanitized contents. Bytes that do not match their declared type get the detected one; what cannot be sent is replaced by a text that says so. */
export function toResourceOutput(uri: string, contents: readonly JsonValue[]): JsonObject {
  return {
    contents: contents.slice(0, maxBlocks).map((given): JsonObject => {
      const content: JsonObject = isObject(given) ? { uri, ...given } : { uri }
      const isMistyped = typeof content.text === 'string' && mediaForm.test(String(content.mimeType))
      const resource = isMistyped ? { ...content, mimeType: 'text/plain' } : content
      const block = cleanBlock({ type: 'resource', resource })
      if (block.type === 'resource') return withUi(block.resource as JsonObject, content._meta)
      return { uri, mimeType: 'text/plain', text: String(block.text) }
    }),
  }
}

/** The output of a helper that lists resources. */
export const listingOutput: JsonSchema = {
  ...closed,
  properties: {
    resources: {
      type: 'array',
      description: 'Resources, in order',
      maxItems: maxBlocks,
      items: {
        ...closed,
        properties: {
          ...{ uri, name: blockSchema.properties.name, title, description, mimeType, size, annotations, _meta },
        },
        required: ['uri', 'name'],
      },
    },
    nextCursor: { type: 'string', description: 'Where the list continues', maxLength: 4096 },
  },
  required: ['resources'],
}

/** A sanitized page of a list. Entries without a usable URI are left out. */
export function toListingOutput(resources: readonly JsonValue[], nextCursor?: string): JsonObject {
  const shown = resources.slice(0, maxBlocks).flatMap((given) => toListedResource(given) ?? [])
  return { resources: shown as unknown as JsonObject[], ...(nextCursor !== undefined && { nextCursor }) }
}

/** A sanitized entry of a list; undefined if it has no usable URI. */
export function toListedResource(given: JsonValue): ListedResource | undefined {
  if (!isObject(given)) return undefined
  const { type, ...link } = cleanBlock({ ...given, type: 'resource_link' })
  return type === 'resource_link' ? (withUi(link, given._meta) as unknown as ListedResource) : undefined
}

/** With what the page of an app may reach, from its `_meta` as received. */
function withUi(resource: JsonObject, meta: JsonValue | undefined): JsonObject {
  const ui = isObject(meta) ? readPageUi(meta.ui) : undefined
  return ui ? { ...resource, _meta: { ...(resource._meta as JsonObject | undefined), ui: ui as JsonObject } } : resource
}

/** The input of a helper that completes arguments. */
export const completionInput: JsonSchema = {
  ...closed,
  properties: {
    ref: { type: 'string', description: 'Name of the prompt, or the URI template', maxLength: 4096 },
    argument: { type: 'string', description: 'Name of the argument or variable', maxLength: 256 },
    value: { type: 'string', description: 'What was typed so far', maxLength: 4096 },
    context: {
      type: 'object',
      description: 'Arguments that are already known',
      default: {},
      maxProperties: 100,
      additionalProperties: { type: 'string', maxLength: 4096 },
    },
  },
  required: ['argument', 'value'],
}

/** MCP allows no more values in a completion. */
const maxValues = 100

/** The output of a helper that completes arguments. */
export const completionOutput: JsonSchema = {
  ...closed,
  properties: {
    values: {
      type: 'array',
      description: 'Values that complete what was typed, the best first',
      maxItems: maxValues,
      items: { type: 'string', maxLength: 4096 },
    },
    total: { type: 'integer', description: 'How many there are', minimum: 0 },
    hasMore: { type: 'boolean', description: 'Whether there are more than these' },
  },
  required: ['values', 'hasMore'],
}

/** Sanitized values, at most 100 of them. */
export function toCompletionOutput(
  values: readonly JsonValue[],
  more: { total?: number; hasMore?: boolean } = {},
): JsonObject {
  const texts = values.filter((value) => typeof value === 'string')
  const { total = texts.length, hasMore = total > maxValues } = more
  return { values: texts.slice(0, maxValues).map((value) => toLine(value, 4096)), total: Math.max(total, 0), hasMore }
}

function toLine(text: string, maxLength: number): string {
  return stripHidden(shorten(text, maxLength, { ellipsis: '' }), 'line')
}
