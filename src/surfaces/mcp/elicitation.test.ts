import { expect, test } from 'vitest'
import type { JsonObject } from '../../contract/json.ts'
import type { QueuedDetails } from '../../runtime/approval/queue.ts'
import { canElicit, toElicitation } from './elicitation.ts'

const details: QueuedDetails = {
  waitsUntil: Date.now() + 600_000,
  forTool: 'every call of this tool',
  callId: 'c',
  caller: { name: 'agent' },
  tool: 'workspace.edit_file',
  contract: { name: 'edit_file', risk: 'safe_write' },
  contractDigest: `sha256:${'0123456789abcdef'.repeat(4)}`,
  workspace: '/home/ada/project',
  texts: ['text'],
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

const messageOf = async (changes: Partial<QueuedDetails> = {}) =>
  String((await toElicitation({ ...details, ...changes })).message)

test('the question says what would run, for whom, and what it would change', async () => {
  expect((await messageOf()).split('\n')).toEqual([
    'Tool: edit_file',
    'Parameters:',
    '  path: a.txt',
    '  text: <3 bytes>',
    'Files affected: a.txt',
    'Risk level: safe_write',
    'Toolset: workspace, contract sha256:0123456789ab',
    'Folder: /home/ada/project',
    'Real path: /w/a.txt',
    'Host: example.com',
    'Sandbox: bubblewrap',
    'Asked by: agent. The contract asks.',
    'Time left: 10 minutes',
    'Changes: a.txt (edit, 1 line added, 1 line removed)',
    '  - one',
    '  + two',
    '',
    'Approve? (y/n/always):',
  ])
})

test('the form names what is touched and where that really is, for clients that show few lines of the message', async () => {
  const effects = { reads: [], writes: ['a.txt'], fetches: [], runs: [] }
  const schema = (await toElicitation({ ...details, effects })).requestedSchema as {
    properties: { decision: JsonObject }
  }
  expect(schema.properties.decision.description).toMatch(/^edit_file: a\.txt, really \/w\/a\.txt\. deny \(n\) /)
})

test('the form denies unless a person chooses otherwise, and offers a yes for the tool if a rule would help', async () => {
  const decision = async (changes: object) =>
    ((await toElicitation({ ...details, ...changes })).requestedSchema as { properties: { decision: object } })
      .properties.decision
  expect(await decision({})).toMatchObject({
    enum: ['deny', 'approve', 'approve_tool'],
    default: 'deny',
    description: expect.stringContaining('every call of this tool'),
  })
  expect(await decision({ forTool: undefined })).toMatchObject({ enum: ['deny', 'approve'], default: 'deny' })
})

test('nothing in the call can forge a line, hide or turn text around', async () => {
  const message = await messageOf({
    input: { 'key\n+ two': 'a\nInput: \u001b[31m\u202e\u200b' },
    effects: { reads: [], writes: ['a\nRisk: none\u2028'], fetches: [], runs: [] },
    caller: { name: 'agent\u0007' },
    foreseen: { places: [], changes: [], problem: 'bad\r' },
  })
  expect(message).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}]/u)
  expect(message.split('\n').map((line) => line.split(':')[0])).toEqual([
    'Tool',
    'Parameters',
    '  key\\n+ two',
    'Files affected',
    'Risk level',
    'Toolset',
    'Folder',
    'Asked by',
    'Time left',
    'Look ahead',
    'Careful',
    '',
    'Approve? (y/n/always)',
  ])
})

test('however large the call is, the question is not, and says what it leaves out', async () => {
  const lines = Array.from({ length: 5000 }, () => ({ kind: 'added' as const, text: 'x'.repeat(5000) }))
  const message = await messageOf({
    input: Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, 'y'.repeat(10_000)])),
    foreseen: { places: [], changes: [{ path: 'p', kind: 'new', added: 5000, removed: 0, lines }] },
  })
  expect(message.length).toBeLessThan(60_000)
  expect(message).toMatch(/… [\d,]+ more rows not shown/)
  expect(message).toContain('  k0: <10000 bytes>')
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
