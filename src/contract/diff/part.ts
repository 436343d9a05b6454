import { canonicalJson } from '../canonical-json.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import { keywordOf, keywords } from '../schema/keywords.ts'
import { type Place, placeIn, targetOf } from './document.ts'
import { type Kind, toKinds } from './kind.ts'

/**
 * One schema object without its references: its keywords, and its subschemas in one form for both dialects. A schema is
 * a list of parts that must all hold: its own, that of `$ref`, those of `allOf`.
 */
export interface Part {
  readonly place: Place
  readonly kinds: ReadonlySet<Kind>
  /** The values of `enum` and `const`, if any, by their canonical text. */
  readonly values?: ReadonlyMap<string, JsonValue>
  /** The keywords that can make a value invalid. */
  readonly own: JsonObject
  /** Unknown keywords. */
  readonly unknown: JsonObject
  readonly properties: ReadonlyMap<string, Place>
  readonly patterns: ReadonlyMap<string, Place>
  /** The schema of all other properties. */
  readonly others?: Place
  readonly prefix: readonly Place[]
  /** The schema of all other items. */
  readonly rest?: Place
  readonly unions: readonly Union[]
  readonly dependentSchemas: readonly (readonly [name: string, place: Place])[]
  readonly dependentRequired: readonly (readonly [name: string, names: readonly string[]])[]
  /** Keywords that depend on what the other keywords have evaluated. */
  readonly unevaluated: readonly string[]
  /** Whether a text has the pattern and format, if they can be run. */
  readonly matches?: (text: string) => Answer
}

export type Answer = 'yes' | 'no' | 'unknown'

/** Runs a pattern and a format on a text. */
export type TextTest = (own: JsonObject, text: string) => Answer

export interface Union {
  readonly keyword: 'anyOf' | 'oneOf'
  readonly branches: readonly Place[]
}

/** Returns the parts of a schema. */
export type PartsOf = (place: Place) => readonly Part[]

/** Computes the parts of each schema once. Without `test`, patterns and formats are not run. */
export function createPartsOf(test?: TextTest): PartsOf {
  const known = new WeakMap<JsonObject, readonly Part[]>()
  return function partsOf(named: Place): readonly Part[] {
    const place = follow(named)
    const { schema } = place
    if (schema === true) return []
    if (schema === false) return [{ ...toPart(place, {}), kinds: new Set() }]
    const before = known.get(schema)
    if (before) return before
    const own = toOwn(place, schema)
    const target = targetOf(place)
    const more = [...(target ? [target] : []), ...toList(place, 'allOf', own)]
    const part = toPart(place, own)
    const isText = test && ('pattern' in part.own || 'format' in part.own)
    const first = isText ? { ...part, matches: (text: string) => test(part.own, text) } : part
    const parts = [first, ...more.flatMap(partsOf)]
    known.set(schema, parts)
    return parts
  }
}

/** Follows a schema that consists only of `$ref`; otherwise the schema itself. */
export function follow(place: Place): Place {
  const { schema } = place
  if (typeof schema === 'boolean' || typeof schema.$ref !== 'string') return place
  return Object.keys(toOwn(place, schema)).length === 1 ? follow(targetOf(place)!) : place
}

/** The effective keywords of a schema: no annotations, and none beside a `$ref` of draft-07. */
export function toOwn({ document }: Place, schema: JsonObject): JsonObject {
  if (document.dialect === 'draft-07' && typeof schema.$ref === 'string') return { $ref: schema.$ref }
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !keywords.get(name)?.isNote))
}

function toPart(place: Place, counting: JsonObject): Part {
  const isKnown = ([name]: [string, JsonValue]) => keywordOf(name, place.document.dialect) !== undefined
  const own = Object.fromEntries(Object.entries(counting).filter(isKnown))
  const values = toValues(own)
  const others = toOthers(own)
  const rest = toRest(own)
  const dependencies = toMap(place, 'dependencies', own)
  return {
    place,
    own,
    unknown: Object.fromEntries(Object.entries(counting).filter((entry) => !isKnown(entry))),
    kinds: toKinds(own.type as string | string[] | undefined),
    ...(values && { values }),
    properties: new Map(toMap(place, 'properties', own)),
    patterns: new Map(toMap(place, 'patternProperties', own)),
    ...(others && { others: placeIn(place, others) }),
    prefix: toList(place, Array.isArray(own.items) ? 'items' : 'prefixItems', own),
    ...(rest && { rest: placeIn(place, rest) }),
    unions: (['anyOf', 'oneOf'] as const)
      .filter((keyword) => keyword in own)
      .map((keyword) => ({ keyword, branches: toList(place, keyword, own) })),
    dependentSchemas: [
      ...toMap(place, 'dependentSchemas', own),
      ...dependencies.filter(([, { schema }]) => !Array.isArray(schema)),
    ],
    dependentRequired: [
      ...Object.entries((own.dependentRequired ?? {}) as Record<string, string[]>),
      ...dependencies.flatMap(([name, { schema }]) => (Array.isArray(schema) ? [[name, schema] as const] : [])),
    ],
    unevaluated: [
      ...('unevaluatedProperties' in own && !others ? ['unevaluatedProperties'] : []),
      ...('unevaluatedItems' in own && !rest ? ['unevaluatedItems'] : []),
    ],
  }
}

function toValues(own: JsonObject): Map<string, JsonValue> | undefined {
  if (!('enum' in own || 'const' in own)) return undefined
  const toMap = (values: JsonValue[]) => new Map(values.map((value) => [canonicalJson(value), value]))
  const [values, only] = [toMap((own.enum ?? [own.const]) as JsonValue[]), canonicalJson(own.const ?? null)]
  return 'const' in own ? new Map([...values].filter(([text]) => text === only)) : values
}

/** The keyword for the other properties. */
function toOthers(own: JsonObject): string | undefined {
  if ('additionalProperties' in own) return 'additionalProperties'
  return 'unevaluatedProperties' in own && isAlone(own) ? 'unevaluatedProperties' : undefined
}

/** The keyword for the other items. */
function toRest(own: JsonObject): string | undefined {
  if (Array.isArray(own.items)) return 'additionalItems' in own ? 'additionalItems' : undefined
  if ('items' in own) return 'items'
  return 'unevaluatedItems' in own && isAlone(own) && !('contains' in own) ? 'unevaluatedItems' : undefined
}

/** Whether no other schema applies to the same value. */
function isAlone(own: JsonObject): boolean {
  return !Object.keys(own).some((name) => keywords.get(name)?.inPlace)
}

function toMap(place: Place, keyword: string, own: JsonObject): [string, Place][] {
  return Object.keys((own[keyword] ?? {}) as JsonObject).map((name) => [name, placeIn(place, keyword, name)])
}

function toList(place: Place, keyword: string, own: JsonObject): Place[] {
  return ((own[keyword] ?? []) as JsonValue[]).map((_, index) => placeIn(place, keyword, index))
}
