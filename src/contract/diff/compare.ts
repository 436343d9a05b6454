import { canonicalJson } from '../canonical-json.ts'
import type { JsonValue } from '../json.ts'
import { pointerTo } from '../schema/json-pointer.ts'
import { accepts } from './accepts.ts'
import { arrayRules } from './array-rules.ts'
import { branchRules } from './branch-rules.ts'
import type { Place } from './document.ts'
import { type Given, isImpossible, toGiven } from './given.ts'
import { type Lack, nothing, toldBefore, tooComplex } from './lack.ts'
import { objectRules } from './object-rules.ts'
import { createPartsOf, follow, type Part, type PartsOf, type Union } from './part.ts'
import { createSameSchema, type SameSchema } from './same-schema.ts'
import { valueRules } from './value-rules.ts'

/** Whether what is given of a value is enough for a schema. */
export interface Comparison {
  /** What the schema demands beyond what is given. None: every such value is valid. Some: perhaps one is not. */
  lacks(given: Given, place: Place, path: string): Lack[]
  holds(given: Given, place: Place): boolean
  /** The same value, known to satisfy these schemas too. */
  with(given: Given, ...places: readonly Place[]): Given
  giving(parts: readonly Part[]): Given
  readonly partsOf: PartsOf
  readonly isSame: SameSchema
}

/** One demand of a schema, set against what is given. */
export interface Question {
  readonly given: Given
  readonly part: Part
  readonly path: string
  readonly comparison: Comparison
}

/** What a part demands beyond what is given, by some of its keywords. */
export type Rule = (question: Question) => Lack[]

const rules: readonly Rule[] = [...valueRules, ...arrayRules, ...objectRules, ...branchRules]

/** Beyond these a schema counts as too complex, and the demand as not met. */
const maxSteps = 20_000
const maxDepth = 150
/** How many unions are taken apart at once. */
const maxCases = 2

export function createComparison(): Comparison {
  const partsOf = createPartsOf()
  const isSame = createSameSchema()
  const idOf = createIds()
  const settled = new Map<string, boolean>()
  const told = new Set<string>()
  const open = new Map<string, number>()
  let steps = 0
  let trials = 0
  /** The outermost question that was taken as answered although it is still open. */
  let lowest = Number.POSITIVE_INFINITY

  function lacks(given: Given, named: Place, path: string): Lack[] {
    const place = follow(named)
    if (isImpossible(given, partsOf)) return []
    if (++steps > maxSteps || open.size > maxDepth) return [{ path, pointer: place.pointer, keyword: tooComplex }]
    const key = `${toKey(given, idOf)}>${typeof place.schema === 'boolean' ? place.schema : idOf(place.schema)}`
    const known = settled.get(key)
    if (known === true) return []
    if (known === false && (trials > 0 || told.has(key))) return [{ path, pointer: place.pointer, keyword: toldBefore }]
    const depth = open.get(key)
    if (depth !== undefined) {
      // A value that holds itself again, one level down: if nothing else is lacking, nothing is.
      lowest = Math.min(lowest, depth)
      return []
    }
    if (trials === 0) told.add(key)
    return settle(key, () => {
      const parts = partsOf(place)
      const unknown = lacksUnknown(given, parts, path)
      if (given.parts.some((part) => isSame(part.place, place))) return unknown
      return [...unknown, ...parts.flatMap((part) => lacksPart(given, part, path))]
    })
  }

  /** Remembers the answer, unless it rests on a question that is open further out. */
  function settle(key: string, answer: () => Lack[]): Lack[] {
    const depth = open.size
    const outer = lowest
    lowest = Number.POSITIVE_INFINITY
    open.set(key, depth)
    const found = answer()
    open.delete(key)
    const isFinal = lowest >= depth
    if (found.length > 0 || isFinal) settled.set(key, found.length === 0)
    lowest = Math.min(outer, isFinal ? Number.POSITIVE_INFINITY : lowest)
    return found
  }

  function lacksPart(given: Given, part: Part, path: string): Lack[] {
    if (given.values && [...given.values.values()].every((value) => accepts(part, value, partsOf) === 'yes')) return []
    if (part.kinds.size === 0) return [{ path, pointer: part.place.pointer, keyword: nothing }]
    const ask = () => rules.flatMap((rule) => rule({ given, part, path, comparison }))
    const unions = given.settled.length < maxCases ? openUnions(given) : []
    if (unions.length === 0) return ask()
    // What will not be told must not be counted as told.
    const isMet = attempt(() => ask().length === 0 || unions.some((union) => holdsByCases(given, union, part)))
    return isMet ? [] : ask()
  }

  /** Whichever branch of the union the value is in, the part holds. */
  function holdsByCases(given: Given, union: Union, part: Part): boolean {
    return union.branches.every((branch) => {
      const narrower = withSettled(given, union, branch)
      return isImpossible(narrower, partsOf) || lacksPart(narrower, part, '').length === 0
    })
  }

  function withSettled(given: Given, union: Union, branch: Place): Given {
    const parts = [...given.parts, ...partsOf(branch)]
    return toGiven(parts, partsOf, { kinds: [...given.kinds], settled: [...given.settled, union] })
  }

  /** What is lacking here is not told. */
  function attempt(ask: () => boolean): boolean {
    if (++steps > maxSteps) return false
    trials++
    const answer = ask()
    trials--
    return answer
  }

  const comparison: Comparison = {
    lacks,
    holds: (given, place) => attempt(() => lacks(given, place, '').length === 0),
    with(given, ...places) {
      const parts = [...given.parts, ...places.flatMap(partsOf)]
      return toGiven(parts, partsOf, { kinds: [...given.kinds], settled: given.settled })
    },
    giving: (parts) => toGiven(parts, partsOf),
    partsOf,
    isSame,
  }
  return comparison
}

