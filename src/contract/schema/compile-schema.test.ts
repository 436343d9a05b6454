import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import type { JsonSchema } from '../json.ts'
import { compileSchema, SchemaRefused } from './compile-schema.ts'

const person: JsonSchema = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 0 } },
  required: ['name'],
  additionalProperties: false,
}

test('returns no problems for a valid value and every problem for an invalid one', async () => {
  const { validate } = await compileSchema(person)
  expect(validate({ name: 'Ada', age: 36 })).toEqual([])
  expect(validate({ age: -1, nam: 'Ada' }).map(({ pointer, keyword }) => [pointer, keyword])).toEqual([
    ['/name', 'required'],
    ['/nam', 'additionalProperties'],
    ['/age', 'minimum'],
  ])
})

test('gives at most 20 problems', async () => {
  const { validate } = await compileSchema({ items: { type: 'string' } })
  expect(validate(Array.from({ length: 100 }, () => 1))).toHaveLength(20)
  expect(validate(Array.from({ length: 10_000 }, () => 1))).toHaveLength(1)
})

test('throws SchemaRefused with the problems of a schema that the guard refuses', async () => {
  const refusal = await compileSchema({ type: 'strng' as 'string' }).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(SchemaRefused)
  expect(refusal).toMatchObject({ problems: [{ rule: 'invalid_keyword', pointer: '/type' }] })
  expect(String(refusal)).toMatch(/^SchemaRefused: The schema is refused at "\/type": "type" must be one of null/)
})

test('compiles a schema once for each set of options', async () => {
  expect(await compileSchema(person)).toBe(await compileSchema(person))
  expect(await compileSchema(person, {})).toBe(await compileSchema(person, { assertFormats: true, useDefaults: false }))
  expect(await compileSchema(person)).not.toBe(await compileSchema(person, { useDefaults: true }))
  expect(await compileSchema(person)).not.toBe(await compileSchema(structuredClone(person)))
})

test('a refused schema can be compiled after it is fixed', async () => {
  const schema: Record<string, unknown> = { type: 'strng' }
  await expect(compileSchema(schema)).rejects.toThrow(SchemaRefused)
  schema.type = 'string'
  expect((await compileSchema(schema)).validate('x')).toEqual([])
})

test('changes to a schema after it was compiled change nothing', async () => {
  const schema = { enum: [{ a: 1 }] as unknown[], properties: { a: { default: [1], type: 'array' } } } as const
  const { validate } = await compileSchema(schema as JsonSchema)
  ;(schema.enum[0] as { a: number }).a = 2
  expect(validate({ a: 1 })).toMatchObject([{ keyword: 'type' }])
})

test('accepts true and false as schemas', async () => {
  expect((await compileSchema(true)).validate(1)).toEqual([])
  expect((await compileSchema(false)).validate(1)).toHaveLength(1)
})

test('two schemas with the same id do not interfere', async () => {
  const first = await compileSchema({ $id: 'https://example.org/x', type: 'string' })
  const second = await compileSchema({ $id: 'https://example.org/x', type: 'number' })
  expect([first.validate('x'), second.validate(1)]).toEqual([[], []])
  expect(second.validate('x')).toHaveLength(1)
})

test('formats are asserted by default, unknown ones never', async () => {
  const schema: JsonSchema = {
    properties: { when: { format: 'date' }, size: { format: 'uint64' }, to: { format: 'email' } },
  }
  const value = { when: 'today', size: 'x', to: 'ada@example.org' }
  expect((await compileSchema(schema)).validate(value)).toMatchObject([{ pointer: '/when', keyword: 'format' }])
  expect((await compileSchema(schema, { assertFormats: false })).validate(value)).toEqual([])
})

test('distinguishes patterns', async () => {
  const { validate } = await compileSchema({
    properties: { a: { pattern: '^a' }, b: { pattern: '^b' } },
    patternProperties: { '^x': { type: 'number' }, '^y': { type: 'string' } },
  })
  expect(validate({ a: 'a', b: 'b', x: 1, y: 'y' })).toEqual([])
  expect(validate({ a: 'b', b: 'a', x: 'x', y: 1 }).map(({ pointer }) => pointer)).toEqual(['/a', '/b', '/x', '/y'])
})

const withDefaults: JsonSchema = {
  properties: {
    name: { type: 'string', default: 'World' },
    list: { type: 'array', default: [] },
    place: { $ref: '#/$defs/place' },
    places: { items: { $ref: '#/$defs/place' } },
    toString: { default: 'x' },
    nothing: { default: null },
  },
  required: ['name'],
  allOf: [{ properties: { both: { default: 1 } } }],
  anyOf: [{ properties: { never: { default: 1 } }, required: ['never'] }, true],
  $defs: { place: { type: 'object', default: {}, properties: { x: { default: 0 }, y: { default: 0 } } } },
}

