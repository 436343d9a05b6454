import fc from 'fast-check'
import type { JsonObject, JsonSchema } from '../../src/contract/json.ts'
import { jsonOf, type Mutation, mutate, mutations, schemaOf } from './random-schemas.ts'

/** A workflow, the schemas of its tools, and seeds of the values that it meets. */
export interface RandomWorkflow {
  readonly document: JsonObject
  readonly contracts: { readonly [id: string]: { readonly input: JsonSchema; readonly output: JsonSchema } }
  readonly pool: readonly unknown[]
  readonly seed: number
}

type Plain = Record<string, unknown>

const names = ['a', 'b', 'c'] as const
const definitions = { $defs: { d: { type: 'object', properties: { a: { $ref: '#/$defs/d' } } }, e: { minimum: 1 } } }

/** Schemas as tools have them, beside the wild ones. */
const tame: fc.Arbitrary<unknown> = fc.oneof(
  fc.record({ type: fc.constant('string'), minLength: fc.nat(2), maxLength: fc.integer({ min: 2, max: 4 }) }, { requiredKeys: ['type'] }), // biome-ignore format: one line
  fc.record({ type: fc.constantFrom('integer', 'number'), minimum: fc.nat(2), maximum: fc.integer({ min: 2, max: 4 }) }, { requiredKeys: ['type'] }), // biome-ignore format: one line
  fc.subarray(['x', 'ab', 'abc', 1, null, true], { minLength: 1 }).map((values) => ({ enum: values })),
  fc.constantFrom({ type: 'boolean' }, { type: ['string', 'null'] }, { type: 'string', format: 'date' }, { type: 'string', pattern: '^a' }), // biome-ignore format: one line
)

const simple = fc.oneof({ weight: 3, arbitrary: tame }, { weight: 2, arbitrary: schemaOf(1) })

const poolSchemas = fc.oneof(
  { weight: 3, arbitrary: simple },
  { weight: 1, arbitrary: schemaOf(2) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('array'), items: simple, minItems: fc.nat(1), maxItems: fc.integer({ min: 1, max: 3 }) }, { requiredKeys: ['type', 'items'] }) }, // biome-ignore format: one line
  { weight: 2, arbitrary: objectOf(simple) },
  { weight: 1, arbitrary: fc.array(objectOf(simple), { minLength: 1, maxLength: 2 }).map((anyOf) => ({ anyOf })) },
)

function objectOf(inner: fc.Arbitrary<unknown>): fc.Arbitrary<Plain> {
  return fc
    .record({
      properties: fc.dictionary(fc.constantFrom(...names), inner, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
      required: fc.subarray([...names]),
      additionalProperties: fc.constantFrom<unknown>(false, false, true, { type: 'integer' }),
      defaults: fc.option(jsonOf(0), { nil: undefined }),
    })
    .map(({ properties, required, additionalProperties, defaults }) => {
      const [first] = Object.keys(properties)
      if (defaults !== undefined && typeof properties[first!] === 'object')
        properties[first!] = { ...(properties[first!] as Plain), default: defaults }
      const known = required.filter((name) => name in properties)
      return { type: 'object', properties, required: known, additionalProperties }
    })
}

const item = fc.constantFrom('', '/a', '/b', '/0')
const below = fc.constantFrom(...Array(20).fill(''), '/a', '/b', '/c', '/0', '/1', '/a/b', '/0/a')
const pointers = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constantFrom('/input'), fc.constantFrom(...names), below).map(([root, name, rest]) => `${root}/${name}${rest}`) }, // biome-ignore format: one line
  { weight: 4, arbitrary: fc.tuple(fc.constantFrom('s0', 's1'), fc.constantFrom('', '/a', '/b', '/c', '/0', '/0/a'), below).map(([id, name, rest]) => `/steps/${id}/output${name}${rest}`) }, // biome-ignore format: one line
  { weight: 2, arbitrary: item.map((rest) => `/item${rest}`) },
  fc.constantFrom(
    '/index',
    '/run/id',
    '/run/startedAt',
    '/steps/s0/skipped',
    '/steps/s0/error/code',
    '/steps/s0',
    '/input',
  ),
)
const from = pointers.map(($from) => ({ $from }))
const constants = jsonOf(1)

const conditions: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  one: fc.oneof(
    { depthSize: 'small' },
    from.map(($exists) => ({ $exists })),
    fc.tuple(from, jsonOf(0)).map(($eq) => ({ $eq })),
    fc.tuple(from, jsonOf(0)).map(($ne) => ({ $ne })),
    from.map(($empty) => ({ $empty })),
    fc.tuple(from, fc.nat(2)).map(([list, count]) => ({ $ge: [{ $length: list }, count] })),
    fc.tuple(from, fc.nat(2)).map(([left, right]) => ({ $lt: [left, right] })),
    from,
    tie('one').map(($not) => ({ $not })),
    fc.array(tie('one'), { minLength: 1, maxLength: 2 }).map(($and) => ({ $and })),
    fc.array(tie('one'), { minLength: 1, maxLength: 2 }).map(($or) => ({ $or })),
  ),
})).one