function openUnions({ parts, settled }: Given): Union[] {
  return parts.flatMap(({ unions }) => unions).filter((union) => !settled.includes(union))
}

/** Keywords that nobody knows must stand on both sides alike. */
function lacksUnknown(given: Given, parts: readonly Part[], path: string): Lack[] {
  const [wanted, found] = [unknownOf(parts), unknownOf(given.parts)]
  return [...new Set([...wanted.keys(), ...found.keys()])]
    .filter((keyword) => toText(wanted.get(keyword)) !== toText(found.get(keyword)))
    .map((keyword) => ({
      path,
      pointer: (wanted.get(keyword) ?? found.get(keyword))!.pointer,
      keyword,
      ...(wanted.has(keyword) && { wanted: wanted.get(keyword)!.values[0]! }),
      ...(found.has(keyword) && { found: found.get(keyword)!.values[0]! }),
      isUnknown: true as const,
    }))
}

function unknownOf(parts: readonly Part[]): Map<string, { pointer: string; values: JsonValue[] }> {
  const found = new Map<string, { pointer: string; values: JsonValue[] }>()
  for (const { unknown, place } of parts) {
    for (const [keyword, value] of Object.entries(unknown)) {
      const { pointer, values } = found.get(keyword) ?? { pointer: pointerTo(place.pointer, keyword), values: [] }
      found.set(keyword, { pointer, values: [...values, value] })
    }
  }
  return found
}

function toText(entry: { readonly values: JsonValue[] } | undefined): string {
  return [...new Set(entry?.values.map((value) => canonicalJson(value)))].sort().join('\n')
}

function toKey({ parts, kinds, settled }: Given, idOf: (thing: object) => number): string {
  const ids = [...new Set(parts.map(idOf))].sort((one, other) => one - other)
  return `${ids.join(',')} ${[...kinds].sort().join(',')} ${settled.map(idOf).join(',')}`
}

function createIds(): (thing: object) => number {
  const ids = new WeakMap<object, number>()
  let last = 0
  return (thing) => {
    const id = ids.get(thing) ?? ++last
    ids.set(thing, id)
    return id
  }
}
