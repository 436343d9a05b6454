import { expect, test } from 'vitest'
import { cleanContract } from '../../test/data/clean-contract.ts'
import { toolsets } from '../toolsets/index.ts'
import { contractSchema } from './contract-schema.ts'
import { compileSchema } from './schema/compile-schema.ts'

const { validate } = await compileSchema(contractSchema)

test('every built-in contract validates against the published schema', async () => {
  const loaded = await Promise.all(Object.values(toolsets).map((load) => load()))
  const contracts = loaded.flatMap(({ tools }) => tools.filter(({ offer }) => !offer).map(({ contract }) => contract))
  expect(contracts.length).toBeGreaterThan(1)
  for (const contract of contracts) expect(validate(contract)).toEqual([])
})

test('a minimal and a complete contract validate', () => {
  const object = { type: 'object', properties: {}, additionalProperties: false }
  const least = { name: 'a', description: 'Does a thing.', risk: 'read_only', input: object, output: object }
  expect(validate(least)).toEqual([])
  const whole = {
    ...cleanContract(),
    $schema: './node_modules/toolpact/schemas/contract.schema.json',
    limits: { calls: { count: 1, windowMs: 1000 }, concurrency: 1, timeoutMs: 1, inputBytes: 2, outputBytes: 2 },
    effects: { reads: ['a'], writes: ['b'], fetches: ['c'], runs: ['d'] },
    examples: [{ title: 'One', given: { files: { 'a.md': 'x' } }, input: {}, output: { at: 1 }, varies: ['/at'] }],
  }
  expect(validate(whole)).toEqual([])
})

const faults: [fault: string, changes: object, pointer: string][] = [
  ['a mistyped field', { exampels: [] }, '/exampels'],
  ['a name with a space', { name: 'read note' }, '/name'],
  ['an unknown risk', { risk: 'low' }, '/risk'],
  ['an unknown status', { status: 'ready' }, '/status'],
  ['a version of two numbers', { version: '1.0' }, '/version'],
  ['an input that is no schema', { input: 'text' }, '/input'],
  ['an error without a suggestion', { errors: [{ code: 'a', status: 400, when: 'A.' }] }, '/errors/0/suggestion'],
  [
    'an error that is a success',
    { errors: [{ code: 'a', status: 200, when: 'A.', suggestion: 'B.' }] },
    '/errors/0/status',
  ],
  ['no time at all', { limits: { timeoutMs: 0 } }, '/limits/timeoutMs'],
  ['an unknown effect', { effects: { deletes: ['path'] } }, '/effects/deletes'],
  ['an example with two outcomes', { examples: [{ input: {}, output: {}, error: 'a' }] }, '/examples/0'],
  ['an example without an outcome', { examples: [{ input: {} }] }, '/examples/0'],
]

test.each(faults)('%s does not validate', (_fault, changes, pointer) => {
  const pointers = validate({ ...cleanContract(), ...changes }).map((problem) => problem.pointer)
  expect(pointers.length).toBeGreaterThan(0)
  expect(pointers.every((each) => pointer.startsWith(each))).toBe(true)
})
