import type { JsonObject, JsonSchema, JsonValue } from '../../contract/json.ts'
import { fromPointer, pointerTo, valueAt } from '../../contract/schema/json-pointer.ts'
import { type Dialect, keywordOf } from '../../contract/schema/keywords.ts'
import { mapParts } from '../../contract/schema/map-parts.ts'
import { dialectOf, surveySchema } from '../../contract/schema/survey-schema.ts'

/**
 * Writes a contract's schema as components of the document: itself under `name`, and everything it refers to under
 * separate names, so that every reference resolves in its new place. Undefined if the schema is invalid.
 */
export function toComponentSchemas(name: string, schema: JsonSchema): JsonObject | undefined {
  const root = schema as JsonObject
  const dialect = dialectOf(root.$schema)
  if (dialect === undefined) return undefined
  const { references, problems } = surveySchema(root, dialect)
  if (problems.length > 0) return undefined
  const keys = toKeys(name, references.values())
  const translation = { dialect, references, keys }
  const components: JsonObject = {}
  for (const [pointer, key] of keys) components[key] = toTarget(valueAt(root, pointer), pointer, translation)
  return components
}

/**
 * The key of each referenced schema, by its pointer. The part after the last dot distinguishes these from the inputs
 * and outputs of tools.
 */
function toKeys(name: string, pointers: Iterable<string>): Map<string, string> {
  const keys = new Map([['', name]])
  const taken = new Set<string>()
  for (const pointer of pointers) {
    if (keys.has(pointer)) continue
    const label = toLabel(pointer)
    let distinct = label
    for (let count = 2; taken.has(distinct); count++) distinct = `${label}-${count}`
    taken.add(distinct)
    keys.set(pointer, `${name}-${distinct}`)
  }
  return keys
}

/** `/$defs/node` becomes `node`; a schema elsewhere is named after its path. */
function toLabel(pointer: string): string {
  const [first, ...rest] = fromPointer(pointer)!
  const segments = (first === '$defs' || first === 'definitions') && rest.length > 0 ? rest : [first, ...rest]
  return segments.join('_').replaceAll(/[^A-Za-z0-9_-]/g, '_') || '_'
}

interface Translation {
  readonly dialect: Dialect
  readonly references: ReadonlyMap<string, string>
  readonly keys: ReadonlyMap<string, string>
}

/** Recursion is safe: a contract's depth is limited when it is defined. */
function toSchema(schema: JsonValue, pointer: string, translation: Translation): JsonValue {
  const key = translation.keys.get(pointer)
  return key === undefined ? toTarget(schema, pointer, translation) : { $ref: toReference(key) }
}

function toTarget(schema: JsonValue, pointer: string, translation: Translation): JsonValue {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema
  const { dialect, references, keys } = translation
  const target = references.get(pointer)
  // Draft-07 ignores siblings of a reference.
  if (target !== undefined && dialect === 'draft-07') return { $ref: toReference(keys.get(target)!) }
  const result: JsonObject = {}
  for (const [name, value] of Object.entries(schema)) {
    const keyword = leftOut.has(name) ? undefined : keywordOf(name, dialect)
    if (keyword === undefined) continue
    result[name] =
      name === '$ref'
        ? toReference(keys.get(target!)!)
        : mapParts(keyword.shape, value, pointerTo(pointer, name), (part, at) => toSchema(part, at, translation))
  }
  if (dialect === 'draft-07') renameKeywords(result)
  return result
}

/**
 * Names and definitions have moved. `readOnly` and `writeOnly` are annotations in a contract, but constraints in
 * OpenAPI. Keywords unknown to the contract are dropped too, as some have a meaning in OpenAPI.
 */
const leftOut = new Set(['$schema', '$id', '$comment', '$defs', 'definitions', 'readOnly', 'writeOnly'])

/** The document uses only 2020-12. */
function renameKeywords(schema: JsonObject): void {
  const { items, additionalItems, dependencies } = schema
  delete schema.additionalItems
  delete schema.dependencies
  if (Array.isArray(items)) {
    delete schema.items
    schema.prefixItems = items
    if (additionalItems !== undefined) schema.items = additionalItems
  }
  for (const [key, part] of Object.entries((dependencies ?? {}) as JsonObject)) {
    const keyword = Array.isArray(part) ? 'dependentRequired' : 'dependentSchemas'
    schema[keyword] = { ...(schema[keyword] as JsonObject), [key]: part }
  }
}

function toReference(key: string): string {
  return `#/components/schemas/${key}`
}
