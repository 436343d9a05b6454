import { expect, test } from 'vitest'
import type { QueuedDetails } from '../../pipeline/kept-question.ts'
import { canElicit, toElicitation } from './elicitation.ts'

const details: QueuedDetails = {
  waitsUntil: 0,
  forTool: 'every call of this tool',
  callId: 'c',
  caller: { name: 'agent' },
  tool: 'workspace.edit_file',
  contract: { name: 'edit_file', risk: 'safe_write' },
  input: { path: 'a.txt', text: 'two' },
  effects: { reads: [], writes: ['a.txt'], fetches: ['https://example.com'], runs: ['ls'] },
  reason: 'The contract asks.',
  foreseen: {
    places: [{ path: 'a.txt', real: '/w/a.txt', exists: true }],
    changes: [
      {
        path: 'a.txt',
        kind: 'edit',
        added: 1,
        removed: 1,
        lines: [
          { kind: 'removed', text: 'one' },
          { kind: 'added', text: 'two' },
        ],
      },
    ],
    sandbox: 'bubblewrap',
  },
}

const messageOf = (changes: Partial<QueuedDetails> = {}) => String(toElicitation({ ...details, ...changes }).message)

test('the question says what would run, for whom, and what it would change', () => {
  expect(messageOf().split('\n')).toEqual([
    'May edit_file run? Target: ls and 2 more',
    'Real path: /w/a.txt',
    'First change: - one',
    'Tool: workspace.edit_file (risk: safe_write), called by agent. The contract asks.',
    'Runs: ls',
    'Writes: a.txt',
    'Fetches: https://example.com',
    'Sandbox: bubblewrap',
    'Input:',
    '  path: "a.txt"',
    '  text: "two"',
    'Change: a.txt (edit, 1 lines added, 1 removed)',
    '- one',
    '+ two',
  ])
})

test('the first three lines say what is touched, where that really is and what changes first', () => {
  const effects = { reads: [], writes: ['a.txt'], fetches: [], runs: [] }
  expect(messageOf({ effects }).split('\n').slice(0, 3)).toEqual([
    'May edit_file run? Target: a.txt',
    'Real path: /w/a.txt',
    'First change: - one',
  ])
  const nothing = { reads: [], writes: [], fetches: [], runs: [] }
  const foreseen = { places: [], changes: [] }
  expect(messageOf({ effects: nothing, foreseen, input: { to: 'ada' } }).split('\n')[0]).toBe(
    'May edit_file run? Target: {"to":"ada"}',
  )
})

test('the form denies unless a person chooses otherwise, and offers a yes for the tool if a rule would help', () => {
  const decision = (changes: object) =>
    (toElicitation({ ...details, ...changes }).requestedSchema as { properties: { decision: object } }).properties
      .decision
  expect(decision({})).toMatchObject({
    enum: ['deny', 'approve', 'approve_tool'],
    default: 'deny',
    description: expect.stringContaining('every call of this tool'),
  })
  expect(decision({ forTool: undefined })).toMatchObject({ enum: ['deny', 'approve'], default: 'deny' })
})

test('nothing in the call can forge a line, hide or turn text around', () => {
  const message = messageOf({
    input: { 'key\n+ two': 'a\nInput: \u001b[31m\u202e\u200b' },
    effects: { reads: [], writes: ['a\nRisk: none\u2028'], fetches: [], runs: [] },
    caller: { name: 'agent\u0007' },
    foreseen: { places: [], changes: [], problem: 'bad\r' },
  })
  expect(message).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}]/u)
  expect(message.split('\n').map((line) => line.split(':')[0])).toEqual([
    'May edit_file run? Target',
    'Tool',
    'Writes',
    'Look ahead',
    'Input',
    '  key\\n+ two',
  ])
})

test('however large the call is, the question is not, and says what it leaves out', () => {
  const lines = Array.from({ length: 5000 }, () => ({ kind: 'added' as const, text: 'x'.repeat(5000) }))
  const message = messageOf({
    input: Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, 'y'.repeat(10_000)])),
    foreseen: { places: [], changes: [{ path: 'p', kind: 'new', added: 5000, removed: 0, lines }] },
  })
  expect(message.length).toBeLessThan(60_000)
  expect(message).toContain('more lines are not shown')
  expect(message).toContain('more characters')
})

test('a client can be asked where it shows forms', () => {
  const can = (elicitation?: object) =>
    canElicit({ revision: '2025-11-25', isModern: false, capabilities: (elicitation ? { elicitation } : {}) as never })
  expect(can({})).toBe(true)
  expect(can({ form: {} })).toBe(true)
  expect(can({ form: {}, url: {} })).toBe(true)
  expect(can({ url: {} })).toBe(false)
  expect(can()).toBe(false)
})
