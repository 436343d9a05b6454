import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { pointerTo } from '../../contract/schema/json-pointer.ts'
import { keywordOf, subschemas } from '../../contract/schema/keywords.ts'
import { findTarget } from '../../contract/schema/local-reference.ts'
import { dialectOf, surveySchema } from '../../contract/schema/survey-schema.ts'

/** The keys of an object according to a schema, its branches, its conditions and their references. */
export interface InputKeys {
  /** Declared keys, each with the first schema that declares it. */
  readonly declared: ReadonlyMap<string, JsonValue>
  /** Patterns of declared keys. */
  readonly patterns: readonly string[]
  readonly required: readonly string[]
  /** Whether other keys are explicitly allowed, and described. */
  readonly others: 'unsaid' | 'any' | 'described'
}

/** Reads the keys of one schema of a document that passed the guard. */
export function readInputKeys(root: JsonObject, start: JsonObject = root): InputKeys {
  const dialect = dialectOf(root.$schema) ?? '2020-12'
  const declared = new Map<string, JsonValue>()
  const patterns = new Set<string>()
  const required = new Set<string>()
  const rests: JsonValue[] = []
  const seen = new Set<JsonObject>([start])
  for (const schema of seen) {
    for (const [key, part] of Object.entries(toObject(schema.properties))) {
      if (!declared.has(key)) declared.set(key, part)
    }
    for (const pattern of Object.keys(toObject(schema.patternProperties))) patterns.add(pattern)
    if (Array.isArray(schema.required)) for (const key of schema.required) required.add(String(key))
    rests.push(schema.additionalProperties ?? false)
    if (dialect === '2020-12') rests.push(schema.unevaluatedProperties ?? false)
    for (const [name, value] of Object.entries(schema)) {
      const keyword = keywordOf(name, dialect)
      // `not` declares nothing.
      if (!keyword?.inPlace || name === 'not') continue
      if (name === '$ref') {
        const target = findTarget(root, String(value))
        if (target.found) visit(target.schema)
      } else for (const [, part] of subschemas(keyword.shape, value)) visit(part)
    }
  }
  return { declared, patterns: [...patterns], required: [...required], others: toOthers(rests) }

  function visit(part: unknown): void {
    if (typeof part === 'object' && part !== null) seen.add(part as JsonObject)
  }
}

function toOthers(rests: readonly JsonValue[]): InputKeys['others'] {
  const open = rests.filter((rest) => rest !== false)
  if (open.length === 0) return 'unsaid'
  return open.some((rest) => Object.keys(toObject(rest)).length > 0) ? 'described' : 'any'
}

/** Pointers to keys that are required somewhere in the schema and declared nowhere. */
export function findUndeclared(root: JsonObject): string[] {
  const dialect = dialectOf(root.$schema) ?? '2020-12'
  const found = undeclaredIn(readInputKeys(root), '')
  for (const { schema, pointer } of surveySchema(root, dialect).places) {
    for (const [name, value] of Object.entries(schema)) {
      const keyword = keywordOf(name, dialect)
      // Branches belong to the enclosing object, and definitions to the place that references them.
      if (!keyword || keyword.inPlace || keyword.isNote) continue
      for (const [segments, part] of subschemas(keyword.shape, value)) {
        if (typeof part !== 'object' || part === null) continue
        const at = segments.reduce(pointerTo, pointerTo(pointer, name))
        found.push(...undeclaredIn(readInputKeys(root, part as JsonObject), at))
      }
    }
  }
  return found
}

function undeclaredIn({ declared, patterns, required, others }: InputKeys, at: string): string[] {
  // A pattern, or a schema for all other keys, may cover the key. The input is validated against it anyway.
  if (patterns.length > 0 || others === 'described') return []
  return required.filter((key) => !declared.has(key)).map((key) => pointerTo(at, key))
}

function toObject(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {}
}
