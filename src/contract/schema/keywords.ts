export type Dialect = '2020-12' | 'draft-07'

/** The shape of a keyword's value; `check-keyword.ts` checks each one. */
export type Shape =
  | 'any'
  | 'boolean'
  | 'string'
  | 'pattern'
  | 'number'
  | 'positive'
  | 'count'
  | 'types'
  | 'names'
  | 'names by key'
  | 'values'
  | 'enum'
  | 'schema'
  | 'schemas'
  | 'schema or schemas'
  | 'schemas by key'
  | 'schemas by pattern'
  | 'schemas or names by key'
  | 'refused'

export interface Keyword {
  readonly shape: Shape
  /** Defined by one dialect only; the other ignores it. */
  readonly only?: Dialect
  /** Its subschemas apply to the same value, not to a part of it. */
  readonly inPlace?: true
  /** An annotation: never makes a value invalid. */
  readonly isNote?: true
}

const only2020 = { only: '2020-12' } as const
const only07 = { only: 'draft-07' } as const
const inPlace = { inPlace: true } as const
const isNote = { isNote: true } as const

/**
 * Every keyword that is checked. Replaces the metaschemas, whose compilation would add 70 ms to a start. A Map, because
 * a schema may have a keyword named `constructor`.
 */
export const keywords: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ['$schema', { shape: 'string', ...isNote }],
  ['$id', { shape: 'string', ...isNote }],
  ['$comment', { shape: 'string', ...isNote }],
  ['$vocabulary', { shape: 'refused', ...only2020 }],
  // References to it are refused, so it has no effect.
  ['$anchor', { shape: 'string', ...isNote, ...only2020 }],
  ['$dynamicAnchor', { shape: 'refused' }],
  ['$dynamicRef', { shape: 'refused' }],
  ['$recursiveAnchor', { shape: 'refused' }],
  ['$recursiveRef', { shape: 'refused' }],
  ['$ref', { shape: 'string', ...inPlace }],
  ['$defs', { shape: 'schemas by key', ...isNote, ...only2020 }],
  ['definitions', { shape: 'schemas by key', ...isNote }],

  ['title', { shape: 'string', ...isNote }],
  ['description', { shape: 'string', ...isNote }],
  ['default', { shape: 'any', ...isNote }],
  ['examples', { shape: 'values', ...isNote }],
  ['readOnly', { shape: 'boolean', ...isNote }],
  ['writeOnly', { shape: 'boolean', ...isNote, ...only2020 }],
  ['deprecated', { shape: 'boolean', ...isNote, ...only2020 }],
  ['contentEncoding', { shape: 'string', ...isNote }],
  ['contentMediaType', { shape: 'string', ...isNote }],
  ['contentSchema', { shape: 'schema', ...isNote, ...only2020 }],

  ['type', { shape: 'types' }],
  ['const', { shape: 'any' }],
  ['enum', { shape: 'enum' }],
  ['multipleOf', { shape: 'positive' }],
  ['maximum', { shape: 'number' }],
  ['exclusiveMaximum', { shape: 'number' }],
  ['minimum', { shape: 'number' }],
  ['exclusiveMinimum', { shape: 'number' }],
  ['maxLength', { shape: 'count' }],
  ['minLength', { shape: 'count' }],
  ['pattern', { shape: 'pattern' }],
  ['format', { shape: 'string' }],
  ['maxItems', { shape: 'count' }],
  ['minItems', { shape: 'count' }],
  ['uniqueItems', { shape: 'boolean' }],
  ['maxContains', { shape: 'count', ...only2020 }],
  ['minContains', { shape: 'count', ...only2020 }],
  ['maxProperties', { shape: 'count' }],
  ['minProperties', { shape: 'count' }],
  ['required', { shape: 'names' }],
  ['dependentRequired', { shape: 'names by key', ...only2020 }],

  ['allOf', { shape: 'schemas', ...inPlace }],
  ['anyOf', { shape: 'schemas', ...inPlace }],
  ['oneOf', { shape: 'schemas', ...inPlace }],
  ['not', { shape: 'schema', ...inPlace }],
  ['if', { shape: 'schema', ...inPlace }],
  ['then', { shape: 'schema', ...inPlace }],
  ['else', { shape: 'schema', ...inPlace }],
  ['dependentSchemas', { shape: 'schemas by key', ...inPlace, ...only2020 }],
  ['dependencies', { shape: 'schemas or names by key', ...inPlace }],
  ['prefixItems', { shape: 'schemas', ...only2020 }],
  ['items', { shape: 'schema or schemas' }],
  ['additionalItems', { shape: 'schema', ...only07 }],
  ['contains', { shape: 'schema' }],
  ['properties', { shape: 'schemas by key' }],
  ['patternProperties', { shape: 'schemas by pattern' }],
  ['additionalProperties', { shape: 'schema' }],
  ['propertyNames', { shape: 'schema' }],
  ['unevaluatedItems', { shape: 'schema', ...only2020 }],
  ['unevaluatedProperties', { shape: 'schema', ...only2020 }],
])

/** The keyword in a dialect; undefined if the dialect ignores it. */
export function keywordOf(name: string, dialect: Dialect): Keyword | undefined {
  const keyword = keywords.get(name)
  return keyword?.only !== undefined && keyword.only !== dialect ? undefined : keyword
}

/** The subschemas in a keyword's value, each with its path below the keyword. Expects a valid shape. */
export function subschemas(shape: Shape, value: unknown): (readonly [segments: string[], schema: unknown])[] {
  switch (shape) {
    case 'schema':
      return [[[], value]]
    case 'schemas':
    case 'schema or schemas':
      if (!Array.isArray(value)) return [[[], value]]
      return value.map((schema, index) => [[String(index)], schema])
    case 'schemas by key':
    case 'schemas by pattern':
      return Object.entries(value as object).map(([key, schema]) => [[key], schema])
    case 'schemas or names by key':
      return Object.entries(value as object).flatMap(([key, entry]) => (Array.isArray(entry) ? [] : [[[key], entry]]))
    default:
      return []
  }
}
