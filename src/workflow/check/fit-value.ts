import { createComparison } from '../../contract/diff/compare.ts'
import { composed, embed, type Place } from '../../contract/diff/document.ts'
import { requiredOf } from '../../contract/diff/given.ts'
import type { Lack } from '../../contract/diff/lack.ts'
import type { Part } from '../../contract/diff/part.ts'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { pointerTo } from '../../contract/schema/json-pointer.ts'
import { nearest } from '../../contract/text/nearest.ts'
import { showText } from '../../contract/text/show-value.ts'
import { isExpression, toExpression } from '../expression/expression.ts'
import { describeLack } from './describe-lack.ts'
import { describeMissing } from './describe-missing.ts'
import type { Inference, Scope } from './infer.ts'
import { defaultOf, listOf, objectOf, oneOf, orElse, type Type, type Types, typeOfValue } from './type.ts'

/** Where a value goes. */
export interface Target {
  readonly place: Place
  /** Who takes it: the id of a tool, or `the output of the workflow`. */
  readonly taker: string
  /** Whether missing properties get their defaults. */
  readonly setsDefaults: boolean
}

export interface Mapping {
  readonly value: JsonValue
  readonly at: string
  readonly scope: Scope
}

/** Checks that whatever a value of the document can give is accepted where it goes. Returns its type. */
export function fitValue(mapping: Mapping, target: Target, inference: Inference): Type {
  const { value, at, scope } = mapping
  if (isObject(value) && isExpression(value)) return fitExpression(value, mapping, { target, inference })
  const kind = Array.isArray(value) ? 'array' : isObject(value) ? 'object' : undefined
  if (kind !== undefined && inference.types.kinds(target.place).has(kind)) {
    const type = Array.isArray(value) ? fitList(value, mapping, { target, inference }) : fitObject(value as JsonObject, mapping, { target, inference }) // biome-ignore format: one line
    return type.isWrong ? type : accept(type, mapping, { target, inference })
  }
  return accept(inference.infer(value, at, scope), mapping, { target, inference })
}

interface Where {
  readonly target: Target
  readonly inference: Inference
}

/** Each branch and default is checked on its own, so that a problem points to it. */
function fitExpression(value: JsonObject, mapping: Mapping, { target, inference }: Where): Type {
  const { at, scope } = mapping
  const expression = toExpression(value)
  if ('malformed' in expression) return inference.infer(value, at, scope)
  const inner = (operand: { readonly value: JsonValue; readonly at: string }, narrower: Scope) =>
    fitValue({ value: operand.value, at: at + operand.at, scope: narrower }, target, inference)
  if (expression.operator === '$if') {
    const { condition, branches } = expression
    const known = inference.condition(condition, at, scope)
    const found = branches.map((branch, index) => inner(branch, inference.assume(scope, condition.value, index === 0)))
    return known === undefined ? oneOf(found) : found[known ? 0 : 1]!
  }
  if (expression.operator === '$from' && expression.fallback) {
    const found = inference.infer({ $from: value.$from! }, at, scope)
    const fallback = inner(expression.fallback, scope)
    return orElse(accept(found, mapping, { target, inference }), fallback)
  }
  return accept(inference.infer(value, at, scope), mapping, { target, inference })
}

