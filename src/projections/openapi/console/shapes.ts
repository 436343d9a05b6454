import type { JsonObject } from '../../../contract/json.ts'

export const text: JsonObject = { type: 'string' }
export const flag: JsonObject = { type: 'boolean' }
export const whole: JsonObject = { type: 'integer' }
export const number: JsonObject = { type: 'number' }
export const time: JsonObject = { type: 'string', format: 'date-time' }
export const anything: JsonObject = {}
export const anyObject: JsonObject = { type: 'object' }

export function oneOf(...values: readonly (string | boolean)[]): JsonObject {
  return { enum: [...values] }
}

export function orNull(shape: JsonObject): JsonObject {
  return { anyOf: [shape, { type: 'null' }] }
}

export function list(items: JsonObject): JsonObject {
  return { type: 'array', items }
}

export function map(values: JsonObject): JsonObject {
  return { type: 'object', additionalProperties: values }
}

/** An object with exactly these members. A name that ends in `?` is optional. */
export function shape(members: { readonly [name: string]: JsonObject }): JsonObject {
  const names = Object.keys(members)
  return {
    type: 'object',
    additionalProperties: false,
    required: names.filter((name) => !name.endsWith('?')),
    properties: Object.fromEntries(names.map((name) => [name.replace(/\?$/, ''), members[name]!])),
  }
}
