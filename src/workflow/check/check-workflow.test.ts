// biome-ignore-all lint/suspicious/noThenProperty: `then` is a key of a compensation
import { expect, test } from 'vitest'
import type { Contract } from '../../contract/contract.ts'
import { defineTool } from '../../contract/define-tool.ts'
import { digest } from '../../contract/digest.ts'
import type { JsonObject, JsonSchema } from '../../contract/json.ts'
import { readWorkflow } from '../document/read-workflow.ts'
import { checkWorkflow } from './check-workflow.ts'

const object = (properties: object, required: readonly string[] = Object.keys(properties)) =>
  ({ type: 'object', additionalProperties: false, properties, required }) as JsonSchema
const string = { type: 'string' }
const uri = { ...string, format: 'uri' }

const contractOf = (name: string, input: JsonSchema, output: JsonSchema, risk: Contract['risk'] = 'read_only') =>
  defineTool({ name, description: 'A tool of the tests.', risk, input, output }, () => ({}) as never).contract

const contracts: { readonly [id: string]: Contract } = {
  'web.search': contractOf(
    'search',
    object({ query: { ...string, minLength: 1, maxLength: 200 }, count: { type: 'integer', minimum: 1, maximum: 20, default: 5 } }, ['query']), // biome-ignore format: one line
    object({ results: { type: 'array', maxItems: 20, items: object({ title: string, url: uri }) } }),
  ),
  'web.fetch': contractOf(
    'fetch',
    object({ url: uri, mode: { enum: ['text', 'html'] } }, ['url']),
    object({ text: string, status: { type: 'integer' } }),
  ),
  'memory.save': contractOf(
    'save',
    object({ text: { ...string, minLength: 1, maxLength: 1000 } }),
    object({ id: string }),
    'safe_write',
  ),
}

const base = {
  name: 'research',
  description: 'Searches, fetches and saves.',
  risk: 'safe_write',
  input: object(
    { query: { ...string, minLength: 1, maxLength: 100 }, count: { type: 'integer', minimum: 1, maximum: 5, default: 3 }, fetch: { type: 'boolean' }, maybe: { type: 'boolean' }, mode: { enum: ['text', 'html'] }, at: { ...string, format: 'date-time' } }, // biome-ignore format: one line
    ['query', 'fetch', 'mode'],
  ),
  output: object({}),
  result: {},
}

