import { expect, test } from 'vitest'
import { openTestPipeline, yes } from '../../../test/helpers/open-test-pipeline.ts'
import type { Tool } from '../../contract/tool.ts'
import { defineWorkspaceTool } from './workspace-tool.ts'

const count = defineWorkspaceTool(
  {
    name: 'count',
    description: 'Counts the words of a text.',
    risk: 'read_only',
    input: {
      type: 'object',
      additionalProperties: false,
      required: ['text'],
      properties: { text: { type: 'string', description: 'What to count' } },
    },
    metadata: {
      required: ['words'],
      properties: { words: { type: 'integer', description: 'How many words there are' } },
    },
    errors: [{ code: 'no_text', status: 400, when: 'There is no text.', suggestion: 'Send some.' }],
    examples: [
      {
        input: { text: 'a b' },
        returns: { output: 'Two', metadata: { words: 2 }, warnings: ['Few'] },
        varies: ['/output'],
      },
      { input: { text: '' }, error: 'no_text' },
    ],
  },
  async ({ text }, { fail }, { least }: { least: number }) => {
    if (text === '') return fail('no_text', 'There is no text')
    if (text === 'break') return { output: '', metadata: { words: 1.5 } }
    const words = text.split(' ').length
    if (text === 'a b …')
      return { output: '2 words', metadata: { words: 2 }, warnings: ['Few words'], errors: ['Text is cut'] }
    const warnings = [...(words < least ? ['Few words'] : []), ...(text.length < 5 ? ['Short text'] : [])]
    return { output: `${words} words`, filesAffected: ['a.txt'], metadata: { words }, warnings }
  },
  { needs: ['least'] },
)

const open = () => openTestPipeline([count as unknown as Tool], { capabilities: () => ({ least: 3 }), approver: yes })

test('the envelope has the outcome, the changes and the duration', async () => {
  const result = await open().call('count', { text: 'one two three' })
  expect(result.success && result.output).toEqual({
    success: true,
    output: '3 words',
    files_affected: ['a.txt'],
    execution_time_ms: expect.any(Number),
    metadata: { words: 3 },
  })
  expect(result.success && Number.isInteger(result.output.execution_time_ms)).toBe(true)
})

test('a partial failure comes before the warnings, and is a warning in the metadata', async () => {
  expect(await open().call('count', { text: 'a b …' })).toMatchObject({
    success: true,
    output: {
      output: 'Error: Text is cut\nWarning: Few words\n2 words',
      metadata: { words: 2, warnings: ['Text is cut', 'Few words'] },
    },
  })
})

test('warnings come before the text, and without the prefix in the metadata', async () => {
  expect(await open().call('count', { text: 'a b' })).toMatchObject({
    success: true,
    output: {
      output: 'Warning: Few words\nWarning: Short text\n2 words',
      metadata: { words: 2, warnings: ['Few words', 'Short text'] },
    },
  })
})

test('a failure passes through', async () => {
  expect(await open().call('count', { text: '' })).toMatchObject({
    success: false,
    error: { code: 'no_text', status: 400, message: 'There is no text', suggestion: 'Send some.' },
  })
})

test('metadata that violates its schema is an error', async () => {
  const { call, violations } = open()
  expect(await call('count', { text: 'break' })).toMatchObject({ success: false, error: { code: 'invalid_output' } })
  expect(violations).toMatchObject([{ kind: 'invalid_output', problems: [{ pointer: '/metadata/words' }] }])
})

test('the output schema is closed, and examples are completed', () => {
  const { output, examples } = count.contract
  expect(output).toMatchObject({
    additionalProperties: false,
    required: ['success', 'output', 'files_affected', 'execution_time_ms', 'metadata'],
    properties: { metadata: { additionalProperties: false, required: ['words'] } },
  })
  expect(examples).toEqual([
    {
      input: { text: 'a b' },
      output: {
        success: true,
        output: 'Warning: Few\nTwo',
        files_affected: [],
        execution_time_ms: 1,
        metadata: { words: 2, warnings: ['Few'] },
      },
      varies: ['/execution_time_ms', '/output'],
    },
    { input: { text: '' }, error: 'no_text' },
  ])
})
