import type { Question, Rule } from './compare.ts'
import { type Place, placeIn } from './document.ts'
import { partsAt } from './given.ts'
import type { Lack } from './lack.ts'
import { countsOf, demand, toLack } from './value-rules.ts'

/** Requirements on a list and its items. */
export const arrayRules: readonly Rule[] = [lacksItems, lacksContained, lacksUnique]

function lacksItems({ given, part, path, comparison }: Question): Lack[] {
  if (!given.kinds.has('array')) return []
  const { prefix, rest } = part
  const known = Math.max(0, ...given.parts.map((one) => one.prefix.length))
  const max = Math.min(...countsOf(given, 'maxItems'))
  const lacksAt = (index: number, place: Place, step: string | number) => {
    const item = comparison.giving(partsAt(given.parts, index, comparison.partsOf))
    return index < max ? comparison.lacks(item, place, `${path}[${step}]`) : []
  }
  const first = prefix.flatMap((place, index) => lacksAt(index, place, index))
  if (!rest) return first
  const between = Array.from({ length: Math.max(0, known - prefix.length) }, (_, index) => index + prefix.length)
  return [
    ...first,
    ...between.flatMap((index) => lacksAt(index, rest, index)),
    ...lacksAt(Math.max(known, prefix.length), rest, ''),
  ]
}

function lacksContained(question: Question): Lack[] {
  const { given, part, comparison } = question
  if (!given.kinds.has('array') || !('contains' in part.own)) return []
  const wanted = placeIn(part.place, 'contains')
  const least = (part.own.minContains ?? 1) as number
  const max = part.own.maxContains as number | undefined
  const known = given.parts
    .filter(({ own }) => 'contains' in own)
    .map(({ own, place }) => ({ own, place: placeIn(place, 'contains') }))
  const isEnough =
    least === 0 ||
    known.some(
      ({ own, place }) =>
        ((own.minContains ?? 1) as number) >= least &&
        comparison.holds(comparison.giving(comparison.partsOf(place)), wanted),
    )
  const isFew =
    max === undefined ||
    Math.min(...countsOf(given, 'maxItems')) <= max ||
    known.some(
      ({ own, place }) =>
        own.maxContains !== undefined &&
        (own.maxContains as number) <= max &&
        comparison.holds(comparison.giving(comparison.partsOf(wanted)), place),
    )
  if (isEnough && isFew) return []
  return [toLack(isEnough ? 'maxContains' : 'contains', question)]
}

function lacksUnique(question: Question): Lack[] {
  const { given } = question
  if (!given.kinds.has('array')) return []
  const isKnown = given.parts.some(({ own }) => own.uniqueItems === true)
  const isShort = Math.min(...countsOf(given, 'maxItems')) <= 1
  return demand('uniqueItems', question, (wanted) => wanted === false || isKnown || isShort)
}
