import { canonicalJson } from '../canonical-json.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import { keywordOf, keywords } from '../schema/keywords.ts'
import { type Place, placeIn, targetOf } from './document.ts'
import { type Kind, toKinds } from './kind.ts'

/**
 * One schema object without what it refers to: its keywords, and its subschemas in one form for both dialects. A schema
 * is a list of parts that must all hold: its own, that of `$ref`, those of `allOf`.
 */
export interface Part {
  readonly place: Place
  readonly kinds: ReadonlySet<Kind>
  /** The values of `enum` and `const`, where there are any, by their canonical text. */
  readonly values?: ReadonlyMap<string, JsonValue>
  /** Its keywords that can make a value invalid. */
  readonly own: JsonObject
  /** Keywords that nobody here knows. */
  readonly unknown: JsonObject
  readonly properties: ReadonlyMap<string, Place>
  readonly patterns: ReadonlyMap<string, Place>
  /** What holds for every other property. */
  readonly others?: Place
  readonly prefix: readonly Place[]
  /** What holds for every other item. */
  readonly rest?: Place
  readonly unions: readonly Union[]
  readonly dependentSchemas: readonly (readonly [name: string, place: Place])[]
  readonly dependentRequired: readonly (readonly [name: string, names: readonly string[]])[]
  /** Keywords whose meaning depends on what every other keyword of the schema has looked at. */
  readonly unevaluated: readonly string[]
}

export interface Union {
  readonly keyword: 'anyOf' | 'oneOf'
  readonly branches: readonly Place[]
}

/** Gives the parts of a schema. */
export type PartsOf = (place: Place) => readonly Part[]

/** Makes the parts of every schema once. */
export function createPartsOf(): PartsOf {
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
    const parts = [toPart(place, own), ...more.flatMap(partsOf)]
    known.set(schema, parts)
    return parts
  }
}

/** What a schema stands for that says no more than `$ref`; else the schema itself. */
export function follow(place: Place): Place {
  const { schema } = place
  if (typeof schema === 'boolean' || typeof schema.$ref !== 'string') return place
  return Object.keys(toOwn(place, schema)).length === 1 ? follow(targetOf(place)!) : place
}

/** The keywords of a schema that count: no notes, and beside a `$ref` of draft-07 none at all. */
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

/** The keyword that judges the other properties. */
function toOthers(own: JsonObject): string | undefined {
  if ('additionalProperties' in own) return 'additionalProperties'
  return 'unevaluatedProperties' in own && isAlone(own) ? 'unevaluatedProperties' : undefined
}

/** The keyword that judges the other items. */
function toRest(own: JsonObject): string | undefined {
  if (Array.isArray(own.items)) return 'additionalItems' in own ? 'additionalItems' : undefined
  if ('items' in own) return 'items'
  return 'unevaluatedItems' in own && isAlone(own) && !('contains' in own) ? 'unevaluatedItems' : undefined
}

/** Does no other schema look at the same value? */
function isAlone(own: JsonObject): boolean {
  return !Object.keys(own).some((name) => keywords.get(name)?.inPlace)
}

function toMap(place: Place, keyword: string, own: JsonObject): [string, Place][] {
  return Object.keys((own[keyword] ?? {}) as JsonObject).map((name) => [name, placeIn(place, keyword, name)])
}

function toList(place: Place, keyword: string, own: JsonObject): Place[] {
  return ((own[keyword] ?? []) as JsonValue[]).map((_, index) => placeIn(place, keyword, index))
}
