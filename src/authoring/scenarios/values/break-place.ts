import { isObject, type JsonObject, type JsonValue } from '../../../contract/json.ts'
import { namesOf, requiredOf, type SchemaObject, typesOf } from '../../../contract/lint/walk-schema.ts'
import { assertedFormats } from '../../../contract/schema/load-formats.ts'
import { resizeList, resizeObject, resizeText } from './make-string.ts'
import type { Place } from './places.ts'

export type BrokenRule = 'missing-required' | 'wrong-type' | 'unknown-property' | 'bounds' | 'enum-pattern-format'

/** Values that violate one keyword at a place, or just satisfy it. */
export interface Probe {
  readonly rule: BrokenRule
  readonly schema: SchemaObject
  readonly keyword: string
  /** Distinguishes probes of the same keyword. */
  readonly detail: string
  readonly isValid: boolean
  /** Tried in order until one has the intended effect. */
  readonly values: () => readonly JsonValue[]
}

/** All probes of a place. The caller validates whether they have the intended effect. */
export function probesOf({ value, schemas }: Place): Probe[] {
  return schemas.flatMap((schema) => [
    ...missing(schema, value),
    ...otherTypes(schema),
    ...unknownNames(schema, value),
    ...bounds(schema, value),
    ...forms(schema, value),
  ])
}

function missing(schema: SchemaObject, value: JsonValue): Probe[] {
  if (!isObject(value)) return []
  const rule = 'missing-required'
  const without = (name: string) => Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
  const dependents = Object.values({ ...asObject(schema.dependentRequired), ...asObject(schema.dependencies) })
  const brought = dependents.flat().filter((name) => typeof name === 'string')
  return [
    ...requiredOf(schema).map((name) => ({ keyword: 'required', name })),
    ...brought.map((name) => ({ keyword: 'dependentRequired', name })),
  ]
    .filter(({ name }) => Object.hasOwn(value, name))
    .map(({ keyword, name }) => ({
      rule,
      schema,
      keyword,
      detail: name,
      isValid: false,
      values: () => [without(name)],
    }))
}

/** Includes values that careless code accepts as the right type. */
const ofType: readonly (readonly [type: string, value: JsonValue])[] = [
  ['null', null],
  ['string', ''],
  ['string', '7'],
  ['string', 'true'],
  ['number', 1.5],
  ['integer', 7],
  ['boolean', true],
  ['array', []],
  ['object', {}],
]

function otherTypes(schema: SchemaObject): Probe[] {
  const types = typesOf(schema)
  if (!types) return []
  const isAllowed = (type: string) => types.includes(type) || (type === 'integer' && types.includes('number'))
  return ofType
    .filter(([type]) => !isAllowed(type))
    .map(([, value]) => ({
      rule: 'wrong-type',
      schema,
      keyword: 'type',
      detail: JSON.stringify(value),
      isValid: false,
      values: () => [value],
    }))
}

const unexpected = ['unexpected_property', 'x', '']

function unknownNames(schema: SchemaObject, value: JsonValue): Probe[] {
  const closing = ['additionalProperties', 'unevaluatedProperties', 'propertyNames'].filter(
    (name) => name in schema && schema[name] !== true,
  )
  if (!isObject(value) || closing.length === 0) return []
  const [first] = namesOf(schema)
  const names = [...unexpected, ...(first === undefined ? [] : [first.toUpperCase()])]
  const values = () => names.filter((name) => !Object.hasOwn(value, name)).map((name) => ({ ...value, [name]: true }))
  return closing.map((keyword) => ({
    rule: 'unknown-property',
    schema,
    keyword,
    detail: '',
    isValid: false,
    values,
  }))
}

