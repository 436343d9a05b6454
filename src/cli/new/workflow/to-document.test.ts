import { expect, test } from 'vitest'
import type { Contract, Risk } from '../../../contract/contract.ts'
import type { JsonObject, JsonValue } from '../../../contract/json.ts'
import { checkWorkflow } from '../../../workflow/check/check-workflow.ts'
import { readWorkflow } from '../../../workflow/document/read-workflow.ts'
import { findByName, findByValue } from './find-sources.ts'
import { InputFields } from './input-fields.ts'
import { type DraftCall, toDocument } from './to-document.ts'

const text = { type: 'string', description: 'A text' }

interface More extends Partial<Pick<DraftCall, 'given' | 'output' | 'secret'>> {
  readonly risk?: Risk
  readonly $defs?: JsonObject
  readonly returns?: JsonObject
}

function toCall(
  name: string,
  properties: JsonObject,
  { risk = 'read_only', $defs, returns = { text }, ...more }: More = {},
): DraftCall {
  // biome-ignore format: one line
  const input = { type: 'object', required: Object.keys(properties), properties, ...($defs && { $defs }) }
  const output = { type: 'object', additionalProperties: false, required: Object.keys(returns), properties: returns }
  return { tool: `tools.${name}`, contract: { name, risk, input, output } as unknown as Contract, ...more }
}

/** Every document is checked for real. */
async function draft(calls: readonly DraftCall[], findSources = findByName) {
  const contracts = new Map(calls.map(({ tool, contract }) => [tool, contract]))
  const findProblems = async (document: JsonObject) => {
    const read = await readWorkflow(JSON.stringify(document), 'json')
    return read.ok ? checkWorkflow(read.workflow, { findContract: (id) => contracts.get(id) }) : read.problems
  }
  const head = { name: 'all', description: 'Calls tools one after another.' }
  const made = await toDocument(head, calls, { findSources, findProblems })
  expect(await findProblems(made.document)).toEqual([])
  const steps = made.document.steps as { readonly id: string; readonly input: JsonObject }[]
  const input = made.document.input as { readonly required?: string[]; readonly properties: JsonObject }
  return { ...made, steps, input }
}

test('what no earlier step returns is taken from the input, and the last output is returned', async () => {
  const path = { type: 'string', description: 'Where it is' }
  const { document } = await draft([
    toCall('web.fetch', { url: text }, { returns: { size: { type: 'integer' } } }),
    toCall('save', { path }, { risk: 'safe_write' }),
  ])
  expect(document).toMatchObject({
    risk: 'safe_write',
    input: { required: ['url', 'path'], additionalProperties: false, properties: { url: text, path } },
    steps: [
      { id: 'web_fetch', tool: 'tools.web.fetch', input: { url: { $from: '/input/url' } } },
      { id: 'save', tool: 'tools.save', input: { path: { $from: '/input/path' } } },
    ],
    result: { $from: '/steps/save/output' },
  })
})

test('an output of the same name, or of one that means the same, is used; with $check where its type may not fit', async () => {
  const short = { type: 'string', minLength: 1, maxLength: 10 }
  const { steps, mappings, input } = await draft([
    toCall('fetch', { url: text }, { returns: { text, count: { type: 'integer' } } }),
    toCall('save', { content: text, count: text }),
    toCall('title', { text: short }),
  ])
  expect(steps[1]!.input).toEqual({ content: { $from: '/steps/fetch/output/text' }, count: { $from: '/input/count' } })
  expect(steps[2]!.input).toEqual({ text: { $check: [{ $from: '/steps/save/output/text' }, short] } })
  expect(mappings.map(({ from }) => from)).toEqual(['input', 'output', 'input', 'checked'])
  expect(input.required).toEqual(['url', 'count'])
})

