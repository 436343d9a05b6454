import { pointerTo } from '../schema/json-pointer.ts'
import type { Question, Rule } from './compare.ts'
import { type Place, placeIn } from './document.ts'
import { type Given, partsFor, requiredOf } from './given.ts'
import { type Lack, property } from './lack.ts'
import type { Part } from './part.ts'
import { demand, toLack } from './value-rules.ts'

/** Requirements on an object and its properties. */
export const objectRules: readonly Rule[] = [
  lacksRequired,
  lacksProperties,
  lacksPatterns,
  lacksOthers,
  lacksNames,
  lacksDependentNames,
].map((rule) => (question) => (question.given.kinds.has('object') ? rule(question) : []))

function lacksRequired({ given, part, path }: Question): Lack[] {
  const known = requiredOf(given.parts)
  return requiredOf([part])
    .filter((name) => !known.includes(name))
    .map((name) => ({ path, pointer: pointerTo(part.place.pointer, 'required'), keyword: 'required', name }))
}

function lacksProperties({ given, part, path, comparison }: Question): Lack[] {
  return [...part.properties].flatMap(([name, place]) => {
    const value = givenFor(name, given, comparison)
    if (namesOf(given.parts).has(name)) return comparison.lacks(value, place, pointerTo(path, name))
    return comparison.holds(value, place)
      ? []
      : [{ path, pointer: place.pointer, keyword: property, name, wanted: place.schema }]
  })
}

/** Patterns are compared as text: running an untrusted one could take forever. */
function lacksPatterns({ given, part, path, comparison }: Question): Lack[] {
  const { giving, partsOf } = comparison
  return [...part.patterns].flatMap(([pattern, place]) => {
    const equal = given.parts.flatMap(({ patterns }) => patterns.get(pattern) ?? [])
    if (equal.length > 0)
      return comparison.lacks(giving(equal.flatMap(partsOf)), place, pointerTo(path, `{${pattern}}`))
    const names = [...namesOf(given.parts).keys()].map((name) => givenFor(name, given, comparison))
    const others = given.parts.flatMap(({ patterns }) => [...patterns.values()]).map((other) => giving(partsOf(other)))
    const isMet = [...names, ...others, giving(othersOf(given.parts, [], partsOf))].every((one) =>
      comparison.holds(one, place),
    )
    return isMet ? [] : [{ path, pointer: place.pointer, keyword: 'patternProperties', name: pattern }]
  })
}

function lacksOthers(question: Question): Lack[] {
  const { given, part, path, comparison } = question
  const { others: place } = part
  if (!place) return []
  const named = [...namesOf(given.parts)]
    .filter(([name]) => !part.properties.has(name))
    .filter(([name]) => !comparison.holds(givenFor(name, given, comparison), place))
    .map(([name, { pointer, schema }]) => ({ path, pointer, keyword: property, name, found: schema }))
  const rest = comparison.giving(othersOf(given.parts, [...part.patterns.keys()], comparison.partsOf))
  if (comparison.holds(rest, place)) return named
  const isDetailed = given.parts.some(({ others }) => typeof others?.schema === 'object')
  if (isDetailed && typeof place.schema === 'object') return [...named, ...comparison.lacks(rest, place, `${path}/*`)]
  return [
    ...named,
    toLack('unevaluatedProperties' in part.own ? 'unevaluatedProperties' : 'additionalProperties', question),
  ]
}

function lacksNames(question: Question): Lack[] {
  const { given, comparison } = question
  return demand('propertyNames', question, () => {
    const known = given.parts
      .filter(({ own }) => 'propertyNames' in own)
      .map(({ place }) => placeIn(place, 'propertyNames'))
    const anyName = comparison.giving([])
    const name = { ...anyName, kinds: new Set(['string'] as const) }
    return comparison.holds(comparison.with(name, ...known), placeIn(question.part.place, 'propertyNames'))
  })
}

function lacksDependentNames({ given, part, path }: Question): Lack[] {
  const known = new Set(requiredOf(given.parts))
  return part.dependentRequired.flatMap(([name, wanted]) => {
    const implied = given.parts.flatMap(({ dependentRequired }) => dependentRequired.filter(([one]) => one === name))
    const isMet = wanted.every((one) => known.has(one) || implied.some(([, names]) => names.includes(one)))
    return isMet ? [] : [{ path, pointer: part.place.pointer, keyword: 'dependentRequired', name }]
  })
}

function givenFor(name: string, given: Given, { giving, partsOf }: Question['comparison']): Given {
  return giving(partsFor(given.parts, name, partsOf))
}

/** What holds for an undeclared property that matches none of these patterns. */
function othersOf(
  parts: readonly Part[],
  patterns: readonly string[],
  partsOf: (place: Place) => readonly Part[],
): Part[] {
  return parts.flatMap((part) => {
    const isKnown = [...part.patterns.keys()].every((pattern) => patterns.includes(pattern))
    return isKnown && part.others ? partsOf(part.others) : []
  })
}

function namesOf(parts: readonly Part[]): Map<string, Place> {
  return new Map(parts.flatMap(({ properties }) => [...properties]))
}
