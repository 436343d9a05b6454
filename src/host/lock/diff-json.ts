import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { pointerTo } from '../../contract/schema/json-pointer.ts'

/** A location at which two JSON values differ. A side is absent if it has no value there. */
export interface Spot {
  readonly pointer: string
  readonly before?: JsonValue
  readonly after?: JsonValue
}

/** The innermost differences of two values. Ignores the order of keys. Expects bounded depth. */
export function diffJson(before: JsonValue | undefined, after: JsonValue | undefined, pointer = ''): Spot[] {
  if (before === undefined || after === undefined) return before === after ? [] : [toSpot(pointer, before, after)]
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length)
    return Array.from({ length }, (_, index) => diffJson(before[index], after[index], pointerTo(pointer, index))).flat()
  }
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
    return keys.flatMap((key) => diffJson(fieldOf(before, key), fieldOf(after, key), pointerTo(pointer, key)))
  }
  return before === after ? [] : [toSpot(pointer, before, after)]
}

function toSpot(pointer: string, before: JsonValue | undefined, after: JsonValue | undefined): Spot {
  return { pointer, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }
}

function fieldOf(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}
