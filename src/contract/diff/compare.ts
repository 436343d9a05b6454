import { canonicalJson } from '../canonical-json.ts'
import type { JsonValue } from '../json.ts'
import { pointerTo } from '../schema/json-pointer.ts'
import { accepts } from './accepts.ts'
import { arrayRules } from './array-rules.ts'
import { branchRules } from './branch-rules.ts'
import type { Place } from './document.ts'
import { type Given, isImpossible, toGiven } from './given.ts'
import { type Lack, nothing, reportedBefore, tooComplex } from './lack.ts'
import { objectRules } from './object-rules.ts'
import { createPartsOf, follow, type Part, type PartsOf, type Union } from './part.ts'
import { createSameSchema, type SameSchema } from './same-schema.ts'
import { valueRules } from './value-rules.ts'

/** Decides whether the known facts about a value satisfy a schema. */
export interface Comparison {
  /**
   * What the schema requires beyond the known facts. Empty: every such value is valid. Otherwise some value may be
   * invalid.
   */
  lacks(given: Given, place: Place, path: string): Lack[]
  holds(given: Given, place: Place): boolean
  /** The same value, with these schemas known to hold too. */
  with(given: Given, ...places: readonly Place[]): Given
  giving(parts: readonly Part[]): Given
  readonly partsOf: PartsOf
  readonly isSame: SameSchema
}

/** Compares one requirement of a schema with the known facts. */
export interface Question {
  readonly given: Given
  readonly part: Part
  readonly path: string
  readonly comparison: Comparison
}

/** What a part requires beyond the known facts, for some of its keywords. */
export type Rule = (question: Question) => Lack[]

const rules: readonly Rule[] = [...valueRules, ...arrayRules, ...objectRules, ...branchRules]

/** Steps that comparisons may share. */
export interface Budget {
  left: number
}

/** Above these limits a schema is too complex, and the requirement counts as not met. */
const maxSteps = 20_000
const maxDepth = 150
/** The number of unions that may be expanded at once. */
const maxCases = 2

/** `partsOf` and a budget may be shared by several comparisons. */
export function createComparison(partsOf: PartsOf = createPartsOf(), budget?: Budget): Comparison {
  const isSame = createSameSchema()
  const idOf = createIds()
  const settled = new Map<string, boolean>()
  const reported = new Set<string>()
  const open = new Map<string, number>()
  const own = { left: maxSteps }
  let trials = 0
  /** The outermost open question that was assumed to hold. */
  let lowest = Number.POSITIVE_INFINITY

  function lacks(given: Given, named: Place, path: string): Lack[] {
    const place = follow(named)
    if (isImpossible(given, partsOf)) return []
    if (isSpent() || open.size > maxDepth) return [{ path, pointer: place.pointer, keyword: tooComplex }]
    const key = `${toKey(given, idOf)}>${typeof place.schema === 'boolean' ? place.schema : idOf(place.schema)}`
    const known = settled.get(key)
    if (known === true) return []
    if (known === false && (trials > 0 || reported.has(key)))
      return [{ path, pointer: place.pointer, keyword: reportedBefore }]
    const depth = open.get(key)
    if (depth !== undefined) {
      // A recursive value: if nothing else is missing, the assumption holds (coinduction).
      lowest = Math.min(lowest, depth)
      return []
    }
    if (trials === 0) reported.add(key)
    return settle(key, () => {
      const parts = partsOf(place)
      const unknown = lacksUnknown(given, parts, path)
      if (given.parts.some((part) => isSame(part.place, place))) return unknown
      return [...unknown, ...parts.flatMap((part) => lacksPart(given, part, path))]
    })
  }

  function isSpent(): boolean {
    if (budget) budget.left--
    return --own.left < 0 || (budget !== undefined && budget.left < 0)
  }

  /** Caches the answer, unless it depends on a question that is still open. */
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
    // Omitted differences must not count as reported.
    const isMet = attempt(() => ask().length === 0 || unions.some((union) => holdsByCases(given, union, part)))
    return isMet ? [] : ask()
  }

  /** The part holds in every branch of the union. */
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

  /** Differences found here are not reported. */
  function attempt(ask: () => boolean): boolean {
    if (isSpent()) return false
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

/** Unknown keywords must be identical on both sides. */
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