const expressions: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  one: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    from,
    constants,
    fc.tuple(pointers, tie('one')).map(([$from, fallback]) => ({ $from, default: fallback })),
    fc.tuple(conditions, tie('one'), tie('one')).map(($if) => ({ $if })),
    // A value only where it exists.
    fc.tuple(from, tie('one')).map(([value, other]) => ({ $if: [{ $exists: value }, value, other] })),
    fc.tuple(tie('one'), simple).map(($check) => ({ $check })),
    fc.tuple(tie('one'), fc.nat(3)).map(($truncate) => ({ $truncate })),
    fc.tuple(tie('one'), fc.nat(2), fc.nat(3)).map(($slice) => ({ $slice })),
    fc.array(tie('one'), { minLength: 1, maxLength: 2 }).map(($concat) => ({ $concat })),
    fc.array(tie('one'), { minLength: 1, maxLength: 2 }).map(($merge) => ({ $merge })),
    fc.tuple(tie('one'), fc.constantFrom('/a', '/b', '')).map(($pluck) => ({ $pluck })),
    tie('one').map(($length) => ({ $length })),
    fc.tuple(fc.oneof(tie('one'), fc.array(tie('one'), { maxLength: 2 })), fc.constantFrom('', ', ')).map(([$join, separator]) => ({ $join, with: separator })), // biome-ignore format: one line
    fc.array(tie('one'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...names), tie('one'), { maxKeys: 2, noNullPrototype: true }),
    conditions,
  ),
})).one

/** Expressions around a reference to a value of the wanted schema, which stands as `{ $auto: NUMBER }`. */
const guided: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  one: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 6, arbitrary: fc.nat(9).map(($auto) => ({ $auto })) },
    { weight: 1, arbitrary: fc.tuple(conditions, tie('one'), tie('one')).map(($if) => ({ $if })) },
    { weight: 1, arbitrary: fc.tuple(fc.nat(9), constants).map(([$auto, fallback]) => ({ $auto, default: fallback })) },
    { weight: 1, arbitrary: fc.tuple(fc.nat(9), tie('one')).map(([$auto, other]) => ({ $if: [{ $exists: { $auto } }, { $auto }, other] })) }, // biome-ignore format: one line
    { weight: 1, arbitrary: fc.tuple(fc.nat(9), jsonOf(0), tie('one')).map(([$auto, value, other]) => ({ $if: [{ $eq: [{ $auto }, value] }, { $auto }, other] })) }, // biome-ignore format: one line
    { weight: 1, arbitrary: fc.tuple(tie('one'), simple).map(($check) => ({ $check })) },
    { weight: 1, arbitrary: fc.tuple(tie('one'), fc.nat(3)).map(($truncate) => ({ $truncate })) },
    { weight: 1, arbitrary: fc.tuple(tie('one'), fc.nat(2), fc.nat(3)).map(($slice) => ({ $slice })) },
    { weight: 1, arbitrary: fc.array(tie('one'), { minLength: 1, maxLength: 2 }).map(($concat) => ({ $concat })) },
    { weight: 1, arbitrary: fc.array(tie('one'), { minLength: 1, maxLength: 2 }).map(($merge) => ({ $merge })) },
    { weight: 1, arbitrary: fc.array(tie('one'), { minLength: 1, maxLength: 2 }).map(($join) => ({ $join })) },
    { weight: 1, arbitrary: fc.tuple(tie('one'), fc.constantFrom('/a', '/b', '')).map(($pluck) => ({ $pluck })) },
    { weight: 1, arbitrary: tie('one').map(($length) => ({ $length })) },
    { weight: 1, arbitrary: fc.array(tie('one'), { maxLength: 2 }) },
    { weight: 1, arbitrary: fc.dictionary(fc.constantFrom(...names), tie('one'), { maxKeys: 2, noNullPrototype: true }) }, // biome-ignore format: one line
  ),
})).one

const mapped = fc.oneof({ weight: 3, arbitrary: guided }, { weight: 1, arbitrary: expressions })

/** A schema of the pool, sometimes changed a little. */
const picks = fc.record({
  index: fc.nat(2),
  changes: fc.oneof({ weight: 2, arbitrary: fc.constant<Mutation[]>([]) }, { weight: 1, arbitrary: mutations }),
  isAny: fc.nat(9).map((number) => number === 0),
})

type Pick = typeof picks extends fc.Arbitrary<infer T> ? T : never

const objects = fc.record({
  properties: fc.record({ a: picks, b: picks, c: picks }, { requiredKeys: ['a'] }),
  required: fc.subarray([...names]),
  isClosed: fc.nat(4).map((number) => number > 0),
})

