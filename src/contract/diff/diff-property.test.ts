import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonOf, mutate, mutations, schemaOf } from '../../../test/helpers/random-schemas.ts'
import type { JsonSchema } from '../json.ts'
import { compileSchema, SchemaRefused, type Validator } from '../schema/compile-schema.ts'
import { diffSchemas, type Side } from './diff-schemas.ts'

const definitions = { $defs: { d: { type: 'object', properties: { a: { $ref: '#/$defs/d' } } }, e: { minimum: 1 } } }
const schemas = schemaOf(3).map((made) => ({ ...(typeof made === 'object' ? made : { not: {} }), ...definitions }))

test('what is said not to break does not: no value of an input is lost, none of an output is new', async () => {
  const counts = { safe: 0, breaking: 0, valid: 0 }
  const check = fc.asyncProperty(
    schemas,
    mutations,
    fc.array(jsonOf(3), { minLength: 20, maxLength: 20 }),
    async (old, changes, values) => {
      const next = changes.reduce<unknown>(mutate, old) as JsonSchema
      const [before, after] = [await compile(old as JsonSchema), await compile(next)]
      if (!before || !after) return
      for (const [side, from, to] of [
        ['input', before, after],
        ['output', after, before],
      ] as [Side, Validator, Validator][]) {
        const isBreaking = diffSchemas(old as JsonSchema, next, side).some(({ breaking }) => breaking)
        counts[isBreaking ? 'breaking' : 'safe']++
        if (isBreaking) continue
        const valid = values.filter((value) => from.validate(value).length === 0)
        counts.valid += valid.length
        const lost = valid.filter((value) => to.validate(value).length > 0)
        expect({ side, old, next, lost }).toEqual({ side, old, next, lost: [] })
      }
    },
  )
  await fc.assert(check, { seed: 5, numRuns: 250 })
  expect(counts.safe).toBeGreaterThan(100)
  expect(counts.breaking).toBeGreaterThan(100)
  expect(counts.valid).toBeGreaterThan(1000)
})

test('a schema does not differ from itself, nor from a copy with its keys in another order', () => {
  const check = fc.property(schemas, (schema) => {
    expect(diffSchemas(schema as JsonSchema, reverse(schema) as JsonSchema, 'input')).toEqual([])
  })
  fc.assert(check, { seed: 6, numRuns: 250 })
})

async function compile(schema: JsonSchema): Promise<Validator | undefined> {
  return compileSchema(schema).catch((error) => {
    if (error instanceof SchemaRefused) return undefined
    throw error
  })
}

function reverse(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(reverse)
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, part]) => [key, reverse(part)]),
  )
}
