import type { JsonObject, JsonValue } from '../json.ts'
import type { AdmittedSchema } from './guard-schema.ts'
import { pointerTo, valueAt } from './json-pointer.ts'
import { type Dialect, keywordOf, subschemas } from './keywords.ts'
import { assertedFormats } from './load-formats.ts'
import { mapParts } from './map-parts.ts'
import type { Survey } from './survey-schema.ts'

export type AjvSchema = JsonObject | boolean

/** The keyword that makes a compiled check count its steps. */
export const stepsKeyword = 'x-steps'

/**
 * Rewrites an admitted schema for ajv: always 2020-12, only keywords of our table, every referenced schema under
 * `$defs` with a plain name, and a step cost on each. ajv never sees anything that it would interpret differently.
 */
export function toAjvSchema(schema: AdmittedSchema, options: { assertFormats: boolean }): AjvSchema {
  const { root, survey } = schema
  const names = new Map<string, string>()
  for (const pointer of [...survey.references.values(), ...partsToMatch(survey)]) {
    if (!names.has(pointer)) names.set(pointer, `s${names.size}`)
  }
  const translation = { ...options, dialect: survey.dialect, references: survey.references, names }
  const translated = toSchema(root, '', translation)
  if (names.size === 0) return translated
  const $defs: JsonObject = {}
  for (const [pointer, name] of names) $defs[name] = toTarget(valueAt(root, pointer), pointer, translation)
  return typeof translated === 'boolean' ? translated : { ...translated, $defs }
}

/** The pointers of schemas that are also checked on their own, so that each is compiled once. */
function partsToMatch({ places, dialect }: Survey): string[] {
  const has = (name: string) => dialect === '2020-12' && places.some(({ schema }) => schema[name] !== undefined)
  const names = ['contains']
  if (has('unevaluatedProperties') || has('unevaluatedItems')) {
    names.push('unevaluatedProperties', 'unevaluatedItems', 'if', 'anyOf', 'oneOf')
  }
  return places.flatMap(({ schema, pointer }) =>
    names.flatMap((name) => {
      const keyword = keywordOf(name, dialect)
      if (keyword === undefined || schema[name] === undefined) return []
      return subschemas(keyword.shape, schema[name]).map(([segments]) =>
        segments.reduce(pointerTo, pointerTo(pointer, name)),
      )
    }),
  )
}

interface Translation {
  readonly dialect: Dialect
  readonly assertFormats: boolean
  readonly references: ReadonlyMap<string, string>
  /** The name under `$defs` of each referenced schema, by its pointer. */
  readonly names: ReadonlyMap<string, string>
}

/** Recursion is safe: the guard has bounded the depth. */
function toSchema(schema: JsonValue, pointer: string, translation: Translation): AjvSchema {
  const name = translation.names.get(pointer)
  if (name === undefined || typeof schema !== 'object') return toTarget(schema, pointer, translation)
  return { ...toNotes(schema as JsonObject), $ref: referenceTo(name), [stepsKeyword]: 1 }
}

function toTarget(schema: JsonValue, pointer: string, translation: Translation): AjvSchema {
  if (typeof schema === 'boolean') return schema
  const source = schema as JsonObject
  const result = toNotes(source)
  const target = translation.references.get(pointer)
  if (target !== undefined) {
    result.$ref = referenceTo(translation.names.get(target)!)
    result[stepsKeyword] = 1
    // Draft-07 ignores keywords beside a reference.
    if (translation.dialect === 'draft-07') return result
  }
  let asserts = false
  for (const [name, value] of Object.entries(source)) {
    const keyword = keywordOf(name, translation.dialect)
    if (keyword === undefined || keyword.isNote || name === '$ref') continue
    if (name === 'format' && !(translation.assertFormats && assertedFormats.has(value as string))) continue
    asserts = true
    result[name] = mapParts(keyword.shape, value, pointerTo(pointer, name), (part, at) =>
      toSchema(part, at, translation),
    )
  }
  if (translation.dialect === 'draft-07') renameItems(result)
  if (asserts) result[stepsKeyword] = priceOf(result)
  return result
}

function toNotes(source: JsonObject): JsonObject {
  const notes: JsonObject = {}
  if (typeof source.description === 'string') notes.description = source.description
  if (source.default !== undefined) notes.default = source.default
  return notes
}

/** Draft-07 has other names for a list of item schemas and for the schema of the remaining items. */
function renameItems(schema: JsonObject): void {
  const { items, additionalItems } = schema
  delete schema.additionalItems
  if (!Array.isArray(items)) return
  delete schema.items
  schema.prefixItems = items
  if (additionalItems !== undefined) schema.items = additionalItems
}

/** The cost of checking one value, apart from what is counted elsewhere: one step, and more for long lists of names. */
function priceOf(schema: JsonObject): number {
  let characters = 0
  for (const name of ['properties', 'required', 'dependentRequired', 'dependencies', 'dependentSchemas']) {
    if (schema[name] !== undefined) characters += JSON.stringify(Object.keys(schema[name] as object)).length
  }
  return 1 + Math.floor(characters / 32)
}

const referenceStart = '#/$defs/'

function referenceTo(name: string): string {
  return referenceStart + name
}

/** The target of a reference in a rewritten schema. */
export function resolveReference(root: AjvSchema, reference: string): AjvSchema {
  const { $defs } = root as { $defs: Record<string, AjvSchema> }
  return $defs[reference.slice(referenceStart.length)]!
}
