import { expect, test } from 'vitest'
import type { JsonObject } from '../../contract/json.ts'
import { findPosition } from './find-position.ts'
import { readWorkflow } from './read-workflow.ts'

const empty = { type: 'object', additionalProperties: false, properties: {} }
const source: JsonObject = {
  $schema: './workflow.schema.json',
  name: 'tidy_up',
  description: 'Tidies up the workspace.',
  risk: 'read_only',
  input: empty,
  output: empty,
  steps: [
    { id: 'list', tool: 'workspace.list_files', input: {}, forEach: { in: [1], max: 2 } },
    { id: 'pause', wait: { forMs: 5 } },
  ],
  result: {},
}

test('defaults are set', async () => {
  const read = await readWorkflow(JSON.stringify(JSON.parse(JSON.stringify(source))), 'json')
  expect(read).toMatchObject({
    ok: true,
    workflow: {
      name: 'tidy_up',
      title: 'Tidy up',
      version: '1.0.0',
      parallel: 1,
      approval: 'steps',
      limits: { timeoutMs: 3_600_000 },
      examples: [],
      steps: [
        { id: 'list', after: [], onError: 'stop', forEach: { max: 2, parallel: 1 } },
        { id: 'pause', after: [] },
      ],
    },
  })
  expect(read.ok && '$schema' in read.workflow).toBe(false)
})

test('YAML is read like JSON', async () => {
  const { stringify } = await import('yaml')
  const [json, yaml] = [await readWorkflow(JSON.stringify(JSON.parse(JSON.stringify(source))), 'json'), await readWorkflow(stringify(JSON.parse(JSON.stringify(source))), 'yaml')] // biome-ignore format: one line
  expect(yaml).toEqual(json)
})

test.each([
  ['an unknown key', { ...source, stepps: [] }, '/stepps', /stepps/],
  ['a step with a bad id', { ...source, steps: [{ id: 'a/b', wait: { forMs: 1 } }] }, '/steps/0/id', /./],
  ['a step that does nothing', { ...source, steps: [{ id: 'a' }] }, '/steps/0', /neither calls a tool nor waits/],
  ['a call without input', { ...source, steps: [{ id: 'a', tool: 'x.y' }] }, '/steps/0', /has no input/],
  ['a step that waits and calls', { ...source, steps: [{ id: 'a', wait: { forMs: 1 }, tool: 'x.y' }] }, '/steps/0/tool', /waits/], // biome-ignore format: one line
  ['a list without a bound', { ...source, steps: [{ id: 'a', tool: 'x.y', input: {}, forEach: { in: [] } }] }, '/steps/0/forEach/max', /max/], // biome-ignore format: one line
])('%s is refused', async (_, document, pointer, words) => {
  const read = await readWorkflow(JSON.stringify(document), 'json')
  expect(read).toMatchObject({ ok: false, problems: [{ pointer, message: expect.stringMatching(words) }] })
})

test.each([
  ['a bomb of aliases', `a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]`],
  ['a tag', 'name: !!js/function "x"'],
  ['a duplicate key', 'name: a\nname: b'],
  ['bad syntax', 'name: [a'],
  ['a prototype key', '__proto__: { polluted: true }'],
  ['infinity', 'parallel: .inf'],
  ['depth', '['.repeat(20_000)],
  ['size', `# ${'x'.repeat(1_048_576)}`],
])('YAML with %s is refused', async (_, text) => {
  const read = await readWorkflow(new TextEncoder().encode(text), 'yaml')
  expect(read).toMatchObject({ ok: false, problems: [{ severity: 'error' }] })
})

test('JSON with a duplicate key is refused where it is', async () => {
  const read = await readWorkflow('{"name":"a","name":"b"}', 'json')
  expect(read).toMatchObject({ ok: false, problems: [{ pointer: '/name' }] })
})

test('a position is that of the key, or of what is around it', async () => {
  const json = '{\n\t"steps": [\n    { "id": "a",\n      "in~put": { "x": 1 } }\n  ]\n}'
  expect(await findPosition(json, '/steps/0/in~0put/x')).toEqual({ line: 4, column: 19 })
  expect(await findPosition(json, '/steps/0')).toEqual({ line: 3, column: 5 })
  expect(await findPosition(json, '/steps/0/nothing')).toEqual({ line: 3, column: 5 })
  expect(await findPosition(json, '')).toEqual({ line: 1, column: 1 })
  expect(await findPosition('steps:\n  - id: a\n    input: {}\n', '/steps/0/input')).toEqual({ line: 3, column: 5 })
  expect(await findPosition('', '')).toBeUndefined()
})
