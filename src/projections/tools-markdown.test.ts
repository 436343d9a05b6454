import { expect, test } from 'vitest'
import { defineTool } from '../contract/define-tool.ts'
import { defineToolset } from '../contract/define-toolset.ts'
import { toToolsMarkdown } from './tools-markdown.ts'

const output = { type: 'object', additionalProperties: false, properties: {} } as const

test('a tool is shown with its parameters, what it touches and whether it asks', () => {
  const input = {
    type: 'object',
    additionalProperties: false,
    required: ['path'],
    properties: {
      path: { type: 'string', description: 'Where | what', maxLength: 9 },
      mode: { enum: ['a', 'b'], default: 'a' },
      note: { type: ['string', 'null'] },
    },
  } as const
  const write = defineTool(
    { name: 'write', description: 'Writes <b>.', risk: 'safe_write', input, output, effects: { writes: ['path'] } },
    () => ({}),
  )
  const page = toToolsMarkdown([defineToolset('files', [write], { description: 'Some files.' })])
  expect(page).toContain('## files\n\nSome files.\n')
  expect(page).toContain('| [`write`](#write) | safe_write | writes `path` | yes |')
  expect(page).toContain('### write\n\nWrites \\<b\\>.\n')
  expect(page).toContain('| `path` | string, maxLength 9 | required | Where \\| what |')
  expect(page).toContain('| `mode` | one of "a", "b" | default "a" |  |')
  expect(page).toContain('| `note` | string or null |  |  |')
})

test('a tool without parameters and effects says so', () => {
  const input = { type: 'object', additionalProperties: false, properties: {} } as const
  const idle = defineTool({ name: 'idle', description: 'Does nothing.', risk: 'read_only', input, output }, () => ({}))
  const page = toToolsMarkdown([defineToolset('none', [idle])])
  expect(page).toContain('| [`idle`](#idle) | read_only | nothing | no |')
  expect(page).toContain('No parameters.')
})
