import type { JsonValue } from '../json.ts'

/** The JSON Schema types made disjoint: a number is an integer or a fraction. */
export type Kind = 'null' | 'boolean' | 'integer' | 'fraction' | 'string' | 'array' | 'object'

export const allKinds: readonly Kind[] = ['null', 'boolean', 'integer', 'fraction', 'string', 'array', 'object']

/** The kinds that `type` allows. */
export function toKinds(type: string | readonly string[] | undefined): ReadonlySet<Kind> {
  if (type === undefined) return new Set(allKinds)
  const types = typeof type === 'string' ? [type] : type
  return new Set(types.flatMap((name) => (name === 'number' ? ['integer', 'fraction'] : [name])) as Kind[])
}

export function kindOf(value: JsonValue): Kind {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'fraction'
  return typeof value as Kind
}
