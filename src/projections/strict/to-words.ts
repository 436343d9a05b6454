import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { shorten } from '../../contract/text/shorten.ts'

const phrases: { readonly [keyword: string]: (value: JsonValue) => string } = {
  default: (value) => `Default: ${toText(value)}.`,
  examples: (value) => `Examples: ${(value as JsonValue[]).map(toText).join(', ')}.`,
  deprecated: (value) => (value === true ? 'Deprecated.' : ''),
  format: (value) => `Format: ${value}.`,
  minLength: (value) => `At least ${value} character${value === 1 ? '' : 's'}.`,
  maxLength: (value) => `At most ${value} character${value === 1 ? '' : 's'}.`,
  uniqueItems: (value) => (value === true ? 'No item twice.' : ''),
  contains: (value) => `Contains an item that matches ${toText(value)}.`,
  minContains: (value) => `Contains at least ${value} of them.`,
  maxContains: (value) => `Contains at most ${value} of them.`,
  minProperties: (value) => `At least ${value} of the properties.`,
  maxProperties: (value) => `At most ${value} of the properties.`,
  dependentRequired: (value) => `A property that needs others: ${toText(value)}.`,
  anyOf: (value) => `Matches at least one of ${toText(value)}.`,
  oneOf: (value) => `Matches exactly one of ${toText(value)}.`,
  not: (value) => `Does not match ${toText(value)}.`,
}

/** What a keyword demands, as a sentence for the description; empty if there is none. */
export function toWords(keyword: string, value: JsonValue): string {
  return Object.hasOwn(phrases, keyword) ? phrases[keyword]!(value) : ''
}

/** The schema with a sentence added to its description. */
export function withWords(schema: JsonObject, words: string): JsonObject {
  if (words === '') return schema
  const { description } = schema
  if (typeof description !== 'string' || description === '') return { ...schema, description: words }
  return { ...schema, description: `${description}${/[.!?…]$/.test(description) ? '' : '.'} ${words}` }
}

const maxText = 300

function toText(value: JsonValue): string {
  return shorten(JSON.stringify(value), maxText)
}
