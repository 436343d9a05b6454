import { expect, test } from 'vitest'
import type { ContractSource } from '../contract/contract.ts'
import { defineTool } from '../contract/define-tool.ts'
import type { JsonSchema } from '../contract/json.ts'
import { createFile } from '../toolsets/workspace/create-file.ts'
import { toOpenaiTools } from './openai.ts'

const output = { type: 'object', properties: {}, additionalProperties: false } as const

function toEntry(input: JsonSchema, more: Partial<ContractSource> = {}) {
  const source: ContractSource = { name: 'probe', description: 'Probes.', risk: 'read_only', input, output, ...more }
  const tool = defineTool(source, () => ({}))
  return { name: tool.contract.name, functionName: tool.contract.name, tool }
}

const simple: JsonSchema = {
  type: 'object',
  properties: { a: { type: 'string', maxLength: 9 }, b: { type: 'integer', minimum: 1 } },
  required: ['a'],
  additionalProperties: false,
}

test('create_file is written as functions are written', async () => {
  const { result } = await toOpenaiTools([{ name: 'create_file', functionName: 'create_file', tool: createFile }])
  expect(result).toEqual([
    {
      type: 'function',
      function: {
        name: 'create_file',
        description: 'Create a new file with specified content',
        parameters: {
          type: 'object',
          properties: {
            path: { type: 'string', description: 'Relative path to the file to create' },
            content: { type: 'string', description: 'Content to write to the file' },
          },
          required: ['path', 'content'],
        },
      },
    },
  ])
  expect(Object.keys(result[0]!.function.parameters)).toEqual(['type', 'properties', 'required'])
})

test('lengths and closed objects are left out, each with a note; all else stays', async () => {
  const { result, losses, withheld } = await toOpenaiTools([toEntry(simple)])
  expect(result[0]!.function.parameters).toEqual({
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'integer', minimum: 1 } },
    required: ['a'],
  })
  expect(losses).toEqual([
    { tool: 'probe', pointer: '/input/properties/a', keyword: 'maxLength', note: expect.any(String) },
    { tool: 'probe', pointer: '/input', keyword: 'additionalProperties', note: expect.any(String) },
  ])
  expect(withheld).toEqual([])
})

test('under not and if nothing is left out, since less there would demand more', async () => {
  const condition = { not: { type: 'string', maxLength: 3 } }
  const { result } = await toOpenaiTools([toEntry({ ...simple, properties: { a: condition } })])
  expect(result[0]!.function.parameters.properties).toEqual({ a: condition })
})

test('a planned tool is not offered, a deprecated one says so', async () => {
  const { result } = await toOpenaiTools([
    toEntry(simple, { name: 'later', status: 'planned' }),
    toEntry(simple, { name: 'former', status: 'deprecated' }),
  ])
  expect(result.map(({ function: { name, description } }) => [name, description])).toEqual([
    ['former', 'Deprecated. Probes.'],
  ])
})

test('a schema that no consumer takes withholds its own tool', async () => {
  const { result, withheld } = await toOpenaiTools([
    toEntry({ type: 'strng' as 'string' }, { name: 'mistyped' }),
    toEntry({ type: 'array', items: true }, { name: 'listed' }),
    toEntry({ type: 'object', properties: { a: { $ref: 'https://example.com/a.json' } } }, { name: 'remote' }),
    toEntry(simple),
  ])
  expect(result.map((tool) => tool.function.name)).toEqual(['probe'])
  expect(withheld).toEqual([
    { tool: 'mistyped', reason: expect.stringContaining('"/input/type"') },
    { tool: 'listed', reason: expect.stringContaining('not an object') },
    { tool: 'remote', reason: expect.stringContaining('"/input/properties/a/$ref"') },
  ])
})

test('strict where it can be said strictly, else not strict and said why', async () => {
  const map: JsonSchema = { type: 'object', additionalProperties: { type: 'string' } }
  const { result, losses } = await toOpenaiTools([toEntry(simple), toEntry(map, { name: 'mapped' })], { strict: true })
  expect(result.map((tool) => tool.function)).toEqual([
    {
      name: 'probe',
      description: 'Probes',
      parameters: {
        type: 'object',
        properties: {
          a: { type: 'string', description: 'At most 9 characters.' },
          b: { type: ['integer', 'null'], minimum: 1 },
        },
        required: ['a', 'b'],
        additionalProperties: false,
      },
      strict: true,
    },
    { name: 'mapped', description: 'Probes', parameters: map, strict: false },
  ])
  expect(losses).toEqual([
    { tool: 'probe', pointer: '/input/properties/a', keyword: 'maxLength', note: 'Moved into the description.' },
    {
      tool: 'mapped',
      pointer: '/input',
      keyword: 'additionalProperties',
      note: 'Not strict: strict mode has no maps.',
    },
  ])
})

test('a description that the API would refuse is cut', async () => {
  const { result, losses } = await toOpenaiTools([toEntry(simple, { description: '😀'.repeat(1025) })])
  expect([...result[0]!.function.description]).toHaveLength(1024)
  expect(losses).toContainEqual({ tool: 'probe', pointer: '', keyword: 'description', note: expect.any(String) })
})

test('one sentence loses its full stop, several stay as they are', async () => {
  const { result } = await toOpenaiTools([
    toEntry(simple, { name: 'one', description: 'Probes.' }),
    toEntry(simple, { name: 'two', description: 'Probes. Deeply.' }),
    toEntry(simple, { name: 'version', description: 'Probes version 1.2.' }),
  ])
  expect(result.map((tool) => tool.function.description)).toEqual(['Probes', 'Probes. Deeply.', 'Probes version 1.2.'])
})

test('the same contracts give the same text', async () => {
  const entries = [toEntry(simple), { name: 'create_file', functionName: 'create_file', tool: createFile }]
  const once = JSON.stringify(await toOpenaiTools(entries, { strict: true }))
  expect(JSON.stringify(await toOpenaiTools(entries, { strict: true }))).toBe(once)
})
