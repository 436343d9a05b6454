// Checked by tsc, never run: each line holds or does not compile.
import type { Infer, InferInput } from './infer.ts'
import type { JsonObject, JsonSchema, JsonValue } from './json.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Fails to compile unless the type inferred from the schema is exactly `Expected`. */
function infers<Expected>() {
  return <const Schema extends JsonSchema>(
    _schema: Schema,
    ..._exact: Equal<Infer<Schema>, Expected> extends true ? [] : [{ inferred: Infer<Schema>; expected: Expected }]
  ) => {}
}

function accepts<Expected>() {
  return <const Schema extends JsonSchema>(
    _schema: Schema,
    ..._exact: Equal<InferInput<Schema>, Expected> extends true
      ? []
      : [{ inferred: InferInput<Schema>; expected: Expected }]
  ) => {}
}

export function scalars() {
  infers<string>()({ type: 'string' })
  infers<number>()({ type: 'integer', minimum: 1 })
  infers<number>()({ type: 'number' })
  infers<boolean>()({ type: 'boolean' })
  infers<null>()({ type: 'null' })
  infers<string | null>()({ type: ['string', 'null'] })
  infers<JsonValue>()({})
  infers<JsonValue>()({ description: 'Anything.' })
  infers<JsonObject>()({ type: 'object' })
  // @ts-expect-error a string is not a number
  infers<number>()({ type: 'string' })
}

export function literals() {
  infers<'asc' | 'desc'>()({ enum: ['asc', 'desc'] })
  infers<'asc' | 'desc'>()({ type: 'string', enum: ['asc', 'desc'] })
  infers<'asc' | null>()({ type: ['string', 'null'], enum: ['asc', null] })
  infers<1 | 'one' | true>()({ enum: [1, 'one', true] })
  infers<'v1'>()({ const: 'v1' })
  infers<{ list: [1, 2] }>()({ const: { list: [1, 2] } })
}

export function objects() {
  infers<{ name: string; nickname?: string }>()({
    type: 'object',
    properties: { name: { type: 'string' }, nickname: { type: 'string' } },
    required: ['name'],
    additionalProperties: false,
  })
  infers<{ [key: string]: never }>()({ type: 'object', additionalProperties: false })
  infers<{ [key: string]: number }>()({ type: 'object', additionalProperties: { type: 'number' } })
  infers<{ [key: string]: JsonValue }>()({ type: 'object', properties: {}, additionalProperties: true })
  infers<{ id: number } & { [key: string]: string | number }>()({
    type: 'object',
    properties: { id: { type: 'integer' } },
    required: ['id'],
    additionalProperties: { type: 'string' },
  })
  infers<{ [key: string]: string | number }>()({
    type: 'object',
    patternProperties: { '^s_': { type: 'string' }, '^n_': { type: 'number' } },
    additionalProperties: false,
  })
  infers<{ id?: number } & { [key: string]: string | number }>()({
    type: 'object',
    properties: { id: { type: 'integer' } },
    patternProperties: { '^s_': { type: 'string' } },
    additionalProperties: false,
  })
  infers<{ a: JsonValue }>()({ type: 'object', required: ['a'] })
  infers<{ never?: never; any?: JsonValue }>()({ type: 'object', properties: { never: false, any: true } })
  infers<{ a?: number } | null>()({ type: ['object', 'null'], properties: { a: { type: 'number' } } })
}

export function anIndexSignatureAllowsTheDeclaredPropertiesToo() {
  type Open = Infer<{
    type: 'object'
    properties: { id: { type: 'integer' }; tag: { type: 'string' } }
    required: ['id']
    additionalProperties: true
  }>
  const open: Open = { id: 1, extra: { deep: [true] } }
  const id: number = open.id
  const tag: string | undefined = open.tag
  const extra: JsonValue | undefined = open.anything
  // @ts-expect-error id is a number
  const wrong: Open = { id: 'one' }
  return { id, tag, extra, wrong }
}

export function defaults() {
  const schema = {
    type: 'object',
    properties: {
      name: { type: 'string', default: 'World' },
      limit: { type: 'integer', default: 10 },
      path: { type: 'string' },
      options: {
        type: 'object',
        properties: { deep: { type: 'boolean', default: false }, depth: { type: 'integer' } },
        additionalProperties: false,
      },
    },
    required: ['path', 'limit'],
    additionalProperties: false,
  } as const satisfies JsonSchema
  infers<{ path: string; limit: number; name: string; options?: { deep: boolean; depth?: number } }>()(schema)
  accepts<{ path: string; limit?: number; name?: string; options?: { deep?: boolean; depth?: number } }>()(schema)
  // A default inside a branch cannot be relied on: another branch may match.
  infers<{ a?: number } | { b: string }>()({
    anyOf: [
      { type: 'object', properties: { a: { type: 'number', default: 1 } }, additionalProperties: false },
      { type: 'object', properties: { b: { type: 'string' } }, required: ['b'], additionalProperties: false },
    ],
  })
}