/** For each limit: one beyond it, and one just within. */
function bounds(schema: SchemaObject, value: JsonValue): Probe[] {
  const rule = 'bounds'
  return Object.entries(schema).flatMap(([keyword, bound]): Probe[] => {
    const sides = typeof bound === 'number' ? sidesOf(keyword, bound, value) : undefined
    if (sides) {
      return (['beyond', 'within'] as const).map((detail) => ({
        rule,
        schema,
        keyword,
        detail,
        isValid: detail === 'within',
        values: sides[detail],
      }))
    }
    if (keyword !== 'uniqueItems' || bound !== true || !Array.isArray(value) || value.length === 0) return []
    const values = () => [
      [...value, value[0]!],
      [value[0]!, value[0]!],
    ]
    return [{ rule, schema, keyword, detail: '', isValid: false, values }]
  })
}

interface Sides {
  readonly beyond: () => readonly JsonValue[]
  readonly within: () => readonly JsonValue[]
}

function sidesOf(keyword: string, bound: number, value: JsonValue): Sides | undefined {
  if (typeof value === 'number') return numberSides(keyword, bound, value)
  const sign = keyword.startsWith('min') ? -1 : 1
  const resize = resizers.find(([form, isOfKind]) => form.test(keyword) && isOfKind(value))?.[2]
  // In JSON Schema 2.0 is an integer; lengths cannot be negative.
  if (!resize) return undefined
  return {
    beyond: () => (bound + sign < 0 ? [] : resize(value, bound + sign)),
    within: () => resize(value, bound),
  }
}

const resizers: readonly (readonly [
  form: RegExp,
  isOfKind: (value: JsonValue) => boolean,
  resize: (value: JsonValue, length: number) => readonly JsonValue[],
])[] = [
  [/^m(?:in|ax)Length$/, (value) => typeof value === 'string', (text, length) => resizeText(text as string, length)],
  [/^m(?:in|ax)Items$/, Array.isArray, (list, length) => resizeList(list as JsonValue[], length)],
  [/^m(?:in|ax)Properties$/, isObject, (object, length) => resizeObject(object as JsonObject, length)],
]

function numberSides(keyword: string, bound: number, value: number): Sides | undefined {
  switch (keyword) {
    case 'minimum':
      return { beyond: () => [bound - 1], within: () => [bound] }
    case 'maximum':
      return { beyond: () => [bound + 1], within: () => [bound] }
    case 'exclusiveMinimum':
      return { beyond: () => [bound], within: () => [bound + 1, bound + 0.5, bound + 0.001] }
    case 'exclusiveMaximum':
      return { beyond: () => [bound], within: () => [bound - 1, bound - 0.5, bound - 0.001] }
    case 'multipleOf':
      return { beyond: () => [value + bound / 2, value + 1], within: () => [bound, 0] }
    default:
      return undefined
  }
}

function forms(schema: SchemaObject, value: JsonValue): Probe[] {
  const probe = (keyword: string, values: () => readonly JsonValue[]): Probe => ({
    rule: 'enum-pattern-format',
    schema,
    keyword,
    detail: '',
    isValid: false,
    values,
  })
  const listed = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : []
  return [
    ...('enum' in schema || 'const' in schema
      ? [probe('enum' in schema ? 'enum' : 'const', () => unlike(listed as JsonValue[]))]
      : []),
    ...(typeof schema.pattern === 'string' && typeof value === 'string'
      ? [probe('pattern', () => misfits(value))]
      : []),
    ...(assertedFormats.has(String(schema.format)) && typeof value === 'string'
      ? [probe('format', () => [`not a ${schema.format}`, `${value} `, ' ', '', '%'])]
      : []),
  ]
}

/** First a near miss, then something different. */
function unlike(listed: readonly JsonValue[]): JsonValue[] {
  const texts = listed.filter((value) => typeof value === 'string')
  const near = texts.slice(0, 3).flatMap((text) => [text.toUpperCase(), `${text}x`, ` ${text}`])
  return [...near, 'none_of_these', -1, 0.25, null, false, [], {}]
}

function misfits(text: string): string[] {
  return [`${text}\n`, `${text}!`, `${text} `, `../${text}`, `ü${text}`, text.slice(1), '', ' ', '!', 'A', 'a', '0', '\u0000', '\n'] // biome-ignore format: one list
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}
