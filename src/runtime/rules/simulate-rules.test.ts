import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { openToolpact } from '../../app/app.ts'
import { defineTool } from '../../contract/define-tool.ts'
import { defineToolset } from '../../contract/define-toolset.ts'
import { describePast } from './simulate-rules.ts'

const text = { type: 'string' } as const
const output = { type: 'object', additionalProperties: false } as const
const input = {
  type: 'object',
  additionalProperties: false,
  required: ['path'],
  properties: { path: text, body: { ...text, default: '' } },
} as const
const write = defineTool(
  { name: 'write', description: 'Writes a note.', risk: 'safe_write', effects: { writes: ['path'] }, input, output },
  () => ({}),
)
const look = defineTool(
  { name: 'look', description: 'Looks at a note.', risk: 'read_only', effects: { reads: ['path'] }, input, output },
  () => ({}),
)

/** Answers no to paths in `private/`, and yes to others. */
async function open() {
  const toolpact = await openToolpact({
    workspace: makeFolder(),
    storage: 'memory',
    toolsets: [defineToolset('notes', [write, look])],
    approver: async ({ input: { path } }) => ({ answer: `${path}`.startsWith('private/') ? 'no' : 'yes', by: 'Ada' }),
  })
  onTestFinished(() => toolpact.close())
  const call = (path: string, tool = 'notes.write') => toolpact.call(tool, { path })
  for (const path of ['a/1.txt', 'a/2.txt', 'b/1.txt', 'private/1.txt']) await call(path)
  await call('a/1.txt', 'notes.look')
  return { toolpact, rules: toolpact.rules, call }
}

const draft = { tool: 'notes.write', createdBy: 'Ada' }

test('a preview counts the past calls of the tool that the rule matches, by what happened to them', async () => {
  const { rules } = await open()
  const narrow = await rules.preview({ ...draft, pattern: 'path: a/*' })
  expect(narrow).toMatchObject({
    problems: [],
    pattern: expect.stringContaining('"path":'),
    past: { calls: 4, skipped: 0, matched: { allowed: 0, asked: 2, denied: 0 } },
  })
  const wide = await rules.preview({ ...draft, pattern: 'path: **/1.txt' })
  expect(wide.past!.matched).toEqual({ allowed: 0, asked: 2, denied: 1 })
  expect(describePast(wide.past!, { tool: 'notes.write', action: 'allow' })).toBe(
    'Would have allowed 3 of the last 4 calls of notes.write, among them 1 that was denied.',
  )
  expect(await rules.list()).toEqual([])
})

test('a preview looks back as far as it is told, newest first', async () => {
  const { rules } = await open()
  const { past } = await rules.preview({ ...draft, pattern: 'path: private/1.txt' }, 1)
  expect(past).toEqual({ calls: 1, skipped: 0, matched: { allowed: 0, asked: 0, denied: 1 } })
})

test('a preview of a rule with problems says what they are, and tries nothing', async () => {
  const { rules } = await open()
  expect(await rules.preview({ ...draft, pattern: 'command: ls' })).toEqual({
    problems: [expect.objectContaining({ message: "The tool 'write' runs no command." })],
    wide: [],
  })
  const open_ = await rules.preview({ ...draft, pattern: '{"path":".*"}' })
  expect(open_.problems.length).toBeGreaterThan(0)
  expect(open_.past).toBeUndefined()
})

test('a simulation lists the calls that a new rule and a removed one would decide differently', async () => {
  const { rules, call } = await open()
  const saved = await rules.add({ ...draft, pattern: 'path: a/*' })
  expect(saved).toMatchObject({ short: 'path: a/*', pattern: expect.stringMatching(/^\{/) })
  await call('a/3.txt')
  const denied = await rules.simulate({ add: [{ ...draft, action: 'deny', pattern: 'path: b/**' }] })
  expect(denied).toMatchObject({ calls: 6, skipped: 0 })
  expect(denied.changed).toMatchObject([
    { call: { input: { path: 'b/1.txt' } }, before: { action: 'ask' }, after: { action: 'deny' } },
  ])
  const removed = await rules.simulate({ remove: [saved.id] })
  expect(removed.changed.map(({ call, before, after }) => [call.input, before.action, after.action])).toEqual(
    ['a/3.txt', 'a/2.txt', 'a/1.txt'].map((path) => [{ path, body: '' }, 'allow', 'ask']),
  )
  expect((await rules.simulate({ remove: [saved.id], last: 1 })).changed).toHaveLength(1)
  await expect(rules.simulate({ add: [{ ...draft, pattern: '{"path":".*"}' }] })).rejects.toMatchObject({
    code: 'invalid_rule',
  })
})

test('calls whose recorded input is not what they were called with cannot be tried', async () => {
  const { rules, toolpact } = await open()
  await toolpact.call('notes.write', { path: 'a/4.txt', body: `ghp_${'a1B2'.repeat(9)}` })
  const { past } = await rules.preview({ ...draft, pattern: 'path: a/*' })
  expect(past).toMatchObject({ calls: 4, skipped: 1, matched: { asked: 2 } })
})

test.each([
  [
    { calls: 0, skipped: 0, matched: { allowed: 0, asked: 0, denied: 0 } },
    'allow',
    'No earlier call of t can be tried.',
  ],
  [
    { calls: 1, skipped: 0, matched: { allowed: 0, asked: 1, denied: 0 } },
    'allow',
    'Would have allowed 1 of the last 1 call of t.',
  ],
  [
    { calls: 9, skipped: 0, matched: { allowed: 2, asked: 1, denied: 1 } },
    'deny',
    'Would have denied 4 of the last 9 calls of t, among them 3 that were not denied.',
  ],
  [
    { calls: 9, skipped: 0, matched: { allowed: 1, asked: 1, denied: 1 } },
    'ask',
    'Would have asked about 3 of the last 9 calls of t, among them 1 that was allowed without asking.',
  ],
] as const)('the result reads as a sentence: %j %s', (past, action, expected) => {
  expect(describePast(past, { tool: 't', action })).toBe(expected)
})
