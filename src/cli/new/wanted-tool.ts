import type { ContractSource, DeclaredError, Example, Risk } from '../../contract/contract.ts'
import { errorCodeForm } from '../../contract/forms.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import { UsageError } from '../options/command.ts'

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
type FieldType = (typeof fieldTypes)[number]

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

const fieldForm = new RegExp(`^([A-Za-z_]\\w{0,63}):(${fieldTypes.join('|')})(\\[\\])?(\\?)?(?:\\s+(\\S[\\s\\S]*))?$`)

const fieldHelp = `NAME:TYPE, with ? where it may be left out and its meaning after a space, such as 'limit:integer? How many to return'. Types are ${fieldTypes.join(', ')}; string[] is a list.`

/** Parses fields such as `text:string` or `tags:string[]? Search terms`. */
export function readFields(words: readonly string[], option: 'param' | 'returns'): Field[] {
  const fields = words.map((word): Field => {
    const [, name, type, list, optional, description] = fieldForm.exec(word.trim()) ?? []
    if (name === undefined) throw new UsageError(`--${option} cannot be '${word}'.`, `Write ${fieldHelp}`)
    return {
      name,
      type: type as FieldType,
      isList: list !== undefined,
      isOptional: optional !== undefined,
      description: description?.trim() ?? toWords(name),
    }
  })
  const names = fields.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new UsageError(`--${option} gives ${twice} twice.`)
  return fields
}

/** Parses declared errors such as `no_such_note:404 There is no note of that name.` */
export function readErrors(words: readonly string[]): DeclaredError[] {
  return words.map((word) => {
    const [, code = '', status, when] = /^([^\s:]+):([45]\d\d)(?:\s+(\S[\s\S]*))?$/.exec(word.trim()) ?? []
    if (!errorCodeForm.test(code))
      throw new UsageError(`--error cannot be '${word}'.`, `Write CODE:STATUS, a code in snake_case and an HTTP status of an error, and when it comes: 'no_such_note:404 There is no note of that name.'`) // biome-ignore format: one line
    return {
      code,
      status: Number(status),
      when: when?.trim() ?? `${toWords(code)}.`,
      suggestion: Number(status) < 500 ? 'Change the input.' : 'Try again later.',
    }
  })
}

/** Parses examples: `{ "input": …, "output": … }`, or `error` instead of the output. */
export function readExamples(words: readonly string[]): Example[] {
  return words.map((word) => {
    const parsed = parseJson(word, { maxBytes: 1_048_576, maxDepth: 100 })
    const advice = `Write '{"input": {…}, "output": {…}}', or "error": "CODE" in place of the output.`
    if (!parsed.ok) throw new UsageError(`--example is not valid JSON. ${parsed.message}`, advice)
    if (typeof parsed.value !== 'object' || parsed.value === null || !('input' in parsed.value))
      throw new UsageError('--example has no input.', advice)
    return parsed.value as unknown as Example
  })
}

/** `page_count` becomes `Page count`. */
function toWords(name: string): string {
  const words = name.replaceAll('_', ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
