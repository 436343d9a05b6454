import { expect, test, vi } from 'vitest'
import { defineEcho, openTestPipeline } from '../../../../test/helpers/open-test-pipeline.ts'
import { askAtTerminal } from './ask-at-terminal.ts'
import type { Tty } from './open-tty.ts'

test.each([
  ['session', 'It ends with this process and is not listed by `toolpact rules`.'],
  ['workspace', 'Run `toolpact rules` to see it.'],
])('says of a rule for the %s where it is kept', async (scope, said) => {
  const typed = ['r', '1', scope]
  const printed: unknown[] = []
  const tty: Tty = {
    ask: async () => typed.shift(),
    print: (lines) => void printed.push(...lines),
    size: () => ({ columns: 100, rows: 40 }),
    close() {},
  }
  const saveRule = vi.fn(async () => {})
  const { call } = openTestPipeline([defineEcho({ risk: 'safe_write' })], {
    approver: (request, signal) => askAtTerminal(request, { tty, by: 'ada', waitMs: 60_000, signal }),
    saveRule,
  })
  const caller = { name: 'agent', session: 's' }
  expect(await call('test.echo', { text: 'a' }, { caller })).toMatchObject({ success: true })
  expect(saveRule).toHaveBeenCalledWith(expect.objectContaining({ tool: 'test.echo', scope }), expect.anything())
  expect(printed.at(-1)).toBe(said)
})

test('proposes the narrowest rule once a call was approved three times', async () => {
  let printed: unknown[] = []
  const tty: Tty = {
    ask: async () => 'y',
    print: (lines) => void printed.push(...lines.flat()),
    size: () => ({ columns: 200, rows: 40 }),
    close() {},
  }
  const { call } = openTestPipeline([defineEcho({ risk: 'safe_write' })], {
    approver: (request, signal) => askAtTerminal(request, { tty, by: 'ada', waitMs: 60_000, signal }),
    saveRule: async () => {},
  })
  for (const [text, proposal] of [
    ['a', false],
    ['a', false],
    ['a', false],
    ['a', true],
    ['b', false],
  ] as const) {
    printed = []
    await call('test.echo', { text })
    const line =
      'You approved this call 3 times. Type always to let exactly this call (by tester) run unasked in this folder from now on.'
    expect(JSON.stringify(printed).includes(line)).toBe(proposal)
  }
})
