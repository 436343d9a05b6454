import { canonicalJson } from '../../contract/canonical-json.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { findTarget } from '../../contract/schema/local-reference.ts'
import { shorten } from '../../contract/text/shorten.ts'
import type { ToolToProject } from '../projection.ts'

/** Keywords that no function-calling API accepts at the root of the parameters, though all accept them below. */
const refused = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'enum', 'const'] as const

interface FlatRoot {
  readonly schema: JsonObject
  readonly description: string
}

/**
 * Writes the root of the parameters as one plain object: properties of references and branches are merged into its own,
 * and only properties that every branch requires are required. The rest is described in the tool's description.
 */
export function toFlatRoot({ contract, description, note }: ToolToProject): FlatRoot {
  const input = contract.input as JsonObject
  if (input.type === 'object' && !refused.some((keyword) => keyword in input)) return { schema: input, description }
  const { properties, required } = gather(input, input, 0)
  const rest = Object.fromEntries(Object.entries(input).filter(([keyword]) => !isRefused(keyword)))
  const sentences: string[] = []
  for (const keyword of refused) {
    if (input[keyword] === undefined) continue
    note('/input', keyword, 'Flattened: no consumer accepts it at the root; checked when the tool is called.')
    if (keyword !== '$ref' && keyword !== 'allOf') sentences.push(toSentence(keyword, input[keyword]))
  }
  const schema: JsonObject = { ...rest, type: 'object', properties }
  if (required.length > 0) schema.required = [...required]
  return { schema, description: [description, ...sentences].join('\n') }
}

function isRefused(keyword: string): boolean {
  return (refused as readonly string[]).includes(keyword)
}

const beginnings: { readonly [keyword: string]: string } = {
  anyOf: 'The arguments must match one or more of',
  oneOf: 'The arguments must match exactly one of',
  not: 'The arguments must not match',
  enum: 'The arguments must be one of',
  const: 'The arguments must be',
}

function toSentence(keyword: string, value: JsonValue): string {
  return `${beginnings[keyword]}: ${shorten(JSON.stringify(value), maxCharacters)}`
}

const maxCharacters = 500

interface Gathered {
  readonly properties: JsonObject
  readonly required: readonly string[]
}

/** The guard limits in-place references; the count protects callers that skip it. */
function gather(schema: JsonValue, root: JsonObject, turns: number): Gathered {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema) || turns > 50) return nothing
  let all: Gathered = {
    properties: { ...(schema.properties as JsonObject | undefined) },
    required: (schema.required ?? []) as string[],
  }
  const enter = (part: JsonValue) => gather(part, root, turns + 1)
  if (typeof schema.$ref === 'string') {
    const target = findTarget(root, schema.$ref)
    if (target.found) all = join([all, enter(target.schema)], 'allOf')
  }
  for (const part of (schema.allOf ?? []) as JsonValue[]) all = join([all, enter(part)], 'allOf')
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = (schema[keyword] ?? []) as JsonValue[]
    if (branches.length > 0) all = join([all, join(branches.map(enter), 'anyOf')], 'allOf')
  }
  return all
}

const nothing: Gathered = { properties: {}, required: [] }

/** Properties of all parts. If several declare one, `keyword` says how their schemas combine. */
function join(parts: readonly Gathered[], keyword: 'allOf' | 'anyOf'): Gathered {
  const properties: JsonObject = {}
  for (const name of new Set(parts.flatMap((part) => Object.keys(part.properties)))) {
    const schemas = parts.filter((part) => Object.hasOwn(part.properties, name)).map((part) => part.properties[name]!)
    const distinct = [...new Map(schemas.map((schema) => [canonicalJson(schema), schema])).values()]
    properties[name] = distinct.length === 1 ? distinct[0]! : { [keyword]: distinct }
  }
  const names = parts.flatMap(({ required }) => [...required])
  const isKept = (name: string) => keyword === 'allOf' || parts.every(({ required }) => required.includes(name))
  return { properties, required: [...new Set(names)].filter(isKept) }
}