export function arrays() {
  infers<string[]>()({ type: 'array', items: { type: 'string' } })
  infers<JsonValue[]>()({ type: 'array' })
  infers<('a' | 'b')[]>()({ type: 'array', items: { enum: ['a', 'b'] } })
  infers<{ title: string }[]>()({
    type: 'array',
    items: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
  })
  infers<[string?, number?]>()({
    type: 'array',
    prefixItems: [{ type: 'string' }, { type: 'number' }],
    items: false,
  })
  infers<[string, number?, ...boolean[]]>()({
    type: 'array',
    prefixItems: [{ type: 'string' }, { type: 'number' }],
    items: { type: 'boolean' },
    minItems: 1,
  })
  infers<[string, number, ...JsonValue[]]>()({
    type: 'array',
    prefixItems: [{ type: 'string' }, { type: 'number' }],
    minItems: 2,
  })
  infers<[string]>()({ type: 'array', items: [{ type: 'string' }], additionalItems: false, minItems: 1 })
}

export function unionsAndIntersections() {
  infers<string | number[]>()({ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'number' } }] })
  infers<{ kind: 'a'; size: number } | { kind: 'b' }>()({
    oneOf: [
      {
        type: 'object',
        properties: { kind: { const: 'a' }, size: { type: 'number' } },
        required: ['kind', 'size'],
        additionalProperties: false,
      },
      { type: 'object', properties: { kind: { const: 'b' } }, required: ['kind'], additionalProperties: false },
    ],
  })
  infers<{ a: string; b?: number }>()({
    allOf: [
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      { type: 'object', properties: { b: { type: 'number' } } },
    ],
  })
  infers<{ id: string; a: number } | { id: string; b: number }>()({
    type: 'object',
    properties: { id: { type: 'string' } },
    required: ['id'],
    anyOf: [
      { properties: { a: { type: 'number' } }, required: ['a'] },
      { properties: { b: { type: 'number' } }, required: ['b'] },
    ],
  })
  infers<{ a?: string; b?: string }>()({
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
  })
  infers<{ a: number } | { b: number }>()({
    type: 'object',
    oneOf: [
      { properties: { a: { type: 'number' } }, required: ['a'] },
      { properties: { b: { type: 'number' } }, required: ['b'] },
    ],
  })
}

export function references() {
  infers<{ from: { line: number }; to?: { line: number } }>()({
    type: 'object',
    properties: { from: { $ref: '#/$defs/position' }, to: { $ref: '#/definitions/position', description: 'The end.' } },
    required: ['from'],
    $defs: { position: { type: 'object', properties: { line: { type: 'integer' } }, required: ['line'] } },
    definitions: { position: { type: 'object', properties: { line: { type: 'integer' } }, required: ['line'] } },
  })
  infers<string[]>()({ type: 'array', items: { $ref: '#/$defs/a~1b~0c' }, $defs: { 'a/b~c': { type: 'string' } } })
  infers<JsonValue>()({ $ref: '#/$defs/absent' })
  infers<JsonValue>()({ $ref: 'https://example.com/schema' })
}

export function recursion() {
  type Tree = Infer<{
    type: 'object'
    properties: { name: { type: 'string' }; children: { type: 'array'; items: { $ref: '#' } } }
    required: ['name']
    additionalProperties: false
  }>
  const tree: Tree = { name: 'root', children: [{ name: 'leaf', children: [] }] }
  const leaf: string | undefined = tree.children?.[0]?.children?.[0]?.name
  // @ts-expect-error a name deep inside must be a string
  const wrong: Tree = { name: 'root', children: [{ name: 'leaf', children: [{ name: 1 }] }] }

  type Expression = Infer<{
    $ref: '#/$defs/expression'
    $defs: {
      expression: {
        anyOf: [{ type: 'number' }, { type: 'array'; items: { $ref: '#/$defs/expression' } }]
      }
    }
  }>
  const expression: Expression = [1, [2, [3]]]
  // @ts-expect-error a string is not an expression
  const noExpression: Expression = [1, ['two']]

  type Nested = Infer<{ type: 'object'; additionalProperties: { $ref: '#' } }>
  const nested: Nested = { a: { b: { c: {} } } }
  // @ts-expect-error only maps of maps
  const noNest: Nested = { a: { b: 1 } }

  type Marked = Infer<{
    type: 'object'
    properties: { mark: { type: 'integer' } }
    required: ['mark']
    additionalProperties: { $ref: '#' }
  }>
  const marked: Marked = { mark: 1, left: { mark: 2 } }
  const mark: number = marked.mark

  type Linked = Infer<{
    type: 'object'
    properties: { value: { type: 'integer' }; next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } }
    required: ['value', 'next']
    additionalProperties: false
  }>
  const linked: Linked = { value: 1, next: { value: 2, next: null } }
  // @ts-expect-error the inner item has no next
  const noLink: Linked = { value: 1, next: { value: 2 } }
  return { leaf, wrong, expression, noExpression, nested, noNest, mark, linked, noLink }
}

export function whatIsNotALiteral() {
  infers<JsonValue>()({} as JsonSchema)
  // biome-ignore lint/suspicious/noExplicitAny: it must not spread
  type FromAny = Infer<any>
  const notAny: Equal<FromAny, JsonValue> = true
  return notAny
}
