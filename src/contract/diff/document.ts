import { isObject, type JsonObject, type JsonValue } from '../json.ts'
import { boundJson } from '../schema/bound-json.ts'
import { boundReferences } from '../schema/bound-references.ts'
import { pointerTo } from '../schema/json-pointer.ts'
import type { Dialect } from '../schema/keywords.ts'
import { findTarget } from '../schema/local-reference.ts'
import { schemaBounds } from '../schema/schema-rules.ts'
import { dialectOf, surveySchema } from '../schema/survey-schema.ts'

/** A schema in a document, and its path. */
export interface Place {
  readonly schema: JsonObject | boolean
  /** JSON pointer into the contract. */
  readonly pointer: string
  readonly document: Document
}

interface Document {
  readonly root: JsonValue
  readonly dialect: Dialect
  /** The pointer of the document in the contract. */
  readonly base: string
}

/** A well-formed, bounded schema, or its problems. Walking it needs no further checks. Patterns are left to the guard. */
export function openDocument(schema: unknown, base: string): Place | string {
  const copy = boundJson(schema, { maxBytes: schemaBounds.bytes, maxDepth: schemaBounds.depth })
  if (!copy.ok) return copy.message
  const root = copy.value
  const dialect = dialectOf(isObject(root) ? root.$schema : undefined)
  if (dialect === undefined) return 'Its "$schema" is unknown.'
  const survey = surveySchema(root, dialect)
  const [problem] = survey.problems.length > 0 ? survey.problems : boundReferences(survey.places)
  if (problem) return problem.message
  return { schema: root as JsonObject | boolean, pointer: base, document: { root, dialect, base } }
}

/** Stand-ins for schemas of other documents. */
const embedded = new WeakMap<object, Place>()

/** What stands for a schema inside one of another document, which may have another dialect and other references. */
export function embed(place: Place): JsonObject | boolean {
  if (typeof place.schema === 'boolean') return place.schema
  const standIn: JsonObject = {}
  embedded.set(standIn, place)
  return standIn
}

/** A well-formed schema that code has made, in which `embed` may stand for others. */
export function composed(schema: JsonObject | boolean): Place {
  return { schema, pointer: '', document: { root: schema, dialect: '2020-12', base: '' } }
}

/** The schema at a path below another one. */
export function placeIn({ schema, pointer, document }: Place, ...steps: readonly (string | number)[]): Place {
  const found = steps.reduce((value: JsonValue, step) => (value as JsonObject)[step]!, schema)
  const other = typeof found === 'object' && found !== null ? embedded.get(found) : undefined
  if (other) return other
  return { schema: found as Place['schema'], pointer: steps.reduce<string>(pointerTo, pointer), document }
}

/** The target of `$ref`, if any. */
export function targetOf({ schema, document }: Place): Place | undefined {
  if (typeof schema === 'boolean' || typeof schema.$ref !== 'string') return undefined
  const target = findTarget(document.root, schema.$ref)
  // `openDocument` has resolved every reference.
  if (!target.found) return undefined
  return { schema: target.schema as Place['schema'], pointer: document.base + target.pointer, document }
}