type Objects = typeof objects extends fc.Arbitrary<infer T> ? T : never

const stepParts = fc.record(
  {
    input: objects,
    output: objects,
    mapping: fc.oneof(
      { weight: 6, arbitrary: fc.record({ a: mapped, b: mapped, c: mapped }, { requiredKeys: ['a'] }) },
      { weight: 1, arbitrary: expressions.filter((value) => typeof value === 'object' && value !== null && !Array.isArray(value)) }, // biome-ignore format: one line
    ),
    when: conditions,
    forEach: fc.record({ in: fc.oneof(from, expressions), max: fc.integer({ min: 1, max: 3 }) }),
    onError: fc.constantFrom('stop', 'continue'),
  },
  { requiredKeys: ['input', 'output', 'mapping'] },
)

export const workflows: fc.Arbitrary<RandomWorkflow> = fc
  .record({
    schemas: fc.tuple(poolSchemas, poolSchemas, poolSchemas),
    input: objects,
    output: objects,
    result: fc.record({ a: mapped, b: mapped }, { requiredKeys: ['a'] }),
    steps: fc.array(stepParts, { minLength: 1, maxLength: 3 }),
    pool: fc.array(jsonOf(2), { minLength: 15, maxLength: 15 }),
    seed: fc.nat(),
  })
  .map(({ schemas, input, output, result, steps, pool, seed }) => {
    const toSchema = ({ properties, required, isClosed }: Objects) => {
      const toPart = ({ index, changes, isAny }: Pick) => (isAny ? {} : changes.reduce<unknown>(mutate, schemas[index]))
      const entries = Object.entries(properties).map(([name, pick]) => [name, toPart(pick!)])
      const known = required.filter((name) => name in properties)
      return { type: 'object', properties: Object.fromEntries(entries), required: known, additionalProperties: !isClosed, ...definitions } // biome-ignore format: one line
    }
    const contracts = steps.map((step) => ({ input: toSchema(step.input), output: toSchema(step.output) }))
    const sourcesOf = (count: number) => [
      ...toSources('/input', input),
      ...steps.slice(0, count).flatMap((step, index) => toSources(`/steps/s${index}/output${step.forEach ? '/0' : ''}`, step.output)), // biome-ignore format: one line
    ]
    const toParts = (mapping: unknown, wanted: Objects, count: number) => toGuided(mapping as Plain, wanted, sourcesOf(count)) // biome-ignore format: one line
    const known = Object.keys(input.properties)
    const document = {
      name: 'random',
      description: 'A random workflow.',
      risk: 'read_only',
      input: toSchema(input),
      output: toSchema(output),
      steps: steps.map(({ input: wanted, output: _, mapping, ...step }, index) =>
        toKnown(
          { id: `s${index}`, tool: `t.t${index}`, input: toParts(mapping, wanted, index), ...step },
          index,
          known,
        ),
      ),
      result: toKnown(toParts(result, output, steps.length), steps.length, known),
    }
    return {
      document: document as unknown as JsonObject,
      contracts: Object.fromEntries(contracts.map((made, index) => [`t.t${index}`, made as unknown as { input: JsonSchema; output: JsonSchema }])), // biome-ignore format: one line
      pool,
      seed,
    }
  })

type Sources = readonly { readonly pointer: string; readonly index: number }[]

function toSources(root: string, { properties }: Objects): Sources {
  return Object.entries(properties).map(([name, { index }]) => ({ pointer: `${root}/${name}`, index }))
}

/** With references to values of the schema that each property wants. */
function toGuided(mapping: Plain, { properties }: Objects, sources: Sources): Plain {
  return Object.fromEntries(
    Object.entries(mapping).map(([name, value]) => {
      const wanted = properties[name as 'a']?.index
      const fitting = sources.filter(({ index }) => index === wanted)
      const choices = fitting.length > 0 ? fitting : sources
      const text = JSON.stringify(value).replaceAll(/"\$auto":(\d)/g, (_, number) => `"$from":"${choices[number % choices.length]!.pointer}"`) // biome-ignore format: one line
      return [name, JSON.parse(text)]
    }),
  )
}

/** With references to what exists more often: declared names, earlier steps, and an item only where there is one. */
function toKnown<T extends object>(part: T, index: number, declared: readonly string[]): T {
  const text = JSON.stringify(part)
    .replaceAll(/"\/steps\/s(\d)([^"]*)"/g, (whole, id) => (Number(id) < index ? whole : '"/input/a"'))
    .replaceAll(/"\/input\/(\w)/g, (whole, name) => (declared.includes(name) ? whole : '"/input/a'))
  return JSON.parse(
    'forEach' in part ? text : text.replaceAll('"/item', '"/input/a').replaceAll('"/index"', '"/input/a"'),
  )
}
