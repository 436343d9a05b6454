import type { ErrorObject } from 'ajv'
import type { JsonObject, JsonValue } from '../json.ts'
import { nearest } from '../text/nearest.ts'
import { showText, showValue } from '../text/show-value.ts'
import { describeBranches, describeSchema, describeTypes, listValues } from './describe-schema.ts'
import { firstRepeat } from './exact-keywords.ts'
import type { AjvSchema } from './to-ajv-schema.ts'

/** The parts of `"/age" must <expected>, but <but>. <hint>`; without `but`, the value itself is shown. */
export interface Expectation {
  readonly expected: string
  readonly but?: string
  readonly hint?: string
}

export function expectationOf(error: ErrorObject, schema: JsonObject, root: AjvSchema): Expectation {
  const { keyword, params, data, schema: wanted } = error
  const comparison = comparisons.get(keyword)
  if (comparison) return { expected: `be ${comparison} ${params.limit}` }
  const size = sizes.get(keyword)
  if (size) return { expected: `have ${size[0]} ${count(params.limit, size[1])}`, but: `has ${sizeOf(data)}` }
  switch (keyword) {
    case 'type':
      return { expected: `be ${describeTypes(schema.type!)}`, hint: typeHint([schema.type!].flat().map(String), data) }
    case 'enum':
      return { expected: `be one of ${listValues(wanted as unknown[])}`, hint: choiceHint(wanted as unknown[], data) }
    case 'const':
      return { expected: `be ${showValue(wanted)}` }
    case 'pattern':
      return { expected: `match the pattern ${showText(String(wanted), 200)}` }
    case 'format':
      return { expected: `be a valid ${wanted}`, hint: formatHint(String(wanted)) }
    case 'multipleOf':
      return { expected: `be a multiple of ${wanted}` }
    case 'uniqueItems':
      return { expected: 'have no item twice', but: repeatedItem(data as JsonValue[]), hint: 'Leave one out.' }
    case 'contains':
      return { expected: `contain ${containsWords(schema, root)}` }
    case 'oneOf':
      if (Array.isArray(params.passingSchemas)) return severalForms(params.passingSchemas)
      return { expected: `be ${describeBranches(wanted as AjvSchema[], root)}` }
    case 'anyOf':
      return { expected: `be ${describeBranches(wanted as AjvSchema[], root)}` }
    case 'not':
      return {
        expected: `not be ${describeSchema(wanted as AjvSchema, root).replace(/^another form$/, 'of the form that the schema excludes')}`,
      }
    case 'false schema':
      return { expected: 'not be there', hint: 'Leave it out.' }
    default:
      return { expected: `satisfy ${showValue(keyword)}` }
  }
}

const comparisons: ReadonlyMap<string, string> = new Map([
  ['minimum', 'at least'],
  ['maximum', 'at most'],
  ['exclusiveMinimum', 'more than'],
  ['exclusiveMaximum', 'less than'],
])

const sizes: ReadonlyMap<string, readonly [relation: string, unit: string]> = new Map([
  ['minLength', ['at least', 'character']],
  ['maxLength', ['at most', 'character']],
  ['minItems', ['at least', 'item']],
  ['maxItems', ['at most', 'item']],
  ['minProperties', ['at least', 'key']],
  ['maxProperties', ['at most', 'key']],
] as const)

function count(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? '' : 's'}`
}

function sizeOf(value: unknown): number {
  if (typeof value !== 'string') return Object.keys(value as object).length
  let characters = 0
  for (const _ of value) characters++
  return characters
}

/** The usual mistake of a model behind a wrong type. */
function typeHint(types: string[], value: unknown): string | undefined {
  const wantsNumber = types.includes('number') || types.includes('integer')
  if (typeof value === 'string') {
    if (wantsNumber && value.trim() !== '' && Number.isFinite(Number(value))) return 'Send a number without quotes.'
    if (types.includes('boolean') && /^(?:true|false)$/i.test(value)) return 'Send true or false without quotes.'
    if (types.includes('null') && value === 'null') return 'Send null without quotes.'
    if (types.includes('object') && /^\s*\{/.test(value)) return 'Send the object itself, not JSON text in a string.'
    if (types.includes('array') && /^\s*\[/.test(value)) return 'Send the array itself, not JSON text in a string.'
  }
  if (types.includes('array') && value !== null && !Array.isArray(value)) return 'Put it in an array: [ … ].'
  if (types.includes('integer') && typeof value === 'number') return 'Send a whole number.'
  if (types.includes('string') && (typeof value === 'number' || typeof value === 'boolean')) return 'Put it in quotes.'
  return value === null ? 'Leave it out if there is no value.' : undefined
}

function choiceHint(choices: unknown[], value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') {
    return choices.includes(String(value)) ? 'Put it in quotes.' : undefined
  }
  if (typeof value !== 'string') return undefined
  const words = choices.filter((choice) => typeof choice === 'string')
  const meant = nearest(value, words)
  return meant === undefined ? undefined : `Did you mean ${showValue(meant)}?`
}

const formatExamples: ReadonlyMap<string, string> = new Map([
  ['date', '2026-01-31'],
  ['time', '13:45:00Z'],
  ['date-time', '2026-01-31T13:45:00Z'],
  ['duration', 'P1DT2H30M'],
  ['email', 'ada@example.org'],
  ['hostname', 'www.example.org'],
  ['ipv4', '192.0.2.1'],
  ['ipv6', '2001:db8::1'],
  ['uri', 'https://example.org/path'],
  ['uri-reference', '/path?query'],
  ['uri-template', 'https://example.org/{id}'],
  ['uuid', '123e4567-e89b-12d3-a456-426614174000'],
  ['json-pointer', '/items/0'],
  ['relative-json-pointer', '1/name'],
  ['regex', '^[a-z]+$'],
])

function formatHint(format: string): string | undefined {
  const example = formatExamples.get(format)
  return example === undefined ? undefined : `Example: ${JSON.stringify(example)}.`
}

function repeatedItem(items: JsonValue[]): string {
  const [first, second] = firstRepeat(items) ?? []
  return `items ${first} and ${second} are both ${showValue(items[second ?? 0], 40)}`
}

function containsWords(schema: JsonObject, root: AjvSchema): string {
  const { contains, minContains = 1, maxContains } = schema
  const max = maxContains === undefined ? '' : ` and at most ${maxContains}`
  const words = describeSchema(contains as AjvSchema, root).replace(/^another form$/, 'such as the schema describes')
  return `at least ${minContains}${max} of: ${words}`
}

function severalForms(places: number[]): Expectation {
  const forms = places.map((place) => place + 1).join(' and ')
  return {
    expected: 'match exactly one of its forms',
    but: `matches forms ${forms} at once`,
    hint: 'Make it fit only one.',
  }
}