function fitObject(value: JsonObject, { at, scope }: Mapping, { target, inference }: Where): Type {
  const { types, report } = inference
  const parts = types.partsOf(target.place)
  const names = types.names(target.place) ?? []
  let isWrong = false
  const entries = Object.entries(value).map(([name, part]): readonly [string, Type] => {
    const pointer = pointerTo(at, name)
    const place = toPlace(placesFor(parts, name))
    if (place.schema === false) {
      const near = nearest(
        name,
        names.filter((one) => !Object.hasOwn(value, one)),
      )
      const known = names.slice(0, 12).map((one) => `'${showText(one)}'`)
      const advice = near ? `Did you mean '${showText(near)}'?` : known.length > 0 ? `It takes ${known.join(', ')}.` : 'Leave it out.' // biome-ignore format: one line
      report(pointer, `${target.taker} takes no '${showText(name)}'. ${advice}`)
      isWrong = true
      inference.infer(part, pointer, scope)
      return [name, typeOfValue(null)]
    }
    const type = fitValue({ value: part, at: pointer, scope }, { ...target, place }, inference)
    isWrong ||= type.isWrong === true
    return [name, withDefault(name, type, { parts, target })]
  })
  const filled = names
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => [name, withDefault(name, { ...typeOfValue(null), missing: 'always' }, { parts, target })] as const)
  const all = [...entries, ...filled]
  const given = new Map(all)
  for (const name of new Set(requiredOf(parts))) {
    const missing = given.get(name)?.missing ?? 'always'
    const where = { missing, scope, types }
    if (missing === 'never' || given.get(name)?.isWrong) continue
    isWrong = true
    if (!Object.hasOwn(value, name))
      report(at, `${target.taker} requires '${showText(name)}', which is not given. Add it.`)
    else report(pointerTo(at, name), describeMissing(value[name]!, { ...where, need: `${target.taker} requires '${showText(name)}'` })) // biome-ignore format: one line
  }
  return { ...objectOf(all), ...(isWrong && { isWrong: true }) }
}

function withDefault(name: string, type: Type, { parts, target }: { parts: readonly Part[]; target: Target }): Type {
  if (!target.setsDefaults || type.missing === 'never') return type
  const place = parts.map(({ properties }) => properties.get(name)).find((one) => one && defaultOf(one) !== undefined)
  if (!place) return type
  return orElse(type, typeOfValue(defaultOf(place)!))
}

function fitList(value: readonly JsonValue[], { at, scope }: Mapping, { target, inference }: Where): Type {
  const { types } = inference
  const parts = types.partsOf(target.place)
  const items = value.map((item, index) => {
    const found = parts.flatMap(({ prefix, rest }) => prefix[index] ?? rest ?? [])
    const pointer = pointerTo(at, index)
    const place = toPlace(found)
    // Too many items are reported of the whole list.
    const type = place.schema === false ? inference.infer(item, pointer, scope) : fitValue({ value: item, at: pointer, scope }, { ...target, place }, inference) // biome-ignore format: one line
    if (type.missing === 'never' || type.isWrong) return type
    const need = 'an item of a list cannot be missing'
    inference.report(pointer, describeMissing(item, { missing: type.missing, scope, types, need }))
    return { ...type, isWrong: true as const }
  })
  return listOf(items)
}

function placesFor(parts: readonly Part[], name: string): Place[] {
  return parts.flatMap(({ properties, patterns, others }) => {
    const found = properties.get(name) ?? (patterns.size === 0 ? others : undefined)
    return found ? [found] : []
  })
}

/** A schema that says all of these. */
function toPlace(places: readonly Place[]): Place {
  const refused = places.find(({ schema }) => schema === false)
  if (refused) return refused
  if (places.length === 1) return places[0]!
  return composed(places.length === 0 ? true : { allOf: places.map(embed) })
}

/** Compares a type with where it goes, and reports what does not fit. */
function accept(type: Type, { value, at }: Mapping, { target, inference }: Where): Type {
  if (type.isWrong || type.missing === 'always') return type
  const { types } = inference
  const found = findLacks(type.place, target.place, types)
  if (!found) return type
  inference.report(at, describeLack(found.lacks, { place: found.place, value, target, types }))
  return { ...type, isWrong: true }
}

/** What a schema requires beyond a type, or beyond the first branch of it that does not fit. */
function findLacks(place: Place, wanted: Place, types: Types, depth = 0): { place: Place; lacks: Lack[] } | undefined {
  const { lacks, giving, partsOf } = createComparison(types.partsOf, types.budget)
  const found = lacks(giving(partsOf(place)), wanted, '').filter(({ isUnknown }) => !isUnknown)
  if (found.length === 0) return undefined
  for (const branch of depth < 3 ? (types.branches(place) ?? []) : []) {
    const inner = findLacks(branch, wanted, types, depth + 1)
    if (inner) return inner
  }
  return { place, lacks: found }
}