const search = { id: 'search', tool: 'web.search', input: { query: { $from: '/input/query' } } }
const results = { $from: '/steps/search/output/results' }
const url = { $from: '/item/url' }
const pages = { id: 'pages', tool: 'web.fetch', forEach: { in: { $truncate: [results, 5] }, max: 5 }, input: { url } }
const save = { id: 'save', tool: 'memory.save', input: { text: { $from: '/input/query' } } }
const page = { id: 'page', tool: 'web.fetch', input: { url: 'https://example.com' } }
const text = { $from: '/steps/page/output/text' }
const short = { $truncate: [{ $join: ['Page: ', text] }, 500] }
/** What is changed in the document, wrongly and rightly, where the wrong is reported, and in which words. */
// biome-ignore format: a table
const table: readonly [what: string, wrong: object, right: object, pointer: string, message: string][] = [
  ['an unknown tool', { steps: [{ ...search, tool: 'web.serach' }] }, { steps: [search] }, '/steps/0/tool', "There is no tool 'web.serach'. Did you mean 'web.search'?"],
  ['an unknown tool that resembles none', { steps: [{ ...search, tool: 'x.completely_different' }] }, {}, '/steps/0/tool', "There is no tool 'x.completely_different'. Run toolpact list to see the tools."],
  ['a withheld tool', { steps: [{ id: 'gone', tool: 'web.withheld', input: {} }] }, {}, '/steps/0/tool', 'web.withheld is withheld: Its contract has changed.'],
  ['another contract', { steps: [{ ...search, contract: `sha256:${'0'.repeat(64)}` }] }, {}, '/steps/0/contract', `The contract of web.search changed: it is now ${digest(contracts['web.search']!)}. Review the change with toolpact show web.search, and write the new digest here.`],
  ['an id that is taken', { steps: [search, { ...page, id: 'search' }] }, { steps: [search, page] }, '/steps/1/id', "The id 'search' is taken by step 1. Give this one another."],
  ['a step that waits for itself', { steps: [{ ...search, after: ['search'] }] }, {}, '/steps/0/after/0', "The step 'search' waits for itself. Remove it here."],
  ['a step that waits for an unknown one', { steps: [search, { ...page, after: ['serch'] }] }, { steps: [search, { ...page, after: ['search'] }] }, '/steps/1/after/0', "There is no step 'serch'. Did you mean 'search'?"],
  ['a step that waits for a later one', { steps: [{ ...page, after: ['search'] }, search] }, { steps: [search, { ...page, after: ['search'] }] }, '/steps/0/after/0', "The step 'search' comes later. Move it up, before 'page'."],
  ['steps that wait for each other', { steps: [{ ...page, after: ['search'] }, { ...search, after: ['page'] }] }, {}, '/steps/0/after/0', 'The steps wait for each other: page after search after page. Remove one of them.'],
  ['a reference to a later step', { steps: [{ ...save, input: { text: short } }, page] }, { steps: [page, { ...save, input: { text: short } }] }, '/steps/0/input/text/$truncate/0/$join/1/$from', "The step 'page' comes later. Move it up, or refer to an earlier step."],
  ['a reference to the step itself', { steps: [{ ...page, input: { url: text } }] }, {}, '/steps/0/input/url/$from', "The step 'page' refers to itself. It can refer to earlier steps only."],
  ['a reference to an unknown step', { steps: [page, { ...save, input: { text: { $from: '/steps/pge/output/text' } } }] }, {}, '/steps/1/input/text/$from', "There is no step 'pge'. Did you mean 'page'?"],
  ['a reference to all steps', { steps: [page, { ...save, input: { text: { $join: [{ $from: '/steps' }] } } }] }, {}, '/steps/1/input/text/$join/0/$from', 'This refers to all steps. Refer to one of them: /steps/ID/output.'],
  ['a reference to no part of the scope', { steps: [{ ...save, input: { text: { $from: '/inputs/query' } } }] }, {}, '/steps/0/input/text/$from', 'There is no /inputs. Did you mean /input?'],
  ['an item without forEach', { steps: [{ ...page, input: { url } }] }, { steps: [search, pages] }, '/steps/0/input/url/$from', '/item exists only in the input of a step with forEach. Add forEach, or refer to something else.'],
  ['an item in the condition', { steps: [search, { ...pages, when: { $exists: url } }] }, {}, '/steps/1/when/$exists/$from', '/item exists only in the input of a step with forEach. Add forEach, or refer to something else.'],
  ['an index of a list that is none', { steps: [search, { ...pages, forEach: { in: { $from: '/input/query' }, max: 5 } }] }, {}, '/steps/1/forEach/in', 'forEach takes a list, but /input/query is a string. Give another value.'],
  ['a list that may have too many items', { steps: [search, { ...pages, forEach: { in: results, max: 5 } }] }, {}, '/steps/1/forEach/in', '/steps/search/output/results may have more than 5 items, the max of this forEach. Shorten it: {"$truncate": [VALUE, 5]}.'],
  ['a list that is always empty', { steps: [{ ...pages, forEach: { in: [], max: 5 } }] }, {}, '/steps/0/forEach/in', "[] is always empty, so the step 'pages' never calls its tool. Correct the list, or remove the step."],
  ['a list that may be missing', { steps: [{ ...search, onError: 'continue' }, pages] }, { steps: [{ ...search, onError: 'continue' }, { ...pages, forEach: { in: { $truncate: [{ ...results, default: [] }, 5] }, max: 5 } }] }, '/steps/1/forEach/in/$truncate/0', `/steps/search/output/results may be missing, because the step 'search' may fail, but a value is needed. Add a "default", or do this only if it exists, with "when" or $if.`],
  ['an output that is skipped', { steps: [{ ...page, when: { $from: '/input/fetch' } }, { ...save, input: { text: short } }] }, { steps: [{ ...page, when: { $from: '/input/fetch' } }, { ...save, when: { $from: '/input/fetch' }, input: { text: short } }] }, '/steps/1/input/text/$truncate/0/$join/1', `/steps/page/output/text may be missing, because the step 'page' may be skipped, but an item of a list cannot be missing. Add a "default", or do this only if it exists, with "when" or $if.`],
  ['an output of a step that may fail', { steps: [{ ...page, onError: 'continue' }, { ...save, input: { text: { $truncate: [text, 500] } } }] }, { steps: [{ ...page, onError: 'continue' }, { ...save, when: { $exists: text }, input: { text: short } }] }, '/steps/1/input/text/$truncate/0', `/steps/page/output/text may be missing, because the step 'page' may fail, but a value is needed. Add a "default", or do this only if it exists, with "when" or $if.`],
  ['an output of a step that may be skipped or fail', { steps: [{ ...page, when: { $from: '/input/fetch' }, onError: 'continue' }, { ...save, input: { text: short } }] }, {}, '/steps/1/input/text/$truncate/0/$join/1', `/steps/page/output/text may be missing, because the step 'page' may be skipped or fail, but an item of a list cannot be missing. Add a "default", or do this only if it exists, with "when" or $if.`],
  ['the error of a step that stops the run', { steps: [page, { ...save, input: { text: { $from: '/steps/page/error/message' } } }] }, { steps: [{ ...page, onError: 'continue' }, { ...save, input: { text: { $truncate: [{ $from: '/steps/page/error/code', default: 'none' }, 100] } } }] }, '/steps/1/input/text/$from', `The step 'page' has no error here: if it fails, the run stops. Let it continue with "onError": "continue".`],
  ['the output of a wait', { steps: [{ id: 'pause', wait: { forMs: 5 } }, { ...save, input: { text: { $from: '/steps/pause/output' } } }] }, { steps: [{ id: 'pause', wait: { forMs: 5 } }, save] }, '/steps/1/input/text/$from', "The step 'pause' has no output here. Refer to something else."],
  ['a part that no step has', { steps: [page, { ...save, input: { text: { $from: '/steps/page/result' } } }] }, {}, '/steps/1/input/text/$from', "A step has no 'result'. It has 'skipped', 'output'."],
  ['a time that is none', { steps: [{ id: 'pause', wait: { until: 'tomorrow' } }] }, { steps: [{ id: 'pause', wait: { until: '2027-01-31T08:00:00Z' } }] }, '/steps/0/wait/until', '"tomorrow" does not fit; wait takes only a date-time. Write another value.'],
  ['a time that may be missing', { steps: [{ id: 'pause', wait: { until: { $from: '/input/at' } } }] }, { steps: [{ id: 'pause', wait: { until: { $from: '/input/at', default: { $from: '/run/startedAt' } } } }] }, '/steps/0/wait/until', '/input/at may be missing, but the step must know until when it waits. Add a "default", or do this only if it exists, with "when" or $if.'],
  ['a condition that is never true', { steps: [{ ...page, when: { $eq: ['a', 'b'] } }] }, {}, '/steps/0/when', "This is never true, so the step 'page' never runs. Correct the condition, or remove the step."],
  ['conditions that contradict', { steps: [{ ...page, when: { $and: [{ $eq: [{ $from: '/input/mode' }, 'text'] }, { $eq: [{ $from: '/input/mode' }, 'html'] }] } }] }, { steps: [{ ...page, when: { $and: [{ $ne: [{ $from: '/input/mode' }, 'text'] }, { $from: '/input/fetch' }] } }] }, '/steps/0/when', "This is never true, so the step 'page' never runs. Correct the condition, or remove the step."],
  ['a condition on a value that is not possible', { steps: [{ ...page, when: { $eq: [{ $from: '/input/mode' }, 'pdf'] } }] }, { steps: [{ ...page, when: { $eq: [{ $from: '/input/mode' }, 'html'] } }] }, '/steps/0/when', "This is never true, so the step 'page' never runs. Correct the condition, or remove the step."],
  ['a condition that is a string', { steps: [{ ...page, when: { $from: '/input/query' } }] }, { steps: [{ ...page, when: { $from: '/input/fetch' } }] }, '/steps/0/when', 'A condition is true or false, but /input/query is a string. Give another value.'],
  ['a condition that may be missing', { steps: [{ ...page, when: { $from: '/input/maybe' } }] }, { steps: [{ ...page, when: { $from: '/input/maybe', default: false } }] }, '/steps/0/when', '/input/maybe may be missing, but a value is needed. Add a "default", or do this only if it exists, with "when" or $if.'],
  ['a risk that is too low', { risk: 'read_only', steps: [save] }, { risk: 'safe_write', steps: [save] }, '/risk', 'The workflow says read_only, but memory.save is safe_write. Write "risk": "safe_write".'],
  ['a risk of a compensation', { risk: 'read_only', steps: [{ ...page, onError: { tool: 'memory.save', input: { text: 'failed' }, then: 'stop' } }] }, {}, '/risk', 'The workflow says read_only, but memory.save is safe_write. Write "risk": "safe_write".'],
  ['a compensation with a wrong input', { steps: [{ ...page, onError: { tool: 'memory.save', input: { text: { $from: '/steps/page/error/message' } }, then: 'stop' } }] }, { steps: [{ ...page, onError: { tool: 'memory.save', input: { text: { $join: ['Failed: ', { $from: '/steps/page/error/code' }] } }, then: 'stop' } }] }, '/steps/0/onError/input/text', '/steps/page/error/message may be empty; memory.save takes at least 1 character. Check it when it is known: {"$check": [{"$from":"/steps/page/error/message"}, {"minLength":1}]}.'],
  ['a compensation that refers to an output', { steps: [{ ...page, onError: { tool: 'memory.save', input: { text: text }, then: 'stop' } }] }, {}, '/steps/0/onError/input/text/$from', "The step 'page' has no output here. Refer to something else."],
  ['an unknown tool of a compensation', { steps: [{ ...page, onError: { tool: 'memory.sve', input: {}, then: 'stop' } }] }, {}, '/steps/0/onError/tool', "There is no tool 'memory.sve'. Did you mean 'memory.save'?"],
  ['a result without a required property', { output: { type: 'object', additionalProperties: false, properties: { id: { type: 'string' } }, required: ['id'] }, steps: [save], result: {} }, { output: { type: 'object', additionalProperties: false, properties: { id: { type: 'string' } }, required: ['id'] }, steps: [save], result: { id: { $from: '/steps/save/output/id' } } }, '/result', "The output of the workflow requires 'id', which is not given. Add it."],
  ['a result with a property that is not declared', { steps: [save], result: { id: { $from: '/steps/save/output/id' } } }, {}, '/result/id', "The output of the workflow takes no 'id'. Leave it out."],
  ['a result of another type', { output: { type: 'object', additionalProperties: false, properties: { id: { type: 'integer' } } }, steps: [save], result: { id: { $from: '/steps/save/output/id' } } }, {}, '/result/id', '/steps/save/output/id is a string; the output of the workflow takes only an integer. Give another value.'],
  ['an input schema that is refused', { input: { type: 'objct' }, steps: [page] }, {}, '/input/type', '"type" must be one of null, boolean, integer, number, string, array, object, or a list of different ones. Correct it.'],
  ['an input that nothing matches', { input: { type: 'object', required: ['a'], properties: { a: false } }, steps: [page] }, {}, '/input', 'No value matches this schema. Correct it.'],
  ['an input that a tool does not take', { steps: [{ ...page, input: { url: 'https://example.com', moed: 'text' } }] }, { steps: [{ ...page, input: { url: 'https://example.com', mode: 'text' } }] }, '/steps/0/input/moed', "web.fetch takes no 'moed'. Did you mean 'mode'?"],
]

