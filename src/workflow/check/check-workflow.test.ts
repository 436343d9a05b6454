import { expect, test } from 'vitest'
import type { Contract } from '../../contract/contract.ts'
import { defineTool } from '../../contract/define-tool.ts'
import type { JsonObject, JsonSchema } from '../../contract/json.ts'
import { readWorkflow } from '../document/read-workflow.ts'
import { checkWorkflow } from './check-workflow.ts'

const tool = (name: string, input: object, output: object, risk: Contract['risk'] = 'read_only') =>
  defineTool(
    {
      name,
      description: 'A tool of the tests.',
      risk,
      input: { type: 'object', additionalProperties: false, ...input } as JsonSchema,
      output: { type: 'object', additionalProperties: false, ...output } as JsonSchema,
    },
    () => ({}) as never,
  ).contract

const contracts = new Map<string, Contract>([
  [
    'web.search',
    tool(
      'search',
      { properties: { query: { type: 'string', minLength: 1, maxLength: 200 }, count: { type: 'integer', minimum: 1, maximum: 20, default: 5 } }, required: ['query'] }, // biome-ignore format: one line
      { properties: { results: { type: 'array', maxItems: 20, items: { type: 'object', additionalProperties: false, properties: { title: { type: 'string' }, url: { type: 'string', format: 'uri' }, score: { type: 'number' } }, required: ['title', 'url'] } } }, required: ['results'] }, // biome-ignore format: one line
    ),
  ],
  [
    'web.fetch',
    tool(
      'fetch',
      { properties: { url: { type: 'string', format: 'uri' }, mode: { enum: ['text', 'html'] } }, required: ['url'] },
      { properties: { text: { type: 'string' }, title: { type: ['string', 'null'] }, status: { type: 'integer', minimum: 100, maximum: 599 } }, required: ['text', 'status'] }, // biome-ignore format: one line
    ),
  ],
  [
    'memory.save',
    tool(
      'save',
      { properties: { text: { type: 'string', minLength: 1, maxLength: 1000 }, tags: { type: 'array', maxItems: 5, items: { type: 'string' } } }, required: ['text'] }, // biome-ignore format: one line
      { properties: { id: { type: 'string' } }, required: ['id'] },
      'safe_write',
    ),
  ],
])

async function check(document: JsonObject) {
  const read = await readWorkflow(JSON.stringify(document), 'json')
  if (!read.ok) throw new Error(JSON.stringify(read.problems))
  return checkWorkflow(read.workflow, { findContract: (id) => contracts.get(id), toolIds: [...contracts.keys()] })
}

const workflow: JsonObject = {
  name: 'research',
  description: 'Searches, fetches and saves.',
  risk: 'safe_write',
  input: {
    type: 'object',
    additionalProperties: false,
    properties: { query: { type: 'string', minLength: 1, maxLength: 100 }, count: { type: 'integer', minimum: 1, maximum: 5, default: 3 } }, // biome-ignore format: one line
    required: ['query'],
  },
  output: {
    type: 'object',
    additionalProperties: false,
    properties: { id: { type: 'string' }, pages: { type: 'integer' } },
    required: ['id'],
  },
  steps: [
    { id: 'search', tool: 'web.search', input: { query: { $from: '/input/query' }, count: { $from: '/input/count' } } },
    {
      id: 'pages',
      tool: 'web.fetch',
      forEach: { in: { $truncate: [{ $from: '/steps/search/output/results' }, 5] }, max: 5 },
      input: { url: { $from: '/item/url' }, mode: 'text' },
    },
    {
      id: 'save',
      tool: 'memory.save',
      input: {
        text: { $truncate: [{ $join: ['On ', { $from: '/input/query' }, ': ', { $join: { $pluck: [{ $from: '/steps/pages/output' }, '/text'] }, with: '\n' }] }, 1000] }, // biome-ignore format: one line
        tags: ['research'],
      },
    },
  ],
  result: { id: { $from: '/steps/save/output/id' }, pages: { $length: { $from: '/steps/pages/output' } } },
}

test('a right workflow has no problems', async () => {
  expect(await check(workflow)).toEqual([])
})

const steps = workflow.steps as JsonObject[]
const withStep = (index: number, change: JsonObject): JsonObject => ({
  ...workflow,
  steps: steps.map((step, place) => (place === index ? { ...step, ...change } : step)),
})

test.each<[what: string, document: JsonObject, pointer: string, words: string]>([
  ['an unknown tool', withStep(0, { tool: 'web.serach' }), '/steps/0/tool', "There is no tool 'web.serach'. Did you mean 'web.search'?"], // biome-ignore format: one line
  ['a later step', withStep(0, { input: { query: { $from: '/steps/save/output/id' } } }), '/steps/0/input/query/$from', "The step 'save' comes later. Move it up, or refer to an earlier step."], // biome-ignore format: one line
  ['a lower risk', { ...workflow, risk: 'read_only' }, '/risk', 'The workflow says read_only, but memory.save is safe_write. Write "risk": "safe_write".'], // biome-ignore format: one line
  ['a string that is no URI', withStep(1, { input: { url: { $from: '/item/title' } } }), '/steps/1/input/url', '/item/title may be any string; web.fetch takes only a URI. Wrap it in {"$check": [VALUE, SCHEMA]}: then the step fails if the value does not match.'], // biome-ignore format: one line
  ['a list that may be too long', withStep(1, { forEach: { in: { $from: '/steps/search/output/results' }, max: 5 } }), '/steps/1/forEach/in', '/steps/search/output/results may have more than 5 items, the max of this forEach. Shorten it: {"$truncate": [VALUE, 5]}.'], // biome-ignore format: one line
])('%s is reported', async (_, document, pointer, message) => {
  expect(await check(document)).toEqual([{ pointer, message, severity: 'error' }])
})
