import type Anthropic from '@anthropic-ai/sdk'
import { expect, test } from 'vitest'
import { openToolpact } from '../../app/app.ts'
import { anthropicTools, handleToolUses } from './anthropic.ts'

test('what is offered and what is answered fits the types of the official client', async () => {
  const toolpact = await openToolpact({ storage: 'memory', toolsets: ['learning', 'practitioner'] })
  const tools: Anthropic.Tool[] = await anthropicTools(toolpact)
  expect(tools).toContainEqual(expect.objectContaining({ name: 'learning_hello' }))
  const content = [
    { type: 'text', text: 'I greet.' },
    { type: 'tool_use', id: 'use_1', name: 'learning_hello', input: { name: 'Ada' } },
    { type: 'tool_use', id: 'use_2', name: 'learning_hello', input: { nme: 'Ada' } },
    { type: 'tool_use', id: 'use_3', name: 'learning_helo', input: {} },
  ]
  const results: Anthropic.ToolResultBlockParam[] = await handleToolUses(toolpact, { content })
  await toolpact.close()
  expect(results.map(({ tool_use_id, is_error }) => [tool_use_id, is_error])).toEqual([
    ['use_1', undefined],
    ['use_2', true],
    ['use_3', true],
  ])
  expect(results.map((result) => JSON.parse(String(result.content)))).toMatchObject([
    { tool: 'hello', success: true, greeting: 'Hello, Ada!' },
    { error: { code: 'invalid_input', problems: expect.any(Array) } },
    { error: { code: 'tool_not_found', suggestion: 'Did you mean learning_hello?' } },
  ])
})

test('a message that uses no tool gets no results', async () => {
  const toolpact = await openToolpact({ storage: 'memory', toolsets: ['learning'] })
  expect(await handleToolUses(toolpact, { content: [{ type: 'text' }] })).toEqual([])
  expect(await handleToolUses(toolpact, { content: 'Hello' as never })).toEqual([])
  await toolpact.close()
})
