/** Any value that JSON can express. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject

/** A JSON object. */
export interface JsonObject {
  [key: string]: JsonValue
}

export type JsonTypeName = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object'

/** A JSON Schema literal. Commonly mistyped keywords are typed; all others are allowed. */
export interface JsonSchema {
  readonly type?: JsonTypeName | readonly JsonTypeName[]
  readonly description?: string
  readonly properties?: { readonly [name: string]: JsonSchema | boolean }
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | boolean
  readonly items?: JsonSchema | boolean | readonly (JsonSchema | boolean)[]
  readonly enum?: readonly unknown[]
  readonly [keyword: string]: unknown
}

/** Whether a value is a JSON object: not null, and not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