test('an output that may be missing is not used', async () => {
  const fetch = toCall('fetch', { url: text })
  const output = { ...fetch.contract.output, required: [] }
  const { steps } = await draft([{ ...fetch, contract: { ...fetch.contract, output } }, toCall('save', { text })])
  expect(steps[1]!.input).toEqual({ text: { $from: '/input/text' } })
})

test('steps that want the same share a field, and others get one of their own', async () => {
  const path = { type: 'string', description: 'Where it is' }
  const read = (schema: JsonObject) => toCall('read', { path: schema }, { returns: { size: { type: 'integer' } } })
  const { input, steps } = await draft([read(path), read(path), { ...read({ type: 'integer' }), tool: 'tools.other' }])
  expect(input).toMatchObject({
    required: ['path', 'read_3_path'],
    properties: { path, read_3_path: { type: 'integer', description: 'path of tools.other' } },
  })
  expect(steps.map(({ id }) => id)).toEqual(['read', 'read_2', 'read_3'])
})

test('a name that is taken is counted on', async () => {
  const none = { returns: { size: { type: 'integer' } } }
  const calls = ['a', 'b', 'a_2', 'a'].map((name) => toCall(name, {}, none))
  expect((await draft(calls)).steps.map(({ id }) => id)).toEqual(['a', 'b', 'a_2', 'a_3'])
  const fields = new InputFields()
  const take = (step: string, name: string, value: string) => fields.take({ step, tool: 't', name, schema: text, root: {}, value }) // biome-ignore format: one line
  const taken = [take('s', 'x', '1'), take('s', 's_x', '2'), take('s', 'x', '3'), take('s', 'x', '1')]
  expect(taken.map(({ $from }) => $from)).toEqual(['/input/x', '/input/s_x', '/input/s_x_2', '/input/x'])
})

test('definitions are copied under the name of the step, recursive ones too, and a default is left out', async () => {
  const $defs = { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } }
  const { document } = await draft([toCall('walk', { from: { $ref: '#/$defs/node', default: {} } }, { $defs })])
  expect(document.input).toEqual({
    type: 'object',
    additionalProperties: false,
    required: ['from'],
    properties: { from: { $ref: '#/$defs/walk_node', description: 'from of tools.walk' } },
    $defs: { walk_node: { type: 'object', properties: { next: { $ref: '#/$defs/walk_node' } } } },
  })
})

test('of recorded calls, a value that was returned before becomes a reference, and every other an input with its value', async () => {
  const list = { type: 'array', items: { type: 'object', required: ['url'], properties: { url: text } } }
  const { steps, input } = await draft(
    [
      toCall(
        'search',
        { query: text },
        {
          given: { query: 'contracts' },
          returns: { best: text, results: list },
          output: { best: 'https://a.example/one', results: [{ url: 'https://a.example/one' }] },
        },
      ),
      toCall('fetch', { url: text, depth: { type: 'integer' }, key: text }, { given: { url: 'https://a.example/one', depth: 1, key: 'geheim' }, secret: new Set(['key']) }), // biome-ignore format: one line
    ],
    findByValue,
  )
  // The first of a list may be missing, so the check refuses it, and the whole one is used.
  expect(steps[1]!.input).toEqual({
    url: { $from: '/steps/search/output/best' },
    depth: { $from: '/input/depth' },
    key: { $from: '/input/key' },
  })
  expect(input.properties).toEqual({
    query: { ...text, examples: ['contracts'] },
    depth: { type: 'integer', description: 'depth of tools.fetch', examples: [1] },
    key: text,
  })
})

test.each<[JsonValue, number]>([
  ['abc', 0],
  ['abcd', 1],
  [12, 0],
  [1234, 1],
  [true, 0],
  [null, 0],
  [[], 0],
  [['a'], 1],
])('%j is equal by chance or not: %d source', (value, count) => {
  const call = toCall('one', {}, { output: { deep: { found: value } } })
  expect(findByValue({ name: 'x', value, earlier: [{ id: 'one', call }] })).toHaveLength(count)
})
