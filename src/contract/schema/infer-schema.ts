import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../json.ts'
import { pointerTo } from './json-pointer.ts'

export interface InferredSchema {
  /** Closed: properties that no sample had are refused. Every sample is valid. */
  readonly schema: JsonSchema
  /** Where the samples are not enough, and what to do. */
  readonly doubts: readonly string[]
}

/** Deeper values are left open. */
const maxDepth = 12
/** An object with more keys is treated as a map: its keys are data. */
const maxKeys = 64

/**
 * Proposes an output schema from results of a tool. Samples never show every possible value, so a person must review
 * it.
 *
 * `inferSchema([{ id: 1 }, { id: 2, note: 'x' }])` requires `id` and allows `note`.
 */
export function inferSchema(samples: readonly JsonObject[]): InferredSchema {
  const doubts: string[] = []
  if (samples.length === 1)
    doubts.push('There is only one sample: any other property, or a missing one, will be refused. Add more samples.')
  const schema = infer(samples, { pointer: '', depth: 0, doubts })
  return { schema: schema as JsonSchema, doubts }
}

interface Place {
  readonly pointer: string
  readonly depth: number
  readonly doubts: string[]
}

function infer(values: readonly JsonValue[], place: Place): JsonObject {
  const { pointer, depth, doubts } = place
  if (depth >= maxDepth) {
    doubts.push(`${pointer} is nested ${maxDepth} levels deep: its content is left open.`)
    return {}
  }
  const types = typesOf(values)
  const objects = values.filter(isObject)
  const lists = values.filter((value) => Array.isArray(value))
  if (types.length === 1 && types[0] === 'null') {
    doubts.push(`${pointer} was always null, so nothing else is allowed. Add a sample in which it is not.`)
  }
  return {
    type: types.length === 1 ? types[0]! : types,
    ...(objects.length > 0 && inferObject(objects, place)),
    ...(lists.length > 0 && inferList(lists, place)),
  }
}

function inferObject(objects: readonly JsonObject[], { pointer, depth, doubts }: Place): JsonObject {
  const keys = [...new Set(objects.flatMap((object) => Object.keys(object)))]
  const valuesOf = (key: string) => objects.filter((object) => Object.hasOwn(object, key)).map((object) => object[key]!)
  if (keys.length > maxKeys) {
    doubts.push(`${pointer || 'The output'} has ${keys.length} different keys, so any key is allowed.`)
    const place = { pointer: pointerTo(pointer, '*'), depth: depth + 1, doubts }
    return { additionalProperties: infer(keys.flatMap(valuesOf), place) }
  }
  const properties = keys.map((key) => {
    const place = { pointer: pointerTo(pointer, key), depth: depth + 1, doubts }
    return [key, infer(valuesOf(key), place)] as const
  })
  const required = keys.filter((key) => objects.every((object) => Object.hasOwn(object, key)))
  return {
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

function inferList(lists: readonly JsonValue[][], { pointer, depth, doubts }: Place): JsonObject {
  const items = lists.flat()
  const place = { pointer: pointerTo(pointer, '*'), depth: depth + 1, doubts }
  if (items.length > 0) return { items: infer(items, place) }
  doubts.push(`${pointer} was always empty, so any item is allowed. Add a sample in which it is not.`)
  return {}
}

type TypeName = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null'

/** In a fixed order. Integers beside fractions count as numbers. */
function typesOf(values: readonly JsonValue[]): TypeName[] {
  const found = new Set(values.map(typeOf))
  if (found.has('number')) found.delete('integer')
  const order: TypeName[] = ['object', 'array', 'string', 'integer', 'number', 'boolean', 'null']
  return order.filter((type) => found.has(type))
}

function typeOf(value: JsonValue): TypeName {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value as TypeName
}
