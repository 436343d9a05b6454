import { expect, test } from 'vitest'
import { lintContract } from '../../../contract/lint-contract.ts'
import { fromContractSet } from '../../../projections/contracts.ts'
import { fromMarkdown } from '../from-markdown.ts'

const open = '{ "type": "object", "properties": { "path": { "type": "string" } }, "required": [] }'

function toDocument({ input = open, output = open }: { input?: string; output?: string } = {}): string {
  return [
    '## Tool: my_new_tool',
    '### Description\nReads one note of the collection.',
    `### Input Schema\n\`\`\`json\n${input}\n\`\`\``,
    `### Output Schema\n\`\`\`json\n${output}\n\`\`\``,
    '### Constraints\n- Only notes\n- At most one',
  ].join('\n\n')
}

async function read(schemas: Parameters<typeof toDocument>[0]) {
  const { contracts, report } = await fromMarkdown(toDocument(schemas))
  const { source } = contracts[0]!
  const { my_new_tool: contract } = await fromContractSet([source as never])
  const errors = (await lintContract(contract!)).filter(({ severity }) => severity === 'error')
  const added = report.filter(({ kind, pointer }) => kind === 'assumed' && pointer !== '/risk')
  return { source, errors, report, added: added.map(({ code, pointer }) => `${code} ${pointer}`) }
}

test('a contract in the form of the template, with open objects, is closed, and the report says so', async () => {
  const { source, errors, report, added } = await read({})
  expect(source.input).toEqual({ ...JSON.parse(open), additionalProperties: false })
  expect(source.output).toEqual({ ...JSON.parse(open), additionalProperties: false })
  expect(source.constraints).toEqual(['Only notes', 'At most one'])
  expect(added).toEqual(['root-closed /input/additionalProperties', 'root-closed /output/additionalProperties'])
  expect(report.find(({ code }) => code === 'root-closed')).toMatchObject({
    line: 8,
    message: expect.stringContaining('additionalProperties: false was added, so they are refused.'),
  })
  expect(errors).toEqual([])
})

test('an object inside stays as open as JSON Schema has it, and says so', async () => {
  const input = '{ "type": "object", "properties": { "entry": { "type": "object" } }, "additionalProperties": false }'
  const { source, errors, added } = await read({ input })
  expect(source.input).toMatchObject({ properties: { entry: { type: 'object', additionalProperties: true } } })
  expect(added[0]).toBe('object-open /input/properties/entry/additionalProperties')
  expect(errors).toEqual([])
})

test('properties that only a branch declares stay allowed', async () => {
  const output = '{ "type": "object", "anyOf": [{ "properties": { "a": { "type": "string" } } }, { "properties": { "b": { "type": "string" } } }] }' // biome-ignore format: one line
  const { source, errors, added } = await read({ output })
  expect(source.output).toMatchObject({ unevaluatedProperties: false })
  expect(source.output).not.toHaveProperty('additionalProperties')
  expect(added).toContain('root-closed /output/unevaluatedProperties')
  expect(errors).toEqual([])
})

test('an if that also holds for what is absent asks for it', async () => {
  const output = '{ "type": "object", "additionalProperties": false, "properties": { "html": { "type": "string" } }, "allOf": [{ "if": { "properties": { "html": { "type": "string" } } }, "then": { "required": ["html"] } }] }' // biome-ignore format: one line
  const { source, errors, added } = await read({ output })
  expect(source.output).toMatchObject({ allOf: [{ if: { required: ['html'] } }] })
  expect(added).toContain('if-asks /output/allOf/0/if/properties/html')
  expect(errors).toEqual([])
})

test('what a document says itself is not changed: an open root stays an error', async () => {
  const input = '{ "type": "object", "properties": {}, "additionalProperties": true }'
  const { source, errors, report } = await read({ input })
  expect(source.input).toEqual(JSON.parse(input))
  expect(errors.map(({ rule }) => rule)).toEqual(['root-closed'])
  expect(report).toContainEqual(expect.objectContaining({ severity: 'error', pointer: '/input/additionalProperties' }))
})

test('a tool without a description gets one from its schemas', async () => {
  const { contracts, report } = await fromMarkdown(toDocument().replace(/### Description\n.*\n/, ''))
  expect(contracts[0]!.source.description).toBe('Takes path; returns path.')
  expect(contracts[0]!.assumed).toContain('/description')
  expect(report).toContainEqual(expect.objectContaining({ kind: 'assumed', code: 'description-assumed' }))
})
