import { expect, test } from 'vitest'
import type { Contract, Risk } from '../../../contract/contract.ts'
import type { JsonObject } from '../../../contract/json.ts'
import { readWorkflow } from '../../../workflow/document/read-workflow.ts'
import { InputFields } from './input-fields.ts'
import { toDocument, toPrefilledSteps } from './to-document.ts'

function toTool(name: string, properties: JsonObject, more: { risk?: Risk; $defs?: JsonObject } = {}) {
  const { risk = 'read_only', $defs } = more
  const input = { type: 'object', required: Object.keys(properties), properties, ...($defs && { $defs }) }
  const output = { type: 'object', additionalProperties: false, properties: { text: { type: 'string' } } }
  return { id: `tools.${name}`, contract: { name, risk, input, output } as unknown as Contract }
}

function toSource(...tools: ReturnType<typeof toTool>[]): JsonObject {
  const fields = new InputFields()
  const steps = toPrefilledSteps(tools, fields)
  return toDocument({ name: 'all', description: 'Calls tools one after another.', fields, steps })
}

const path = { type: 'string', description: 'Where it is' }

test('each required property is taken from the input, and the last output is returned', async () => {
  const source = toSource(toTool('web.fetch', { url: path }), toTool('save', { path }, { risk: 'safe_write' }))
  expect(source).toMatchObject({
    risk: 'safe_write',
    input: { required: ['url', 'path'], additionalProperties: false, properties: { url: path, path } },
    steps: [
      { id: 'web_fetch', tool: 'tools.web.fetch', input: { url: { $from: '/input/url' } } },
      { id: 'save', tool: 'tools.save', input: { path: { $from: '/input/path' } } },
    ],
    result: { $from: '/steps/save/output' },
  })
  expect(await readWorkflow(JSON.stringify(source), 'json')).toMatchObject({ ok: true })
})

test('steps that want the same share a field, and others get one of their own', () => {
  const other = { type: 'integer' }
  const source = toSource(toTool('read', { path }), toTool('read', { path }), toTool('read', { path: other }))
  expect(source.input).toMatchObject({
    required: ['path', 'read_3_path'],
    properties: { path, read_3_path: { type: 'integer', description: 'path of tools.read' } },
  })
  expect((source.steps as JsonObject[]).map(({ id }) => id)).toEqual(['read', 'read_2', 'read_3'])
})

test('a name that a tool has taken already is counted on', () => {
  const tools = [toTool('a', { x: path }), toTool('b', { a_x: path }), toTool('a_2', {}), toTool('a', {})]
  const { steps } = toSource(...tools)
  expect((steps as JsonObject[]).map(({ id }) => id)).toEqual(['a', 'b', 'a_2', 'a_3'])
  const fields = new InputFields()
  const take = (step: string, name: string, value: string) => fields.take({ step, tool: 't', name, schema: path, root: {}, value }) // biome-ignore format: one line
  const taken = [take('s', 'x', '1'), take('s', 's_x', '2'), take('s', 'x', '3'), take('s', 'x', '1')]
  expect(taken.map(({ $from }) => $from)).toEqual(['/input/x', '/input/s_x', '/input/s_x_2', '/input/x'])
})

test('definitions are copied under the name of the step, recursive ones too, and a default is left out', () => {
  const $defs = { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } }
  const source = toSource(toTool('walk', { from: { $ref: '#/$defs/node', default: {} } }, { $defs }))
  expect(source.input).toEqual({
    type: 'object',
    additionalProperties: false,
    required: ['from'],
    properties: { from: { $ref: '#/$defs/walk_node', description: 'from of tools.walk' } },
    $defs: { walk_node: { type: 'object', properties: { next: { $ref: '#/$defs/walk_node' } } } },
  })
})
