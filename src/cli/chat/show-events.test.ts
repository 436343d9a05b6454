import { expect, test } from 'vitest'
import { keepTerminal } from '../../../test/helpers/open-lock.ts'
import type { ChatEvent } from '../../agent/chat/chat-entry.ts'
import type { JsonObject } from '../../contract/json.ts'
import { createStatus } from '../terminal/status.ts'
import { showEvents } from './show-events.ts'

function show(...events: ChatEvent[]) {
  const { kept, terminal } = keepTerminal()
  const shown = showEvents(terminal, { ...createStatus(), waitedMs: () => 5000 })
  for (const event of events) shown.show(event)
  return kept
}

const result = { type: 'result', step: 1, tool: 'a.b', callId: 'c', durationMs: 5000 } as const
const fine = { ...result, success: true, code: null, message: null } as const

test('text is streamed in whole characters, and its line is ended', () => {
  const { out } = show(
    { type: 'text', text: 'half \ud83d' },
    { type: 'text', text: '\ude00 and\r' },
    { type: 'text', text: '\nmore' },
    { type: 'answer', step: 1, text: '', calls: 0 },
    { type: 'text', text: 'next\n' },
    { type: 'answer', step: 2, text: '', calls: 0 },
  )
  expect(out).toBe('half 😀 and\r\nmore\nnext\n')
})

test('a call is one line, whatever its input', () => {
  const { error } = show(
    { type: 'call', step: 1, tool: 'a.b', input: { path: 'x\ny', content: 'z'.repeat(500), list: [1] } },
    { type: 'call', step: 1, tool: 'a\u001b[2J', input: 'no {json' },
  )
  expect(error.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^→ a\.b path=x\\ny content=z+… list=\[1\]$/),
    '→ a\\x1b[2J no {json',
  ])
})

test('a result is a few lines, in the text of the tool if it has some', () => {
  const text = ['Read it:', 'one', 'two', 'three', 'four', 'five'].join('\n')
  const { error } = show({ ...fine, output: { success: true, output: text, execution_time_ms: 12 } })
  expect(error).toBe('  ✓ Read it:  5000 ms\n    one\n    two\n    three\n    … 2 more lines\n')
  expect(show({ ...fine, output: { n: 1 } }).error).toBe('  ✓ {"n":1}  5000 ms\n')
  const failed = { ...result, success: false, code: 'denied', message: 'No.\nNever.', output: null } as const
  expect(show(failed).error).toBe('  ✗ denied: No.\\nNever.\n')
  const content: JsonObject[] = [
    { type: 'text', text: 'a\nb' },
    { type: 'image', data: 'AAAA', mimeType: 'image/png' },
  ]
  expect(show({ ...fine, output: { content } }).error).toBe('  ✓ a  5000 ms\n    b\n    [image/png, 3 bytes]\n')
})

test('what is wrong with an input is said by property', () => {
  const problems = [
    { pointer: '/path', message: 'must be a string, but is a number' },
    { pointer: '/x', message: "'/x' is not a parameter" },
  ]
  const failed = { ...result, success: false, code: 'invalid_input', message: 'No.', problems, output: null } as const
  expect(show(failed).error).toBe("  ✗ invalid_input: No.\n    /path: must be a string, but is a number\n    '/x' is not a parameter\n") // biome-ignore format: one line
})

test('notes and errors are printed', () => {
  const end = { type: 'end', session: 's', steps: 1, refused: 0 } as const
  const { error } = show(
    { type: 'folded', messages: 3 },
    { type: 'interrupted', calls: 2 },
    { ...end, outcome: 'failed', code: 'model_error', message: 'It is gone.', suggestion: 'Start it.' },
    { ...end, outcome: 'stopped', code: null, message: null, suggestion: null },
    { ...end, outcome: 'answered', code: null, message: null, suggestion: null },
  )
  expect(error.split('\n')).toEqual([
    'Note: The 3 oldest messages no longer fit into the context of the model.',
    expect.stringContaining('Note: 2 calls were in flight'),
    'Error: It is gone.',
    'Start it.',
    'Code: model_error',
    'Stopped.',
    '',
  ])
})

test('emoji and joined letters that arrive in pieces are shown unchanged', () => {
  const { kept, terminal } = keepTerminal()
  const shown = showEvents({ ...terminal, columns: 80 })
  for (const text of ['می', '\u200c', 'خواهم 👩', '\u200d', '💻 1', '\ufe0f', '\u20e3 x', '\u200d', 'y'])
    shown.show({ type: 'text', text })
  shown.show({ type: 'answer', step: 1, text: '', calls: 0 })
  expect(kept.out).toContain('می\u200cخواهم 👩\u200d💻 1\ufe0f\u20e3 x\\u{200d}y')
})
