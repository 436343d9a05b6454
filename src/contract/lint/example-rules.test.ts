import { expect, test } from 'vitest'
import { findings } from '../../../test/data/clean-contract.ts'

const input = { path: 'a.md' }
const output = { text: 'Hello' }

test('example-present: one example at least, once the tool can be called', async () => {
  expect(await findings('example-present', { examples: [] })).toEqual(['/examples'])
  expect(await findings('example-present', { examples: [], status: 'planned' })).toEqual([])
  expect(await findings('example-present', { examples: [{ input, output }] })).toEqual([])
})

test('example-outcome: an output, or an error that is declared', async () => {
  const examples = [{ input }, { input, output, error: 'note_not_found' }, { input, error: 'note_gone' }]
  expect(await findings('example-outcome', { examples })).toEqual(['/examples/0', '/examples/1', '/examples/2/error'])
  const good = [
    { input, output },
    { input, error: 'note_not_found' },
    { input, error: 'timeout' },
  ]
  expect(await findings('example-outcome', { examples: good })).toEqual([])
})

test('example-varies: what varies is in the output', async () => {
  const examples = [
    { input, output, varies: ['/text', '/time', 'text', '/text/0'] },
    { input, error: 'note_not_found', varies: ['/text'] },
  ]
  expect(await findings('example-varies', { examples })).toEqual([
    '/examples/0/varies/1',
    '/examples/0/varies/2',
    '/examples/0/varies/3',
    '/examples/1/varies/0',
  ])
  expect(await findings('example-varies', { examples: [{ input, output, varies: ['/text'] }] })).toEqual([])
})

test('example-input: an input is valid, unless it shows that it is not', async () => {
  const examples = [
    { input: { path: 1 }, output },
    { input: {}, error: 'note_not_found' },
    { input, error: 'invalid_input' },
  ]
  expect(await findings('example-input', { examples })).toEqual([
    '/examples/0/input/path',
    expect.stringMatching('^/examples/1/input'),
    '/examples/2/input',
  ])
  const good = [
    { input, output },
    { input: { path: 'a', lines: 3 }, output },
    { input: {}, error: 'invalid_input' },
  ]
  expect(await findings('example-input', { examples: good })).toEqual([])
})

test('example-output: an output is valid', async () => {
  const examples = [
    { input, output: { text: 1 } },
    { input, output: { text: 'Hello', more: true } },
  ]
  expect(await findings('example-output', { examples })).toEqual([
    '/examples/0/output/text',
    expect.stringMatching('^/examples/1/output'),
  ])
  expect(await findings('example-output', { examples: [{ input, output }] })).toEqual([])
})

test('example-input: an input may break the schema to show the code for that', async () => {
  const error = { code: 'invalid_path', status: 400, when: 'No path.', suggestion: 'Send one.' }
  const examples = [{ input: { path: 5 }, error: 'invalid_path' }]
  expect(await findings('example-input', { examples, errors: [error] })).toEqual(['/examples/0/input/path'])
  expect(await findings('example-input', { examples, errors: [{ ...error, inputs: ['path'] }] })).toEqual([])
})
