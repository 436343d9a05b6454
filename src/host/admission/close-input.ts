import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { dialectOf } from '../../contract/schema/survey-schema.ts'
import { type InputKeys, readInputKeys } from './input-keys.ts'

export interface ClosedInput {
  readonly schema: JsonObject
  /** `open`: it describes arguments that it does not name. */
  readonly root: 'closed' | 'closed here' | 'open'
}

/** Makes the root of a schema reject undeclared properties, even if it explicitly allows any. */
export function closeInput(schema: JsonObject, keys: InputKeys = readInputKeys(schema)): ClosedInput {
  const dialect = dialectOf(schema.$schema)
  // Draft-07 ignores siblings of $ref, so the reference has to be wrapped.
  if (schema.$ref !== undefined && dialect === 'draft-07') {
    const { $ref, allOf = [], ...rest } = schema
    return closeInput({ ...rest, allOf: [...(allOf as JsonValue[]), { $ref }] } as JsonObject, keys)
  }
  if (schema.additionalProperties === false) return { schema, root: 'closed' }
  if (keys.others === 'described') return { schema, root: 'open' }
  if (schema.unevaluatedProperties === false && dialect === '2020-12') return { schema, root: 'closed' }
  return { schema: { ...schema, ...toDeclared(schema, keys), additionalProperties: false }, root: 'closed here' }
}

/** Declares the keys of branches at the root too: `additionalProperties` does not look into branches. */
function toDeclared(schema: JsonObject, { declared, patterns }: InputKeys): JsonObject {
  const own = (schema.properties ?? {}) as JsonObject
  const ownPatterns = (schema.patternProperties ?? {}) as JsonObject
  const added = [...declared].filter(([key]) => !Object.hasOwn(own, key))
  const addedPatterns = patterns.filter((pattern) => !Object.hasOwn(ownPatterns, pattern))
  return {
    ...(added.length > 0 && { properties: { ...own, ...Object.fromEntries(added.map(toMention)) } }),
    ...(addedPatterns.length > 0 && {
      patternProperties: { ...ownPatterns, ...Object.fromEntries(addedPatterns.map((pattern) => [pattern, true])) },
    }),
  }
}

/** Declares a key without restricting its value, which the branch does. */
function toMention([key, schema]: [string, JsonValue]): [string, JsonValue] {
  const description = (schema as JsonObject).description
  return [key, typeof description === 'string' ? { description } : true]
}
