import type { JsonObject } from '../json.ts'
import { pointerTo } from '../schema/json-pointer.ts'
import type { Comparison, Question, Rule } from './compare.ts'
import { type Place, placeIn } from './document.ts'
import { type Given, isImpossible, toGiven } from './given.ts'
import type { Lack } from './lack.ts'
import type { PartsOf, Union } from './part.ts'
import { toLack } from './value-rules.ts'

/** Requirements of the subschemas that apply to the same value. */
export const branchRules: readonly Rule[] = [lacksUnion, lacksNot, lacksCondition, lacksDependent, lacksUnevaluated]

function lacksUnion(question: Question): Lack[] {
  const { given, part, comparison } = question
  return part.unions.flatMap((union) => {
    const known = given.parts.flatMap(({ unions }) => unions)
    if (known.some((one) => isSameUnion(one, union, comparison))) return []
    const isAny = union.keyword === 'anyOf' || areApart(union, comparison)
    if (isAny && fitsBranch(given, union.branches, comparison)) return []
    for (const one of isAny ? known : []) {
      const details = explainUnion(one, union, question)
      if (details.length > 0) return details
    }
    return [toLack(union.keyword, question)]
  })
}

/** The same branches, in any order. */
function isSameUnion(one: Union, other: Union, { isSame }: Comparison): boolean {
  if (one.keyword !== other.keyword || one.branches.length !== other.branches.length) return false
  return toUnmatched(one.branches, other.branches, isSame)[0].length === 0
}

function toUnmatched(
  ones: readonly Place[],
  others: readonly Place[],
  isSame: Comparison['isSame'],
): [Place[], Place[]] {
  const left = [...others]
  const unmatched = ones.filter((one) => {
    const index = left.findIndex((other) => isSame(one, other))
    if (index >= 0) left.splice(index, 1)
    return index < 0
  })
  return [unmatched, left]
}

/** What is known of unions, whose branches are compared pair by pair. */
const apart = new WeakMap<Union, boolean>()

/** Whether no value matches two branches: `oneOf` is then equivalent to `anyOf`. */
function areApart(union: Union, { partsOf }: Comparison): boolean {
  const known = apart.get(union) ?? findApart(union, partsOf)
  apart.set(union, known)
  return known
}

function findApart({ branches }: Union, partsOf: PartsOf): boolean {
  return branches.every((one, index) =>
    branches
      .slice(index + 1)
      .every((other) => isImpossible(toGiven([...partsOf(one), ...partsOf(other)], partsOf), partsOf)),
  )
}

/** Whether every such value matches a branch, if necessary decided per kind. */
function fitsBranch(given: Given, branches: readonly Place[], comparison: Comparison): boolean {
  if (branches.some((branch) => comparison.holds(given, branch))) return true
  if (given.kinds.size < 2) return false
  return [...given.kinds].every((kind) => {
    const { parts, settled } = given
    const one = toGiven(parts, comparison.partsOf, { kinds: [kind], settled })
    return branches.some((branch) => comparison.holds(one, branch))
  })
}

/** If exactly one branch differs, its differences. */
function explainUnion(known: Union, wanted: Union, { path, comparison }: Question): Lack[] {
  const [ours, theirs] = toUnmatched(known.branches, wanted.branches, comparison.isSame)
  if (ours.length !== 1 || theirs.length !== 1) return []
  return comparison.lacks(comparison.giving(comparison.partsOf(ours[0]!)), theirs[0]!, `${path}|`)
}

function lacksNot(question: Question): Lack[] {
  const { given, part, comparison } = question
  if (!('not' in part.own)) return []
  const { partsOf } = comparison
  const wanted = placeIn(part.place, 'not')
  const excluded = comparison.giving(partsOf(wanted))
  const isKnown = given.parts.some(
    ({ own, place }) => 'not' in own && comparison.holds(excluded, placeIn(place, 'not')),
  )
  return isKnown || isImpossible(comparison.with(given, wanted), partsOf) ? [] : [toLack('not', question)]
}

function lacksCondition(question: Question): Lack[] {
  const { given, part, path, comparison } = question
  if (!('if' in part.own) || !('then' in part.own || 'else' in part.own)) return []
  const condition = placeIn(part.place, 'if')
  const known = given.parts.filter(
    ({ own, place }) => 'if' in own && comparison.isSame(placeIn(place, 'if'), condition),
  )
  const branches = (['then', 'else'] as const).filter((keyword) => keyword in part.own)
  const questions = branches.map((keyword) => {
    const more = known.filter(({ own }) => keyword in own).map(({ place }) => placeIn(place, keyword))
    const value = comparison.with(given, ...(keyword === 'then' ? [condition] : []), ...more)
    return { value, place: placeIn(part.place, keyword), path: pointerTo(path, keyword) }
  })
  if (known.length > 0) return questions.flatMap(({ value, place, path }) => comparison.lacks(value, place, path))
  return questions.every(({ value, place }) => comparison.holds(value, place)) ? [] : [toLack('if', question)]
}

function lacksDependent({ given, part, path, comparison }: Question): Lack[] {
  if (!given.kinds.has('object')) return []
  return part.dependentSchemas.flatMap(([name, place]) => {
    const more = given.parts.flatMap(({ dependentSchemas }) => dependentSchemas.filter(([one]) => one === name))
    const present = toPresent(name, place)
    const narrower = comparison.with(given, present, ...more.map(([, one]) => one))
    if (comparison.holds(narrower, place)) return []
    return [{ path, pointer: place.pointer, keyword: 'dependentSchemas', name }]
  })
}

/** A schema that only requires the property to exist. */
function toPresent(name: string, { document, pointer }: Place): Place {
  const schema: JsonObject = { type: 'object', required: [name] }
  return { schema, pointer, document }
}

/** Unevaluated properties depend on the whole schema, so only an identical schema is safe. */
function lacksUnevaluated({ given, part, path, comparison }: Question): Lack[] {
  if (given.parts.some((one) => comparison.isSame(one.place, part.place))) return []
  return part.unevaluated
    .filter((keyword) => given.kinds.has(keyword === 'unevaluatedItems' ? 'array' : 'object'))
    .map((keyword) => ({ path, pointer: pointerTo(part.place.pointer, keyword), keyword }))
}
