import type { JsonObject, JsonValue } from '../json.ts'

/** The pointer to a value inside the value at `parent` (RFC 6901). */
export function pointerTo(parent: string, segment: string | number): string {
  return `${parent}/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** The segments of a pointer; undefined if it is not valid. */
export function fromPointer(pointer: string): string[] | undefined {
  if (pointer === '') return []
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined
  return pointer
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The value at a pointer that is known to exist. */
export function valueAt(root: JsonValue, pointer: string): JsonValue {
  return fromPointer(pointer)!.reduce((value, segment) => (value as JsonObject)[segment]!, root)
}
