import type { ContractSource, DeclaredError, Example, Risk } from '../../contract/contract.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'

/** Specification of a new tool. */
export interface WantedTool {
  readonly name: string
  readonly description: string
  readonly risk: Risk
  readonly params: readonly Field[]
  readonly returns: readonly Field[]
  readonly errors: readonly DeclaredError[]
  /** Expected calls. If empty, a placeholder shows the shape. */
  readonly examples: readonly Example[]
}

/** A property of the input or the output. */
export interface Field {
  readonly name: string
  readonly type: FieldType
  readonly isList: boolean
  readonly isOptional: boolean
  readonly description: string
}

export const fieldTypes = ['string', 'integer', 'number', 'boolean'] as const
export type FieldType = (typeof fieldTypes)[number]

export const risks = ['read_only', 'safe_write', 'dangerous'] as const

/** Default output. */
export const usualReturns: readonly Field[] = [
  { name: 'result', type: 'string', isList: false, isOptional: false, description: 'What came out' },
]

export function toContractSource({ params, returns, examples, errors, ...wanted }: WantedTool): ContractSource {
  return {
    name: wanted.name,
    description: wanted.description,
    risk: wanted.risk,
    input: toSchema(params),
    output: toSchema(returns),
    ...(errors.length > 0 && { errors }),
    examples: examples.length > 0 ? examples : [makeUpExample(params, returns)],
  }
}

function toSchema(fields: readonly Field[]): JsonObject {
  const required = fields.filter(({ isOptional }) => !isOptional).map(({ name }) => name)
  return {
    type: 'object',
    additionalProperties: false,
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(fields.map((field) => [field.name, toProperty(field)])),
  }
}

function toProperty({ type, isList, description }: Field): JsonObject {
  return isList ? { type: 'array', description, items: { type } } : { type, description }
}

const samples: { readonly [type in FieldType]: JsonValue } = { string: 'text', integer: 1, number: 1.5, boolean: true }

/** A placeholder that fits the schema; only the author knows real outputs. */
function makeUpExample(params: readonly Field[], returns: readonly Field[]): Example {
  const sampleOf = (fields: readonly Field[]) =>
    Object.fromEntries(fields.filter(({ isOptional }) => !isOptional).map(({ name, type, isList }) => [name, isList ? [samples[type]] : samples[type]])) // biome-ignore format: one line
  const output = sampleOf(returns)
  return {
    title: 'Made up: put a real call in its place',
    input: sampleOf(params),
    output,
    ...(Object.keys(output).length > 0 && { varies: Object.keys(output).map((name) => `/${name}`) }),
  }
}
