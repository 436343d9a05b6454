import { embed, type Place } from '../../contract/diff/document.ts'
import type { JsonObject } from '../../contract/json.ts'
import { narrowed, objectOf, oneOf, type Type, type Types, truth, typeOf, typeOfValue } from './type.ts'

interface Joined {
  readonly list: Type
  /** The items that are written in the document, otherwise any item. */
  readonly items: readonly Type[]
  readonly isWritten: boolean
  readonly separator: string
}

/** What `$join` makes. */
export function toJoined(types: Types, { list, items, isWritten, separator }: Joined): Type {
  const most = isWritten ? items.length : types.bound(list.place, 'array', 'maxItems')
  const least = isWritten ? items.length : types.bound(list.place, 'array', 'minItems')
  const sum = (lengths: readonly number[], count: number) =>
    isWritten ? lengths.reduce((all, one) => all + one, 0) : times(count, Math.max(0, ...lengths))
  const between = [...separator].length
  const longest = items.map(({ place }) => maxText(types, place))
  const shortest = items.map(({ place }) => minText(types, place))
  const maxLength = sum(longest, most) + times(Math.max(0, most - 1), between)
  // Halves of a character may become one, so that more than one character is not certain.
  const minLength = sum(shortest, least) > 0 || (least > 1 && between > 0) ? 1 : 0
  return typeOf({ type: 'string', minLength, ...(Number.isFinite(maxLength) && { maxLength }) })
}

/** The longest that a number becomes as text. */
const maxNumberText = 25

function maxText(types: Types, place: Place): number {
  const kinds = types.kinds(place)
  const text = kinds.has('string') ? types.bound(place, 'string', 'maxLength') : 0
  return kinds.has('integer') || kinds.has('fraction') ? Math.max(text, maxNumberText) : text
}

function minText(types: Types, place: Place): number {
  return types.kinds(place).has('string') ? Math.min(1, types.bound(place, 'string', 'minLength')) : 1
}

/** Without NaN: infinitely many of nothing is nothing. */
function times(count: number, size: number): number {
  return size === 0 || count === 0 ? 0 : count * size
}

interface Range {
  readonly start: number
  readonly end: number
}

/** What `$truncate` and `$slice` make. */
export function toCut(types: Types, found: Type, range: Range): Type {
  const kinds = types.kinds(found.place)
  return oneOf([
    ...(kinds.has('string') ? [cutText(types, found, range)] : []),
    ...(kinds.has('array') ? [cutList(types, found, range)] : []),
  ])
}

function cutText(types: Types, found: Type, { start, end }: Range): Type {
  const longest = types.bound(found.place, 'string', 'maxLength')
  if (start === 0 && longest <= end) return { place: narrowed(found.place, { type: 'string' }), missing: 'never' }
  const shortest = types.bound(found.place, 'string', 'minLength')
  const maxLength = Math.max(0, Math.min(longest, end) - start)
  const minLength = Math.max(0, Math.min(shortest, end) - start)
  return typeOf({ type: 'string', minLength, ...(Number.isFinite(maxLength) && { maxLength }) })
}

function cutList(types: Types, found: Type, { start, end }: Range): Type {
  const place = narrowed(found.place, { type: 'array' })
  const longest = types.bound(place, 'array', 'maxItems')
  if (start === 0 && longest <= end) return { place, missing: 'never' }
  const list = { place, missing: 'never' } as const
  const isUnique = types.partsOf(found.place).some(({ own }) => own.uniqueItems === true)
  const first = Math.min(end, types.prefixLength(place), 64)
  const prefix = Array.from({ length: Math.max(0, first - start) }, (_, index) => types.at(list, String(index + start)))
  const least = Math.max(0, Math.min(types.bound(place, 'array', 'minItems'), end) - start)
  return typeOf({
    ...listSchema(types.item(list), least, Math.max(0, Math.min(longest, end) - start)),
    ...(prefix.length > 0 && { prefixItems: prefix.map(({ place }) => embed(place)) }),
    ...(isUnique && { uniqueItems: true }),
  })
}

/** What `$pluck` makes of a list, if this is what each item gives. */
export function toPlucked(types: Types, list: Type, each: Type): Type {
  const least = each.missing === 'never' ? types.bound(list.place, 'array', 'minItems') : 0
  return typeOf(listSchema(each, least, types.bound(list.place, 'array', 'maxItems')))
}

export function toConcatenated(types: Types, lists: readonly Type[]): Type {
  const sum = (keyword: 'minItems' | 'maxItems') =>
    lists.reduce((all, { place }) => all + types.bound(place, 'array', keyword), 0)
  return typeOf(listSchema(oneOf(lists.map((list) => types.item(list))), sum('minItems'), sum('maxItems')))
}

function listSchema(item: Type, minItems: number, maxItems: number): JsonObject {
  return {
    type: 'array',
    items: item.missing === 'always' ? false : embed(item.place),
    minItems,
    ...(Number.isFinite(maxItems) && { maxItems }),
  }
}

/** What `$merge` makes: the last object that has a property wins. */
export function toMerged(types: Types, objects: readonly Type[]): Type {
  const merged = (name: string) =>
    objects.map((type) => types.at(type, name)).reduce((before, last) => orBefore(last, before))
  const found = objects.map(({ place }) => types.names(place))
  if (found.includes(undefined)) return typeOf({ type: 'object' })
  const names = [...new Set((found as string[][]).flat())]
  const others = merged(unusedName(names))
  const { schema } = objectOf(names.map((name) => [name, merged(name)])).place
  const additionalProperties = others.missing === 'always' ? false : embed(others.place)
  return typeOf({ ...(schema as JsonObject), additionalProperties })
}

function orBefore(last: Type, before: Type): Type {
  if (last.missing === 'never') return last
  return { ...oneOf([before, last]), missing: before.missing === 'never' ? 'never' : oneOf([before, last]).missing }
}

function unusedName(names: readonly string[]): string {
  return `${names.reduce((longest, name) => (name.length > longest.length ? name : longest), '')}_`
}

/** What `$length` makes. */
export function toLength(types: Types, { place }: Type): Type {
  const bounds = (end: 'min' | 'max') =>
    [...types.kinds(place)].map((kind) => types.bound(place, kind, kind === 'string' ? `${end}Length` : `${end}Items`))
  const maximum = Math.max(...bounds('max'))
  return typeOf({ type: 'integer', minimum: Math.min(...bounds('min')), ...(Number.isFinite(maximum) && { maximum }) })
}

/** What `$empty` makes. */
export function toEmptiness(types: Types, { place, missing, isWrong }: Type): Type {
  if (isWrong) return truth
  if (missing === 'always') return typeOfValue(true)
  const isFull = [...types.kinds(place)].every((kind) => {
    if (kind === 'null' || kind === 'object') return false
    if (kind === 'string') return types.bound(place, kind, 'minLength') > 0
    return kind !== 'array' || types.bound(place, kind, 'minItems') > 0
  })
  return isFull && missing === 'never' ? typeOfValue(false) : truth
}

/** Whether two values are equal; undefined if that depends on them. */
export function areEqual(types: Types, left: Type, right: Type): boolean | undefined {
  if (left.isWrong || right.isWrong) return undefined
  if (left.missing === 'always' || right.missing === 'always') return false
  if (types.isImpossible(narrowed(left.place, right.place))) return false
  const values = [left, right].map(({ place }) => types.values(place))
  const isOne = values.every((one) => one?.length === 1 && typeof one[0] !== 'object')
  const isSure = left.missing === 'never' && right.missing === 'never'
  return isOne && isSure && values[0]![0] === values[1]![0] ? true : undefined
}
