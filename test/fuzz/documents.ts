import assert from 'node:assert/strict'
import fc from 'fast-check'
import { fromMarkdown } from '../../src/authoring/markdown/from-markdown.ts'
import { toToolsMarkdown } from '../../src/authoring/markdown/tools-markdown.ts'
import { contracts } from '../helpers/random-contracts.ts'
import { defineTarget } from './target.ts'

const pieces = fc.constantFrom('## read_note\n', '### Input\n', '**Errors**\n', '- status: x\n', '- effects: `{`\n', '```json\n', '````\n', '```\n', '~~~\n', '{ "type": ["object"] }\n', '[{ "code": 1 }, 2]\n', '{ "name": 1, "parameters": {} }\n', '{"a":'.repeat(60), '| Tool | Access |\n|--|--|\n| a |\n', '| Code | Description |\n|--|--|\n| 404 | a |\n', '- a: b\n', '> ', '> '.repeat(80), '  - ', '*'.repeat(50), '['.repeat(50), '\n', '\r', '\u0000', '\ud800', '<!--', '[x]: y\n', '### Constraints\n- Max 1 MB\n', '**Request:**\n', '**Response:**\n') // biome-ignore format: one line
const written = fc
  .array(fc.oneof({ weight: 5, arbitrary: pieces }, fc.string({ unit: 'binary', maxLength: 12 })), { maxLength: 40 })
  .map((parts) => parts.join(''))
const damaged = fc
  .tuple(contracts, fc.array(fc.record({ at: fc.nat(4000), cut: fc.nat(200), put: pieces }), { maxLength: 4 }))
  .map(([contract, changes]) =>
    changes.reduce(
      (text, { at, cut, put }) =>
        text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + cut),
      toToolsMarkdown([{ name: 'notes', description: 'Notes.', tools: [{ contract }] }]),
    ),
  )

/** The reader never throws, and every problem refers to a line of the document. */
export const documentTarget = defineTarget(() => ({
  inputs: fc.record({ text: fc.oneof(written, damaged), lint: fc.boolean() }),
  async check({ text, lint }) {
    const { report } = await fromMarkdown(text, { lint })
    const lines = text.split(/\r\n|\n|\r/).length
    assert.deepEqual(
      report.filter(({ line, code }) => line < 1 || line > lines || code === 'unreadable'),
      [],
    )
  },
}))