test.each(table)('%s', async (_, wrong, right, pointer, message) => {
  if (Object.keys(right).length > 0) expect(await check(right)).toEqual([])
  expect((await check(wrong)).filter(({ severity }) => severity === 'error')).toEqual([
    { pointer, message, severity: 'error' },
  ])
})

test('a workflow of several steps with every kind of value has no problems', async () => {
  const pluck = { $pluck: [{ $from: '/steps/pages/output' }, '/text'] }
  const document = {
    output: object({ id: string, pages: { type: 'integer', minimum: 0, maximum: 5 }, first: string }, ['id', 'pages']),
    steps: [
      { ...search, input: { query: { $from: '/input/query' }, count: { $from: '/input/count' } } },
      pages,
      {
        ...save,
        input: { text: { $truncate: [{ $join: ['On ', { $from: '/input/query' }, ': ', { $join: pluck }] }, 1000] } },
      },
    ],
    result: {
      id: { $from: '/steps/save/output/id' },
      pages: { $length: { $from: '/steps/pages/output' } },
      first: { $from: '/steps/search/output/results/0/title' },
    },
  }
  expect(await check(document)).toEqual([])
})

test('a condition that is always true is a warning', async () => {
  const pointer = '/steps/0/when'
  const message = "This is always true, so the step 'page' always runs. Remove the condition."
  expect(await check({ steps: [{ ...page, when: { $exists: { $from: '/input/query' } } }] })).toEqual([
    { pointer, message, severity: 'warning' },
  ])
})

test('a digest of the contract that is the same has no problem', async () => {
  expect(await check({ steps: [{ ...search, contract: digest(contracts['web.search']!) }] })).toEqual([])
})

async function check(change: object) {
  const read = await readWorkflow(JSON.stringify({ ...base, ...change } as unknown as JsonObject), 'json')
  if (!read.ok) throw new Error(JSON.stringify(read.problems))
  return checkWorkflow(read.workflow, {
    findContract: (id) => contracts[id],
    findWithheld: (id) => (id === 'web.withheld' ? 'Its contract has changed.' : undefined),
    toolIds: Object.keys(contracts),
  })
}
