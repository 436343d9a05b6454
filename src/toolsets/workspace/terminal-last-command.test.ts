import { expect, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { openWorkspace } from '../../../test/helpers/open-workspace.ts'
import type { LastCommand } from './capability/history.ts'

const open = (options = {}) => {
  const { call } = openWorkspace({ root: makeFolder(), ...options })
  const caller = (session?: string) => ({ caller: { name: 'tester', session } })
  return {
    run: (command: string, session?: string, more = {}) =>
      call('run_in_terminal', { command, ...more }, caller(session)),
    last: (session?: string) => call('terminal_last_command', {}, caller(session)),
    call,
  }
}

test('returns the last command with its output', async () => {
  const { run, last } = open()
  const before = Date.now()
  await run('echo first')
  await run('echo hello')
  const result = await last()
  expect(result).toMatchObject({
    success: true,
    output: {
      success: true,
      output: 'Last command: echo hello\nOutput: hello\n',
      files_affected: [],
      metadata: { command: 'echo hello', exit_code: 0, executed_at: expect.stringMatching(/^\d{4}-.*Z$/) },
    },
  })
  const { executed_at } = (result.success ? result.output.metadata : {}) as { executed_at: string }
  expect(Date.parse(executed_at)).toBeGreaterThanOrEqual(before)
  expect(Date.parse(executed_at)).toBeLessThanOrEqual(Date.now())
})

test('fails before the first command', async () => {
  expect(await open().last()).toMatchObject({
    success: false,
    error: {
      code: 'no_history',
      status: 404,
      message: 'No previous command in this session',
      suggestion: 'Run a command with workspace.run_in_terminal first.',
    },
  })
})

test('a command that failed is kept', async () => {
  const { run, last } = open()
  await run('echo bad >&2; exit 7')
  expect(await last()).toMatchObject({
    success: true,
    output: { output: expect.stringContaining('Error output:\nbad\n'), metadata: { exit_code: 7 } },
  })
})

test('a command that was not found is kept', async () => {
  const { run, last } = open()
  await run('invalid_cmd')
  expect(await last()).toMatchObject({
    success: true,
    output: { metadata: { command: 'invalid_cmd', exit_code: 127 } },
  })
})

test('a command that took too long is kept', async () => {
  const { run, last } = open({ process: { graceMs: 50 } })
  await run('echo begun; sleep 30', undefined, { timeout_seconds: 1 })
  expect(await last()).toMatchObject({
    success: true,
    output: { output: expect.stringContaining('begun'), metadata: { exit_code: null } },
  })
})

test('a command that was refused is not kept', async () => {
  const { run, last } = open()
  await run('')
  await run('x', undefined, { timeout_seconds: 0 })
  expect(await last()).toMatchObject({ success: false, error: { code: 'no_history' } })
})

test('sessions do not see each other', async () => {
  const { run, last } = open()
  await run('echo one', 'one')
  await run('echo two', 'two')
  expect(await last('one')).toMatchObject({ success: true, output: { metadata: { command: 'echo one' } } })
  expect(await last('two')).toMatchObject({ success: true, output: { metadata: { command: 'echo two' } } })
  expect(await last('three')).toMatchObject({ success: false, error: { code: 'no_history' } })
})

test('it survives the opening of another workspace over the same storage', async () => {
  const commands = new Map<string, LastCommand>()
  await open({ commands }).run('echo kept')
  expect(await open({ commands }).last()).toMatchObject({
    success: true,
    output: { metadata: { command: 'echo kept' } },
  })
})

test('reading the last command changes nothing', async () => {
  const { run, last } = open()
  await run('echo x')
  const [one, other] = [await last(), await last()]
  expect(one.success && one.output.metadata).toEqual(other.success && other.output.metadata)
})

test('a command that wrote nothing', async () => {
  const { run, last } = open()
  await run(':')
  expect(await last()).toMatchObject({
    success: true,
    output: { output: 'Last command: :\nOutput: (none)' },
  })
})

test('long output, several lines and other scripts are kept', async () => {
  const { run, last } = open()
  const command = 'echo 日本語\nseq 1 100000; seq 1 100000 >&2'
  await run(command)
  const result = await last()
  expect(result).toMatchObject({ success: true, output: { metadata: { command } } })
  const output = String(result.success && result.output.output)
  expect(output.startsWith(`Last command: ${command}\nOutput: 日本語\n1\n`)).toBe(true)
  expect(output).toMatch(/bytes left out/)
  expect(output.length).toBeLessThan(66_000)
})

test.each([
  ['a parameter', { count: 2 }],
  ['a list', []],
  ['text', 'last'],
  ['nothing', null],
])('%s is refused', async (_what, input) => {
  expect(await open().call('terminal_last_command', input)).toMatchObject({
    success: false,
    error: { code: 'invalid_input' },
  })
})
