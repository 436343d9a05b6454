import { canonicalJson } from '../../../contract/canonical-json.ts'
import type { JsonSchema, JsonValue } from '../../../contract/json.ts'
import type { SchemaObject } from '../../../contract/lint/walk-schema.ts'
import {
  atLeast,
  atMost,
  collect,
  Impossible,
  impossible,
  isSchema,
  type Schema,
  schemasIn,
  typesOf,
  valuesOf,
} from './demands.ts'
import { chooseProperties } from './make-object.ts'
import { makeString } from './make-string.ts'
import type { Random } from './random.ts'

/** Smallest, largest (within reason) or random size. */
export type Size = 'small' | 'large' | 'any'

export interface MakeOptions {
  readonly random: Random
  readonly size: Size
  /** Approximate size as JSON. */
  readonly maxBytes: number
  /** Always choose the first branch, usually the simplest. Default: random. */
  readonly takeFirst?: boolean
}

/** Options and remaining budget for one value. */
export interface Making extends MakeOptions {
  readonly root: SchemaObject
  readonly choose: <T>(choices: readonly T[]) => T
  readonly left: { nodes: number; characters: number }
}

const maxNodes = 4000
/** Below this depth only required parts are generated, because schemas can be recursive. */
const deepOptional = 5
const deepest = 50

/**
 * Generates a value that is probably valid; undefined if none is found within the step limit. Callers must validate it: `not`,
 * conditions and contradictory keywords are ignored.
 */
export function makeValue(schema: JsonSchema | boolean, options: MakeOptions): JsonValue | undefined {
  const root = typeof schema === 'object' ? (schema as SchemaObject) : {}
  const choose = options.takeFirst ? <T>(choices: readonly T[]) => choices[0]! : options.random.pick
  const making = { ...options, root, choose, left: { nodes: maxNodes, characters: options.maxBytes } }
  try {
    return make(making, [schema as Schema], 0)
  } catch (error) {
    if (error instanceof Impossible) return undefined
    throw error
  }
}

function make(making: Making, schemas: readonly Schema[], depth: number): JsonValue {
  if (making.left.nodes-- <= 0 || depth > deepest) throw impossible
  const list = collect(schemas, making.root, making.choose)
  const allowed = allowedValues(list)
  if (allowed) {
    if (allowed.length === 0) throw impossible
    return making.size === 'any' ? making.random.pick(allowed) : making.choose(allowed)
  }
  const hints = [...valuesOf<JsonValue>(list, 'default'), ...valuesOf<JsonValue[]>(list, 'examples').flat()]
  if (making.size === 'any' && hints.length > 0 && making.random.chance(0.25)) return making.random.pick(hints)
  const size = depth > deepOptional || making.left.nodes < maxNodes / 2 ? 'small' : making.size
  const types = typesOf(list)
  if (types.length === 0) throw impossible
  switch (making.choose(types)) {
    case 'object':
      return makeObject(making, list, { size, depth })
    case 'array':
      return makeArray(making, list, { size, depth })
    case 'string':
      return makeString(making, list, size)
    case 'integer':
      return makeNumber(making, list, { size, whole: true })
    case 'number':
      return makeNumber(making, list, { size, whole: false })
    case 'boolean':
      return size === 'any' ? making.random.chance(0.5) : size === 'large'
    default:
      return null
  }
}

/** Values allowed by `enum` and `const`; undefined if there is neither. */
function allowedValues(list: readonly SchemaObject[]): JsonValue[] | undefined {
  const lists = [...valuesOf<JsonValue[]>(list, 'enum'), ...valuesOf<JsonValue>(list, 'const').map((value) => [value])]
  const [first, ...others] = lists
  return first?.filter((value) => others.every((other) => other.some((one) => isSame(one, value))))
}

function isSame(one: JsonValue, other: JsonValue): boolean {
  return canonicalJson(one) === canonicalJson(other)
}

interface Place {
  readonly size: Size
  readonly depth: number
}

function makeObject(making: Making, list: readonly SchemaObject[], { size, depth }: Place): JsonValue {
  const chosen = chooseProperties(making, list, size)
  const made: [name: string, value: JsonValue][] = []
  for (const { name, schemas, isRequired } of chosen) {
    try {
      making.left.characters -= name.length
      made.push([name, make(making, schemas, depth + 1)])
    } catch (error) {
      // Skip optional parts that cannot be generated.
      if (isRequired || !(error instanceof Impossible)) throw error
    }
  }
  return Object.fromEntries(made)
}

