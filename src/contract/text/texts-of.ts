import type { JsonValue } from '../json.ts'

/** Every string in a value, at any depth. */
export function textsOf(value: JsonValue | undefined): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}
