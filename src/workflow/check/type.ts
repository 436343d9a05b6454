/**
 * Types of expressions: JSON Schemas of several documents, composed.
 *
 * Invariant: a type describes at least the values that can occur. Whatever is not understood makes it wider, so that a
 * mapping that passes is safe.
 */
import type { Budget } from '../../contract/diff/compare.ts'
import { composed, embed, type Place } from '../../contract/diff/document.ts'
import { type Given, isImpossible, requiredOf, toGiven } from '../../contract/diff/given.ts'
import type { Kind } from '../../contract/diff/kind.ts'
import { follow, type Part, type PartsOf, type Union } from '../../contract/diff/part.ts'
import { countsOf } from '../../contract/diff/value-rules.ts'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'

/** What an expression can give. */
export interface Type {
  readonly place: Place
  /** Whether there may be no value at all. */
  readonly missing: 'never' | 'maybe' | 'always'
  /** Declared defaults are set in it: the input of the workflow. */
  readonly isFilled?: true
  /** A problem was reported, so that nothing more is said about it. */
  readonly isWrong?: true
}

const anything: Type = { place: composed(true), missing: 'never' }
export const unclear: Type = { place: composed(true), missing: 'never', isWrong: true }
const absent: Type = { place: composed(false), missing: 'always' }

export function typeOf(schema: JsonObject | boolean): Type {
  return { place: composed(schema), missing: 'never' }
}

/** True or false. */
export const truth = typeOf({ type: 'boolean' })

/** The type of a value that is written in the document. */
export function typeOfValue(value: JsonValue): Type {
  return typeOf(toSchema(value))
}

function toSchema(value: JsonValue): JsonObject {
  if (Array.isArray(value)) {
    const { length } = value
    return { type: 'array', prefixItems: value.map(toSchema), items: false, minItems: length, maxItems: length }
  }
  if (!isObject(value)) return { const: value }
  const properties = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, toSchema(part)]))
  return { type: 'object', properties, required: Object.keys(value), additionalProperties: false }
}

/** One of several. */
export function oneOf(types: readonly Type[]): Type {
  const present = types.filter(({ missing }) => missing !== 'always')
  if (present.length === 0) return absent
  const isSure = types.every(({ missing }) => missing === 'never')
  const isWrong = types.some((type) => type.isWrong)
  const places = [...new Set(present.map(({ place }) => place))]
  return {
    place: places.length === 1 ? places[0]! : composed({ anyOf: places.map(embed) }),
    missing: isSure ? 'never' : 'maybe',
    ...(isWrong && { isWrong }),
  }
}

/** A value, or another if it is missing. */
export function orElse(type: Type, fallback: Type): Type {
  if (type.missing === 'never') return type
  return type.missing === 'always' ? fallback : oneOf([{ ...type, missing: 'never' }, fallback])
}

/** The same value, of which more is known. */
export function narrowed(place: Place, ...schemas: readonly (JsonObject | boolean | Place)[]): Place {
  if (schemas.length === 0) return place
  const more = schemas.map((one) => (isPlace(one) ? embed(one) : one))
  return composed({ allOf: [embed(place), ...more] })
}

function isPlace(one: JsonObject | boolean | Place): one is Place {
  return typeof one === 'object' && 'document' in one && 'pointer' in one && 'schema' in one
}

/** An object of these properties alone. */
export function objectOf(entries: readonly (readonly [name: string, type: Type])[]): Type {
  const present = entries.filter(([, { missing }]) => missing !== 'always')
  return typeOf({
    type: 'object',
    properties: Object.fromEntries(present.map(([name, { place }]) => [name, embed(place)])),
    required: present.filter(([, { missing }]) => missing === 'never').map(([name]) => name),
    additionalProperties: false,
  })
}

