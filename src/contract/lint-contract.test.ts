import { expect, test } from 'vitest'
import { cleanContract } from '../../test/data/clean-contract.ts'
import { defineTool } from './define-tool.ts'
import { defineToolset } from './define-toolset.ts'
import { lintContract, lintToolset } from './lint-contract.ts'

test('a problem says which rule, where, what is wrong and what to do', async () => {
  expect(await lintContract(cleanContract({ version: '1' }))).toEqual([
    {
      rule: 'version-semver',
      pointer: '/version',
      message: '"1" is not a semantic version.',
      fix: 'Write three numbers, such as 1.0.0.',
      severity: 'error',
    },
  ])
})

test('what the schema engine refuses is a problem of the contract', async () => {
  const output = {
    type: 'object',
    properties: { text: { $ref: 'https://example.com/text', description: 'What the note says' } },
    required: ['text'],
    additionalProperties: false,
  }
  const problems = await lintContract(cleanContract({ output }))
  expect(problems).toEqual([
    {
      rule: 'schema-reference_not_local',
      pointer: '/output/properties/text/$ref',
      message: expect.stringContaining('outside this document'),
      fix: expect.stringContaining('$defs'),
      severity: 'error',
    },
  ])
  expect(problems[0]!.message).not.toContain(problems[0]!.fix)
})

test('a page that need not carry its HTML, by an if that always holds', async () => {
  const maybe = { type: ['string', 'null'], description: 'Where the page says so' }
  const output = {
    type: 'object',
    required: ['final_url', 'clean_text'],
    additionalProperties: false,
    properties: {
      final_url: { type: 'string', format: 'uri', description: 'Address after redirects' },
      title: maybe,
      byline: maybe,
      clean_text: { type: 'string', minLength: 1, description: 'The text' },
      raw_html: { type: 'string', description: 'The HTML' },
    },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    allOf: [{ if: { properties: { raw_html: { type: 'string' } } }, then: { required: ['raw_html'] } }],
  }
  const problems = await lintContract(cleanContract({ output, examples: [], status: 'planned' }))
  expect(problems).toMatchObject([{ rule: 'vacuous-if', fix: "Add required: ['raw_html'] to the if." }])
})

test('an invalid schema is a problem, never an exception', async () => {
  const parts = [null, true, 0, 'text', [], { properties: 1 }, { required: 'a', allOf: {}, if: 3, enum: 'a', type: 7 }]
  for (const part of parts) {
    const input = { type: 'object', properties: { x: part, y: { items: part, oneOf: [part, part] } } }
    expect((await lintContract(cleanContract({ input }))).length).toBeGreaterThan(0)
    expect((await lintContract(cleanContract({ input: part, output: part }))).length).toBeGreaterThan(0)
  }
})

test('a schema that is too deep or too large is reported early', async () => {
  let deep: object = { type: 'string' }
  for (let depth = 0; depth < 5000; depth++) deep = { type: 'object', properties: { deep } }
  expect((await lintContract(cleanContract({ input: deep }))).some(({ rule }) => rule === 'schema-too_deep')).toBe(true)
  const wide = {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`p${i}`, {}])),
  }
  expect((await lintContract(cleanContract({ input: wide }))).some(({ rule }) => rule.startsWith('schema-'))).toBe(true)
})

test('the problems of a toolset say whose they are', async () => {
  const toolset = defineToolset('notes', [toTool('read_note'), toTool('list_notes', '1')])
  expect(await lintToolset(toolset)).toMatchObject([{ rule: 'version-semver', pointer: '/tools/1/contract/version' }])
})

test('name-unique: names differ in more than case and separators', async () => {
  const unlike = defineToolset('notes', [toTool('a.b'), toTool('ab2'), toTool('ba')])
  expect(await lintToolset(unlike)).toEqual([])
  const alike = defineToolset('notes', [toTool('a.b'), toTool('c'), toTool('A_b'), toTool('ab')])
  expect(await lintToolset(alike)).toMatchObject([
    { rule: 'name-unique', pointer: '/tools/2/contract/name' },
    { rule: 'name-unique', pointer: '/tools/3/contract/name' },
  ])
})

function toTool(name: string, version = '1.0.0') {
  return defineTool(cleanContract({ name, version }), () => ({}))
}
