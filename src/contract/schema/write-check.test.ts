import { expect, test } from 'vitest'
import type { JsonSchema } from '../json.ts'
import { linkValidator, loadValidator } from './load-validator.ts'
import type { ReadyCheck } from './ready-checks.ts'
import { writeCheck } from './write-check.ts'

const schema: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  patternProperties: { '^n': { type: 'object', properties: { size: { default: 1 } } } },
  properties: { at: { type: 'string', format: 'date' }, tags: { uniqueItems: true, items: { enum: ['a', { b: 1 }] } } },
}

async function write(schema: JsonSchema): Promise<ReadyCheck> {
  const code = `export const ready = ${await writeCheck(schema)}`
  return (await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)).ready
}

test('a generated check sets defaults and supports patterns, formats and custom keywords', async () => {
  const { validate } = await linkValidator(await write(schema), schema, { useDefaults: true })
  const value = { n1: {}, at: '2026-11-16', tags: ['a', { b: 1 }] }
  expect(await validate(value)).toEqual([])
  expect(value.n1).toEqual({ size: 1 })
  // Now that RE2 is there, nothing has to be waited for.
  expect(validate({ n2: {} })).toEqual([])
  expect(await validate({ at: '16 November' })).toMatchObject([{ pointer: '/at', keyword: 'format' }])
  expect(await validate({ tags: ['a', 'a'] })).toMatchObject([{ keyword: 'uniqueItems' }])
  expect(await validate({ m1: {} })).toMatchObject([{ pointer: '/m1', keyword: 'additionalProperties' }])
})

test.each<JsonSchema>([
  { $defs: { name: { type: 'string' } }, properties: { name: { $ref: '#/$defs/name' } } },
  { contains: { type: 'string' } },
  { properties: { a: true }, unevaluatedProperties: false },
])('a check of more than one function is not written: %j', async (schema) => {
  expect(await writeCheck(schema)).toBeUndefined()
})

test('schemas that the guard refuses are not written', async () => {
  await expect(writeCheck({ pattern: '(?<=a)b' })).rejects.toThrow('looks ahead or behind')
})

test('a schema without a prebuilt check is guarded and compiled', async () => {
  const { validate } = await loadValidator({ type: 'integer' })
  expect(validate('12')).toMatchObject([{ keyword: 'type' }])
  await expect(loadValidator({ type: 'strng' as 'string' })).rejects.toThrow('refused')
  const endless: Record<string, unknown> = {}
  endless.not = endless
  await expect(loadValidator(endless)).rejects.toThrow('refused')
})