test('sets defaults in place, nested ones too, but none from branches', async () => {
  const { validate } = await compileSchema(withDefaults, { useDefaults: true })
  const value = { places: [{ x: 1 }, 'no object'] }
  expect(validate(value)).toMatchObject([{ pointer: '/places/1', keyword: 'type' }])
  const place = { x: 0, y: 0 }
  const places = [{ x: 1, y: 0 }, 'no object']
  expect(value).toEqual({ both: 1, name: 'World', list: [], place, places, toString: 'x', nothing: null })
})

test('keeps existing values, and changes nothing without the option', async () => {
  const { validate } = await compileSchema(withDefaults, { useDefaults: true })
  const value = { name: 'Ada', list: null }
  validate(value)
  expect(value).toMatchObject({ name: 'Ada', list: null })
  const plain = {}
  expect((await compileSchema(withDefaults)).validate(plain)).toMatchObject([{ pointer: '/name', keyword: 'required' }])
  expect(plain).toEqual({})
})

test('no two calls share a default', async () => {
  const { validate } = await compileSchema(withDefaults, { useDefaults: true })
  const [first, second] = [{}, {}] as { list?: unknown[] }[]
  validate(first)
  first?.list?.push('leak')
  validate(second)
  expect(second?.list).toEqual([])
})

test('a failing branch that is a reference leaves no default behind', async () => {
  const schema: JsonSchema = {
    anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }],
    $defs: {
      a: { properties: { kind: { const: 'a' }, size: { default: 1 } }, required: ['kind'] },
      b: { properties: { kind: { const: 'b' } }, additionalProperties: false },
    },
  }
  const value = { kind: 'b' }
  expect((await compileSchema(schema, { useDefaults: true })).validate(value)).toEqual([])
  expect(value).toEqual({ kind: 'b' })
})

const script = (body: string) =>
  execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', body], {
    encoding: 'utf8',
    timeout: 150_000,
    env: { ...process.env, MODULE: new URL('./compile-schema.ts', import.meta.url).href },
  })

test('loads ajv with the first schema, and formats and RE2 only for a schema that needs them', () => {
  const loaded = script(`
    import { Module } from 'node:module'
    const { compileSchema } = await import(process.env.MODULE)
    const which = () => {
      const files = [...Object.keys(Module._cache), ...process.moduleLoadList]
      return ['ajv/dist/core', 'ajv-formats', 're2js'].filter((name) => files.some((file) => file.includes(name)))
    }
    const steps = [which()]
    await compileSchema({ type: 'string' })
    steps.push(which())
    await compileSchema({ format: 'date' })
    steps.push(which())
    console.log(JSON.stringify(steps))`)
  expect(JSON.parse(loaded)).toEqual([[], ['ajv/dist/core'], ['ajv/dist/core', 'ajv-formats']])
})

test('keeps nothing of schemas that are no longer used', () => {
  const kept = script(`
    const { compileSchema } = await import(process.env.MODULE)
    const grow = async () => {
      for (let round = 0; round < 50; round++) {
        const names = Array.from({ length: 5 }, (_, index) => [\`p\${round}_\${index}\`, { type: 'string', pattern: '^a' + round }])
        const { validate } = await compileSchema({ properties: Object.fromEntries(names), contains: { const: round } })
        validate({ [\`p\${round}_0\`]: 1 })
      }
      for (let turn = 0; turn < 5; turn++) { await new Promise(setImmediate); gc() }
      return process.memoryUsage().heapUsed
    }
    // The engine's own cache of code has to fill up first.
    for (let turn = 0; turn < 3; turn++) await grow()
    const before = await grow()
    console.log((await grow()) - before)`)
  // Fifty such schemas, kept, are some 3 MB.
  expect(Number(kept)).toBeLessThan(1_000_000)
})

test.each(['anyOf', 'oneOf'])(
  'gives up early on a small value that a recursive %s makes expensive',
  async (keyword) => {
    const branch = (name: string) => ({ type: 'object', properties: { n: { $ref: '#/$defs/a' }, [name]: true } })
    const { validate } = await compileSchema({
      $ref: '#/$defs/a',
      $defs: { a: { [keyword]: [branch('x'), branch('y'), branch('z')] } },
    } as JsonSchema)
    let looks = 0
    const leaf = Object.defineProperty({}, 'n', {
      enumerable: true,
      get() {
        looks++
        return 'no object'
      },
    })
    let value: object = leaf
    for (let depth = 0; depth < 60; depth++) value = { n: value }
    expect(validate(value)).toMatchObject([{ keyword: 'steps', message: expect.stringContaining('Send a smaller') }])
    // One to three looks for each branch at the deepest place: some hundred thousand steps, and not ten million.
    expect(looks).toBeLessThan(500_000)
  },
)

test('large values are checked completely', async () => {
  const { validate } = await compileSchema({ type: 'array', items: person })
  const people = Array.from({ length: 100_000 }, (_, age) => ({ name: `Ada ${age}`, age }))
  expect(validate(people)).toEqual([])
  expect(validate([...people, { name: 1 }]).map(({ pointer }) => pointer)).toEqual(['/100000/name'])
  const text = await compileSchema({ type: 'string', pattern: '^[A-Za-z0-9+/]*={0,2}$' })
  expect(text.validate('A'.repeat(1_000_000))).toEqual([])
})
