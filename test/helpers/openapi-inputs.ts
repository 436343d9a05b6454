import type { Contract } from '../../src/contract/contract.ts'
import type { JsonObject, JsonSchema, JsonValue } from '../../src/contract/json.ts'
import { compileSchema } from '../../src/contract/schema/compile-schema.ts'
import { findTarget } from '../../src/contract/schema/local-reference.ts'

export interface TestInput {
  readonly name: string
  readonly input: JsonValue
  readonly valid: boolean
}

/**
 * Inputs derived from a contract: the smallest and largest valid ones, and one for each way to violate it. The
 * validator decides which are valid, so that no generated input is misclassified.
 */
export async function toTestInputs(contract: Contract): Promise<TestInput[]> {
  const { input: schema, examples } = contract
  const { properties = {}, required = [] } = schema as JsonSchema & { properties: Record<string, JsonSchema> }
  const known = { ...toObject(schema, schema, false), ...examples[0]?.input }
  const minimal = Object.fromEntries(required.map((key) => [key, known[key]!]))
  const maximal = { ...toObject(schema, schema, true), ...minimal }
  const made: [string, JsonValue][] = [
    ['minimal', minimal],
    ['maximal', maximal],
    ...examples.map(({ input }, index): [string, JsonValue] => [`example ${index + 1}`, input]),
    ['unknown property', { ...minimal, 'no such property': 1 }],
    ...['text', 5, null, [], true].map((value): [string, JsonValue] => [
      `${JSON.stringify(value)} for an input`,
      value,
    ]),
    ...required.map((key): [string, JsonValue] => [`without ${key}`, without(minimal, key)]),
    ...Object.entries(properties).flatMap(([key, property]) =>
      toOdd(property).map(([name, value]): [string, JsonValue] => [`${key} ${name}`, { ...minimal, [key]: value }]),
    ),
  ]
  const { validate } = await compileSchema(schema, { useDefaults: true })
  return made.map(([name, input]) => ({ name, input, valid: validate(structuredClone(input)).length === 0 }))
}

function without(object: JsonObject, key: string): JsonObject {
  const { [key]: _, ...rest } = object
  return rest
}

/** A value of every type, and values at and just beyond the bounds of the property. */
function toOdd({ minimum, maximum, minLength, maxLength, minItems, maxItems }: JsonSchema): [string, JsonValue][] {
  const typed = ['text', '', -1, 1.5, true, null, {}, [], [{}]].map((value): [string, JsonValue] => [
    `as ${JSON.stringify(value)}`,
    value,
  ])
  const bounds = [minimum, maximum].filter((bound) => typeof bound === 'number')
  const lengths = [minLength, maxLength].filter((length) => typeof length === 'number' && length < 100_000) as number[]
  const counts = [minItems, maxItems].filter((count) => typeof count === 'number' && count < 1000) as number[]
  const around = (numbers: number[]) => numbers.flatMap((number) => [number - 1, number, number + 1])
  return [
    ...typed,
    ...around(bounds).map((value): [string, JsonValue] => [`as ${value}`, value]),
    ...around(lengths)
      .filter((length) => length >= 0)
      .map((length): [string, JsonValue] => [`with ${length} characters`, 'x'.repeat(length)]),
    ...around(counts)
      .filter((count) => count >= 0)
      .map((count): [string, JsonValue] => [`with ${count} items`, Array(count).fill('x')]),
  ]
}

const maxDepth = 4

function toObject(schema: JsonSchema, root: JsonSchema, full: boolean, depth = 0): JsonObject {
  const { properties = {}, required = [] } = schema
  const keys = Object.keys(properties).filter((key) => required.includes(key) || (full && depth < maxDepth))
  return Object.fromEntries(keys.map((key) => [key, toValue(properties[key] as JsonSchema, root, full, depth + 1)]))
}

function toValue(schema: JsonSchema | boolean, root: JsonSchema, full: boolean, depth: number): JsonValue {
  if (typeof schema === 'boolean') return 'anything'
  const { $ref, enum: choices, type, default: preset, const: fixed, examples, oneOf, anyOf, format } = schema
  if (fixed !== undefined) return fixed as JsonValue
  if (choices) return choices.at(full ? -1 : 0) as JsonValue
  if (preset !== undefined) return preset as JsonValue
  if (Array.isArray(examples)) return examples[0]
  if (typeof $ref === 'string') {
    const target = findTarget(root as JsonObject, $ref)
    return target.found ? toValue(target.schema as JsonSchema, root, full, depth) : null
  }
  const branch = (oneOf ?? anyOf) as JsonSchema[] | undefined
  if (branch) return toValue(branch.at(full ? -1 : 0)!, root, full, depth)
  switch ([type].flat()[0]) {
    case 'object':
      return toObject(schema, root, full, depth)
    case 'array': {
      const { items = true, prefixItems = [], minItems = 0, maxItems = 2 } = schema as Record<string, never>
      const listed = Array.isArray(items) ? items : (prefixItems as JsonSchema[])
      if (listed.length > 0) return listed.map((item: JsonSchema) => toValue(item, root, full, depth + 1))
      const length = depth < maxDepth && full ? Math.min(maxItems, 3) : minItems
      return Array.from({ length }, () => toValue(items, root, full, depth + 1))
    }
    case 'integer':
    case 'number':
      return Number((full ? (schema.maximum ?? schema.minimum) : schema.minimum) ?? 1)
    case 'boolean':
      return full
    case 'null':
      return null
    default:
      if (format === 'date-time') return '2026-01-02T03:04:05Z'
      // An unreachable address that is refused anyway.
      if (format === 'uri') return 'http://127.0.0.1:9/'
      return 'x'.repeat(Math.max(1, Number(schema.minLength ?? 1)))
  }
}
