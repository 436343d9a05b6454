import type { JsonSchema } from './json.ts'
import { boundJson } from './schema/bound-json.ts'
import { compileSchema } from './schema/compile-schema.ts'
import type { Problem } from './tool-error.ts'

/** Validates a value. A valid value has the type. */
export type Validate<Value> = (value: unknown) => Promise<Validated<Value>>

/** The validated value, or its problems. */
export type Validated<Value> =
  | { readonly valid: true; readonly value: Value }
  | { readonly valid: false; readonly problems: readonly Problem[] }

const limits = { maxBytes: 67_108_864, maxDepth: 64 }

/**
 * Makes a function that validates values against a schema, as the pipeline does: hostile schemas and values take
 * bounded time. The schema is compiled with the first value. `toolpact export validators` writes one per tool.
 *
 * @example
 * const validate = defineValidator<{ name: string }>({ type: 'object', required: ['name'], properties: { name: { type: 'string' } } })
 * const checked = await validate(JSON.parse(text))
 * if (checked.valid) console.log(checked.value.name)
 */
export function defineValidator<Value>(schema: JsonSchema): Validate<Value> {
  return async (value) => {
    const validator = await compileSchema(schema)
    const bounded = boundJson(value, limits)
    if (!bounded.ok) {
      const { pointer, reason, message } = bounded
      return { valid: false, problems: [{ pointer, keyword: reason, expected: 'bounded JSON', message }] }
    }
    const problems = validator.validate(bounded.value)
    return problems.length === 0 ? { valid: true, value: bounded.value as Value } : { valid: false, problems }
  }
}