/** A list of exactly these items. */
export function listOf(items: readonly Type[]): Type {
  const { length } = items
  const prefixItems = items.map(({ place }) => embed(place))
  const list = typeOf({ type: 'array', prefixItems, items: false, minItems: length, maxItems: length })
  return items.some(({ isWrong }) => isWrong) ? { ...list, isWrong: true } : list
}

/** Beyond these, a type is not looked into any further. */
const maxLooks = 100_000
const maxDepth = 6
const maxPrefix = 64

/** Questions about types. */
export class Types {
  readonly partsOf: PartsOf
  /** What the comparisons of one workflow may take together. */
  readonly budget: Budget = { left: 100_000 }
  #looks = 0

  constructor(partsOf: PartsOf) {
    this.partsOf = partsOf
  }

  #isDeep(depth: number): boolean {
    return ++this.#looks > maxLooks || depth > maxDepth
  }

  given(place: Place): Given {
    return toGiven(this.partsOf(place), this.partsOf)
  }

  isImpossible(place: Place): boolean {
    return this.kinds(place).size === 0 || isImpossible(this.given(place), this.partsOf)
  }

  /** The kinds of values that can occur. */
  kinds(place: Place): ReadonlySet<Kind> {
    return this.#kinds(this.partsOf(place), [], 0)
  }

  #kinds(parts: readonly Part[], context: readonly Part[], depth: number): ReadonlySet<Kind> {
    const given = toGiven([...context, ...parts], this.partsOf)
    if (this.#isDeep(depth)) return given.kinds
    const unions = parts.flatMap(({ unions }) => unions)
    const possible = unions.map((union) => {
      const kinds = this.#live(union, given.parts).map((branch) => this.#kinds(branch, given.parts, depth + 1))
      return new Set(kinds.flatMap((one) => [...one]))
    })
    return new Set([...given.kinds].filter((kind) => possible.every((kinds) => kinds.has(kind))))
  }

  /** The branches of a union that can hold. */
  #live({ branches }: Union, context: readonly Part[]): (readonly Part[])[] {
    return branches
      .map((branch) => this.partsOf(branch))
      .filter((branch) => !isImpossible(toGiven([...context, ...branch], this.partsOf), this.partsOf))
  }

  /** The schemas of which a value matches one, if nothing else is said of it. */
  branches(place: Place): readonly Place[] | undefined {
    const parts = this.partsOf(place)
    const unions = parts.flatMap(({ unions }) => unions)
    const isAlone = parts.every(({ own }) =>
      Object.keys(own).every((name) => ['anyOf', 'oneOf', 'allOf', '$ref'].includes(name)),
    )
    return unions.length === 1 && isAlone ? unions[0]!.branches : undefined
  }

  /** All values that can occur, if they are few and simple. */
  values(place: Place): readonly JsonValue[] | undefined {
    return this.#values(this.partsOf(place), [], 0)
  }

  #values(parts: readonly Part[], context: readonly Part[], depth: number): readonly JsonValue[] | undefined {
    const given = toGiven([...context, ...parts], this.partsOf)
    if (given.values) return [...given.values.values()]
    if (this.#isDeep(depth)) return undefined
    for (const union of parts.flatMap(({ unions }) => unions)) {
      const found = this.#live(union, given.parts).map((branch) => this.#values(branch, given.parts, depth + 1))
      if (found.every((values) => values !== undefined)) return found.flat() as JsonValue[]
    }
    return undefined
  }

  /** The bound of a count or number that holds for every value of the kind. */
  bound(place: Place, kind: Kind, keyword: Bound): number {
    return this.#bound(this.partsOf(place), [], { kind, keyword, depth: 0 })
  }

  #bound(parts: readonly Part[], context: readonly Part[], asked: BoundAsked): number {
    const { kind, keyword, depth } = asked
    const isLower = keyword.startsWith('min')
    const [strict, loose] = isLower ? [Math.max, Math.min] : [Math.min, Math.max]
    const none = isLower ? (keyword === 'minimum' ? Number.NEGATIVE_INFINITY : 0) : Number.POSITIVE_INFINITY
    const given = toGiven([...context, ...parts], this.partsOf, { kinds: [kind] })
    const listed = given.values ? [...given.values.values()].map((value) => sizeOf(value, keyword)) : []
    const own = strict(
      none,
      ...countsOf({ ...given, parts }, keyword),
      ...(listed.length > 0 ? [loose(...listed)] : []),
    )
    if (this.#isDeep(depth)) return own
    const unions = parts.flatMap(({ unions }) => unions)
    const bounds = unions.map((union) => {
      const live = this.#live(union, given.parts).filter((branch) => branch.every(({ kinds }) => kinds.has(kind)))
      return live.length === 0 ? none : loose(...live.map((branch) => this.#bound(branch, given.parts, { ...asked, depth: depth + 1 }))) // biome-ignore format: one line
    })
    return strict(own, ...bounds)
  }

  /** The value at a path. */
  atPath(type: Type, path: readonly string[]): Type {
    return path.reduce((found, segment) => this.at(found, segment), type)
  }

  /** A property of an object, or an item of a list. */
  at(type: Type, segment: string): Type {
    if (type.missing === 'always') return absent
    const parts = this.partsOf(type.place)
    const found = this.#at(parts, [], { segment, isFilled: type.isFilled === true, depth: 0 })
    const isImpossible = found.places.some(({ schema }) => schema === false)
    const place = found.places.length === 1 ? found.places[0]! : composed({ allOf: found.places.map(embed) })
    if (isImpossible || this.isImpossible(place)) return absent
    const missing = type.missing === 'never' && found.isSure ? 'never' : 'maybe'
    return { place, missing, ...(type.isFilled && { isFilled: true }), ...(type.isWrong && { isWrong: true }) }
  }

  #at(parts: readonly Part[], context: readonly Part[], asked: Asked): Found {
    const { segment, depth } = asked
    const given = toGiven([...context, ...parts], this.partsOf)
    const kinds = this.#kinds(given.parts, [], maxDepth - 1)
    const index = /^(?:0|[1-9]\d*)$/.test(segment) ? Number(segment) : undefined
    const isObject = kinds.has('object')
    const isList = kinds.has('array') && index !== undefined
    if (!isObject && !isList) return { places: [composed(false)], isSure: false }
    const inObject = isObject ? this.#inObject(parts, asked) : []
    const inList = isList ? this.#inList(parts, index) : []
    const places = isObject && isList ? [either(inObject, inList)] : [...inObject, ...inList]
    const isAlone = [...kinds].every((kind) => (isObject && kind === 'object') || (isList && kind === 'array'))
    const isRequired =
      (!isObject ||
        requiredOf(given.parts).includes(segment) ||
        (asked.isFilled && this.#hasDefault(parts, segment))) &&
      (!isList || Math.max(0, ...countsOf(given, 'minItems')) > index)
    if (this.#isDeep(depth)) return { places, isSure: isAlone && isRequired }
    const unions = parts
      .flatMap(({ unions }) => unions)
      .map((union) =>
        this.#live(union, given.parts).map((branch) => {
          const more = { ...asked, isFilled: false, depth: depth + 1 }
          return this.#at(branch, given.parts, more)
        }),
      )
    return {
      places: [...places, ...unions.flatMap(toPlaces)],
      isSure: (isAlone && isRequired) || unions.some((branches) => branches.every(({ isSure }) => isSure)),
    }
  }

  #inObject(parts: readonly Part[], { segment }: Asked): Place[] {
    return parts.flatMap(({ properties, patterns, others }) => {
      const found = properties.get(segment) ?? (patterns.size === 0 ? others : undefined)
      return found ? [follow(found)] : []
    })
  }

  #inList(parts: readonly Part[], index: number): Place[] {
    return parts.flatMap(({ prefix, rest, own }) => {
      if (((own.maxItems ?? Number.POSITIVE_INFINITY) as number) <= index) return [composed(false)]
      const found = prefix[index] ?? rest
      return found ? [follow(found)] : []
    })
  }

  #hasDefault(parts: readonly Part[], name: string): boolean {
    return parts.some(({ properties }) => {
      const place = properties.get(name)
      return place !== undefined && defaultOf(place) !== undefined
    })
  }

  /** Any item of a list. */
  item({ place }: Type): Type {
    const prefix = this.prefixLength(place)
    if (prefix > maxPrefix) return anything
    const items = Array.from({ length: prefix + 1 }, (_, index) => this.at({ place, missing: 'never' }, String(index)))
    const found = oneOf(items)
    return found.missing === 'always' ? absent : { place: found.place, missing: 'never' }
  }

  /** How many of the first items may be described apart from the others. */
  prefixLength(place: Place): number {
    return this.#prefix(this.partsOf(place), 0)
  }

  #prefix(parts: readonly Part[], depth: number): number {
    if (this.#isDeep(depth)) return Number.POSITIVE_INFINITY
    const inner = parts.flatMap(({ unions }) =>
      unions.flatMap(({ branches }) => branches.map((one) => this.partsOf(one))),
    )
    return Math.max(
      0,
      ...parts.map(({ prefix }) => prefix.length),
      ...inner.map((branch) => this.#prefix(branch, depth + 1)),
    )
  }

  /** The declared names of properties; undefined if they are too many to look at. */
  names(place: Place): readonly string[] | undefined {
    return this.#names(this.partsOf(place), 0)
  }

  #names(parts: readonly Part[], depth: number): readonly string[] | undefined {
    if (this.#isDeep(depth)) return undefined
    const branches = parts.flatMap(({ unions }) => unions.flatMap(({ branches }) => branches))
    const inner = branches.map((branch) => this.#names(this.partsOf(branch), depth + 1))
    if (inner.includes(undefined)) return undefined
    return [...new Set([...parts.flatMap(({ properties }) => [...properties.keys()]), ...(inner as string[][]).flat()])]
  }
}

/** The default that is set if a property is missing. Beside a reference of draft-07 it has no effect. */
export function defaultOf(place: Place): JsonValue | undefined {
  const { schema, document } = place
  if (typeof schema === 'boolean') return undefined
  const isIgnored = document.dialect === 'draft-07' && typeof schema.$ref === 'string'
  if (schema.default !== undefined && !isIgnored) return schema.default
  const target = follow(place)
  return target === place || typeof target.schema === 'boolean' ? undefined : target.schema.default
}

export type Bound = 'minLength' | 'maxLength' | 'minItems' | 'maxItems' | 'minimum' | 'maximum'

interface BoundAsked {
  readonly kind: Kind
  readonly keyword: Bound
  readonly depth: number
}

interface Asked {
  readonly segment: string
  readonly isFilled: boolean
  readonly depth: number
}

interface Found {
  /** All of them hold for the value. */
  readonly places: readonly Place[]
  readonly isSure: boolean
}

/** What holds in all of these, if each is a branch of a union. A branch in which there is none adds no value. */
function toPlaces(branches: readonly Found[]): readonly Place[] {
  const present = branches.filter(({ places }) => !places.some(({ schema }) => schema === false))
  if (present.length === 0) return [composed(false)]
  if (present.length === 1) return present[0]!.places
  return [composed({ anyOf: present.map(({ places }) => ({ allOf: places.map(embed) })) })]
}

function either(one: readonly Place[], other: readonly Place[]): Place {
  return composed({ anyOf: [one, other].map((places) => ({ allOf: places.map(embed) })) })
}

function sizeOf(value: JsonValue, keyword: Bound): number {
  if (typeof value === 'string' && keyword.endsWith('Length')) return [...value].length
  if (Array.isArray(value) && keyword.endsWith('Items')) return value.length
  if (typeof value === 'number' && keyword.endsWith('imum')) return value
  return keyword.startsWith('min') ? 0 : Number.POSITIVE_INFINITY
}
