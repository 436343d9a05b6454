import type { JsonSchema } from '../../contract/json.ts'

/** A field of an input or output, as text. */
export interface SchemaRow {
  /** Path of the field, such as `options.depth` or `tags[]`. */
  readonly name: string
  readonly type: string
  readonly required: boolean
  /** Default and limits, as text. */
  readonly notes: readonly string[]
  readonly description: string
}

const maxRows = 200
const deepest = 5

/** Flattens an object schema; nested fields follow their parent. */
export function toSchemaRows(schema: JsonSchema): SchemaRow[] {
  const rows: SchemaRow[] = []
  addFields(schema, '', rows, 0)
  return rows
}

function addFields(schema: JsonSchema, prefix: string, rows: SchemaRow[], depth: number) {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (rows.length >= maxRows) return
    const field = typeof property === 'object' ? property : {}
    rows.push({
      name: prefix + name,
      type: property === false ? 'never' : toTypeText(field),
      required: schema.required?.includes(name) ?? false,
      notes: toNotes(field),
      description: typeof field.description === 'string' ? field.description : '',
    })
    if (depth === deepest) continue
    addFields(field, `${prefix}${name}.`, rows, depth + 1)
    if (isSchema(field.items)) addFields(field.items, `${prefix}${name}[].`, rows, depth + 1)
  }
}

function toTypeText(schema: JsonSchema, depth = 0): string {
  const { type, enum: choices, const: only, anyOf, oneOf, items, $ref } = schema
  if (Array.isArray(choices)) return choices.map((choice) => JSON.stringify(choice)).join(' | ')
  if (only !== undefined) return JSON.stringify(only)
  if (type === 'array' && isSchema(items) && depth < deepest) return `array of ${toTypeText(items, depth + 1)}`
  if (type !== undefined) return [type].flat().join(' | ')
  const branches = [anyOf, oneOf].flat().filter(isSchema)
  if (branches.length > 0 && depth < deepest) return branches.map((branch) => toTypeText(branch, depth + 1)).join(' | ')
  return typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : 'any'
}

/** Texts of keywords; `#` is replaced by the keyword's value. */
const bounds: readonly (readonly [keyword: string, words: string])[] = [
  ['default', 'default #'],
  ['minimum', 'at least #'],
  ['exclusiveMinimum', 'more than #'],
  ['maximum', 'at most #'],
  ['exclusiveMaximum', 'less than #'],
  ['multipleOf', 'a multiple of #'],
  ['minLength', 'at least # characters'],
  ['maxLength', 'at most # characters'],
  ['pattern', 'matches #'],
  ['format', 'format #'],
  ['minItems', 'at least # items'],
  ['maxItems', 'at most # items'],
  ['uniqueItems', 'no item twice'],
  ['minProperties', 'at least # keys'],
  ['maxProperties', 'at most # keys'],
]

function toNotes(schema: JsonSchema): string[] {
  return bounds
    .filter(([keyword]) => schema[keyword] !== undefined && schema[keyword] !== false)
    .map(([keyword, words]) => {
      const value = schema[keyword]
      const bare = keyword === 'pattern' || keyword === 'format'
      return words.replace('#', () => (bare ? String(value) : JSON.stringify(value)))
    })
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