const maxItems = 50
const usualItems = 3

function makeArray(making: Making, list: readonly SchemaObject[], { size, depth }: Place): JsonValue {
  const first = list.flatMap(({ prefixItems, items }) => [prefixItems, items].filter(Array.isArray).map(schemasIn))
  const rest = list.flatMap(({ items, additionalItems, prefixItems }) => {
    const others = Array.isArray(items) ? additionalItems : items
    return isSchema(others)
      ? [{ schema: others, from: Array.isArray(items) ? items.length : lengthOf(prefixItems) }]
      : []
  })
  const contained = list.filter(({ contains }) => isSchema(contains))
  const wanted = contained.flatMap(({ contains, minContains = 1 }) =>
    Array.from({ length: Math.min(Number(minContains), maxItems) }, () => contains as Schema),
  )
  const least = atLeast(list, 'minItems', wanted.length)
  const closed = Math.min(Infinity, ...rest.filter(({ schema }) => schema === false).map(({ from }) => from))
  const most = Math.min(atMost(list, 'maxItems', Math.max(least + usualItems, lengthOf(first[0]))), closed)
  const count = toCount(making, { size, least, most: Math.max(least, Math.min(most, least + maxItems)) })
  const unique = list.some(({ uniqueItems }) => uniqueItems === true)
  const items: JsonValue[] = []
  for (let index = 0; index < count; index++) {
    const schemas = [
      ...first.flatMap((schemas) => schemas.slice(index, index + 1)),
      ...rest.filter(({ from }) => index >= from).map(({ schema }) => schema),
      ...wanted.slice(index, index + 1),
    ]
    const item = unique ? makeOther(making, schemas, { depth, items }) : make(making, schemas, depth + 1)
    if (item !== undefined) items.push(item)
    else if (items.length >= least) break
    else throw impossible
  }
  return items
}

const maxRepeats = 20

/** An item that is not in the list yet. */
function makeOther(
  making: Making,
  schemas: readonly Schema[],
  { depth, items }: { depth: number; items: readonly JsonValue[] },
): JsonValue | undefined {
  const anything: Making = { ...making, size: 'any', choose: making.random.pick }
  for (let turn = 0; turn < maxRepeats; turn++) {
    const item = make(anything, schemas, depth + 1)
    if (!items.some((other) => isSame(other, item))) return item
  }
  return undefined
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0
}

/** A count between two bounds. */
function toCount({ random }: Making, { size, least, most }: { size: Size; least: number; most: number }): number {
  if (size === 'small') return least
  return size === 'large' ? most : least + random.below(Math.min(most - least, usualItems) + 1)
}

interface NumberOptions {
  readonly size: Size
  readonly whole: boolean
}

function makeNumber({ random }: Making, list: readonly SchemaObject[], { size, whole }: NumberOptions): number {
  const steps = valuesOf<number>(list, 'multipleOf')
  const step = steps.length > 0 ? Math.max(...steps) : whole ? 1 : undefined
  const low = Math.max(atLeast(list, 'minimum', -Infinity), atLeast(list, 'exclusiveMinimum', -Infinity))
  const high = Math.min(atMost(list, 'maximum', Infinity), atMost(list, 'exclusiveMaximum', Infinity))
  const isLowOut = valuesOf<number>(list, 'exclusiveMinimum').includes(low)
  const isHighOut = valuesOf<number>(list, 'exclusiveMaximum').includes(high)
  const gap = step ?? (high - low < 2 ? (high - low) / 4 : 0.5)
  const least = toStep(isLowOut ? low + gap : low, step, Math.ceil)
  const most = toStep(isHighOut ? high - gap : high, step, Math.floor)
  if (least > most) throw impossible
  const within = (number: number) => Math.min(Math.max(number, least), most)
  const start = within(0)
  if (size === 'small') return start
  const end = Number.isFinite(most) ? most : toStep(start + 1000, step, Math.floor)
  if (size === 'large') return end
  const between = start + (end - start) * (random.below(1001) / 1000)
  const below = Number.isFinite(least) ? least : within(toStep(-1000, step, Math.ceil))
  return random.pick([start, end, below, within(toStep(between, step, Math.round))])
}

/** The nearest multiple of a step in a direction. */
function toStep(number: number, step: number | undefined, round: (number: number) => number): number {
  if (step === undefined || !Number.isFinite(number)) return number
  const multiple = round(number / step) * step
  // 3 * 0.1 !== 0.3
  return step < 1 ? Number(multiple.toPrecision(12)) : multiple
}
