import { expect, test } from 'vitest'
import type { JsonValue } from '../../contract/json.ts'
import type { ApprovalDetails } from '../../pipeline/approver.ts'
import { canElicit, isYes, toElicitation } from './elicitation.ts'

const details: ApprovalDetails = {
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

const messageOf = (changes: Partial<ApprovalDetails> = {}) => String(toElicitation({ ...details, ...changes }).message)

test('the question says what would run, for whom, and what it would change', () => {
  expect(messageOf().split('\n')).toEqual([
    'May workspace.edit_file run? (risk: safe_write)',
    'Asked for by agent. The contract asks.',
    'Runs: ls',
    'Writes: a.txt',
    'Fetches: https://example.com',
    'Real path: /w/a.txt',
    'Sandbox: bubblewrap',
    'Input:',
    '  path: "a.txt"',
    '  text: "two"',
    'Change: a.txt (edit, 1 lines added, 1 removed)',
    '- one',
    '+ two',
  ])
})

test('the form offers a yes and a no', () => {
  expect(toElicitation(details).requestedSchema).toMatchObject({
    type: 'object',
    properties: { decision: { type: 'string', enum: ['approve', 'deny'] } },
    required: ['decision'],
  })
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
    'May workspace.edit_file run? (risk',
    'Asked for by agent\\x07. The contract asks.',
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

test('only a form that was sent with approve is a yes', () => {
  expect(isYes({ action: 'accept', content: { decision: 'approve' } })).toBe(true)
  for (const no of [
    { action: 'accept', content: { decision: 'deny' } },
    { action: 'accept', content: { decision: 'APPROVE' } },
    { action: 'accept', content: {} },
    { action: 'accept' },
    { action: 'decline', content: { decision: 'approve' } },
    { action: 'cancel' },
    'approve',
    null,
    [],
  ])
    expect(isYes(no as JsonValue), JSON.stringify(no)).toBe(false)
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
