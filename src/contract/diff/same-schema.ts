import { canonicalJson } from '../canonical-json.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import { keywordOf, type Shape } from '../schema/keywords.ts'
import { type Place, placeIn, targetOf } from './document.ts'
import { follow, toOwn } from './part.ts'

export type SameSchema = (one: Place, other: Place) => boolean

/**
 * Whether two schemas are equivalent as written. Ignores annotations, the order of names and values, and whether a
 * subschema is referenced or inlined.
 */
export function createSameSchema(): SameSchema {
  const ids = new WeakMap<object, number>()
  const proven = new Set<string>()
  let lastId = 0

  function idOf(schema: object): number {
    const id = ids.get(schema) ?? ++lastId
    ids.set(schema, id)
    return id
  }

  return (one, other) => {
    // A pair that recurs is assumed equal: only another pair can prove otherwise.
    const assumed = new Set<string>()
    const isSame = compare(one, other)
    if (isSame) for (const pair of assumed) proven.add(pair)
    return isSame

    function compare(one: Place, other: Place): boolean {
      const [left, right] = [toWritten(one), toWritten(other)]
      if (typeof left === 'boolean' || typeof right === 'boolean') return left === right
      const pair = `${idOf(left.place.schema as object)} ${idOf(right.place.schema as object)}`
      if (proven.has(pair) || assumed.has(pair)) return true
      assumed.add(pair)
      if (left.place.document.dialect !== right.place.document.dialect) return false
      const names = Object.keys(left.own)
      if (names.length !== Object.keys(right.own).length) return false
      return names.every((name) => Object.hasOwn(right.own, name) && compareKeyword(name, left, right))
    }

    function compareKeyword(name: string, left: Written, right: Written): boolean {
      if (name === '$ref') return compare(targetOf(left.place)!, targetOf(right.place)!)
      const { shape } = keywordOf(name, left.place.document.dialect) ?? { shape: 'any' }
      const [mine, theirs] = [left.own[name]!, right.own[name]!]
      if (shape === 'types' || shape === 'names' || shape === 'enum') return toSetText(mine) === toSetText(theirs)
      if (!shape.startsWith('schema')) return canonicalJson(mine) === canonicalJson(theirs)
      const [parts, others] = [entriesOf(shape, mine), new Map(entriesOf(shape, theirs))]
      if (parts.length !== others.size) return false
      return parts.every(([step, part]) => {
        const match = others.get(step)
        // `dependencies` may contain names instead of a schema.
        if (match === undefined || Array.isArray(part) || Array.isArray(match))
          return Array.isArray(part) && Array.isArray(match) && toSetText(part) === toSetText(match)
        const steps = step === whole ? [name] : [name, step]
        return compare(placeIn(left.place, ...steps), placeIn(right.place, ...steps))
      })
    }
  }
}

interface Written {
  readonly place: Place
  readonly own: JsonObject
}

/** The effective keywords of a schema, with a lone `$ref` followed. */
function toWritten(named: Place): Written | boolean {
  const place = follow(named)
  const { schema } = place
  if (typeof schema === 'boolean') return schema
  const own = toOwn(place, schema)
  return Object.keys(own).length === 0 ? true : { place, own }
}

const whole = Symbol('the value itself')

/** The subschemas of a keyword: one, a list, or a map. */
function entriesOf(shape: Shape, value: JsonValue): [step: string | number | typeof whole, part: JsonValue][] {
  if (Array.isArray(value)) return [...value.entries()]
  return shape.includes(' by ') ? Object.entries(value as JsonObject) : [[whole, value]]
}

function toSetText(values: JsonValue): string {
  return [values]
    .flat()
    .map((value) => canonicalJson(value))
    .sort()
    .join('\n')
}
