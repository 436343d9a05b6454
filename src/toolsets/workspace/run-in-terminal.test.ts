import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { openWorkspace } from '../../../test/helpers/open-workspace.ts'
import { openProcess } from '../../capabilities/process.ts'
import type { LastCommand } from './capability/history.ts'

const open = (options = {}) => {
  const workspace = openWorkspace({ root: makeFolder(), ...options })
  const run = (command: string, more = {}) => workspace.call('run_in_terminal', { command, ...more })
  return { ...workspace, run }
}

test('runs a command and returns its output', async () => {
  const { run } = open()
  expect(await run('printf "one\\ntwo\\n"')).toMatchObject({
    success: true,
    output: {
      success: true,
      output: 'Command output:\none\ntwo\n',
      files_affected: [],
      execution_time_ms: expect.any(Number),
      metadata: {
        exit_code: 0,
        stdout_lines: 2,
        stderr_lines: 0,
        omitted_bytes: 0,
        shell: '/bin/sh',
        sandbox: 'none',
      },
    },
  })
})

test.each([
  ['no line end', 'printf x', 'Command output:\nx\n', 1, 0],
  ['nothing', ':', 'Command output:\n(none)\n', 0, 0],
  ['both streams', 'echo out; echo err >&2', 'Command output:\nout\nError output:\nerr\n', 1, 1],
  ['errors only', 'printf err >&2', 'Command output:\nError output:\nerr\n', 0, 1],
  ['other scripts', 'echo 日本語 👩‍🚀', 'Command output:\n日本語 👩‍🚀\n', 1, 0],
  ['bytes that are not UTF-8', "printf 'a\\377b'", 'Command output:\na\ufffdb\n', 1, 0],
  ['an escape sequence', "printf '\\033[2J'", 'Command output:\n\u001b[2J\n', 1, 0],
])('%s is returned as it is', async (_what, command, output, stdout_lines, stderr_lines) => {
  const { run } = open()
  expect(await run(command)).toMatchObject({
    success: true,
    output: { output, metadata: { stdout_lines, stderr_lines } },
  })
})

test.each([
  ['a pipe', 'echo b; echo a | cat', 'b\na\n'],
  ['a heredoc', 'cat <<END\nx\nEND', 'x\n'],
  ['several lines', 'x=1\necho $x', '1\n'],
  ['quotes', `echo "it's" '$HOME'`, "it's $HOME\n"],
  ['a command in another', 'echo $(echo x)', 'x\n'],
])('the shell understands %s', async (_what, command, output) => {
  const { run } = open()
  expect(await run(command)).toMatchObject({ success: true, output: { output: `Command output:\n${output}` } })
})

test('runs in the working directory, in a new shell each time', async () => {
  const { root, run } = open()
  expect(await run('pwd')).toMatchObject({ success: true, output: { output: `Command output:\n${root}\n` } })
  expect(await run('cd /; x=1; pwd')).toMatchObject({ success: true, output: { output: 'Command output:\n/\n' } })
  expect(await run('pwd; echo $x')).toMatchObject({
    success: true,
    output: { output: `Command output:\n${root}\n\n` },
  })
  await run('echo x > made.txt')
  expect(readFileSync(join(root, 'made.txt'), 'utf8')).toBe('x\n')
})

test.each([
  ['an error', 'echo "no such thing" >&2; exit 1', 'Command failed with exit code 1:\nno such thing'],
  ['no error text', 'exit 3', 'Command failed with exit code 3'],
  ['output before', 'echo done; exit 2', 'Command failed with exit code 2\nCommand output:\ndone'],
  [
    'both streams',
    'echo done; echo bad >&2; exit 255',
    'Command failed with exit code 255:\nbad\nCommand output:\ndone',
  ],
  ['a signal', 'kill -KILL $$', 'Command failed with signal SIGKILL'],
  ['an unbalanced quote', "echo 'x", expect.stringMatching(/^Command failed with exit code 2:\n.*quote/i)],
  ['127 of its own', 'exit 127', 'Command failed with exit code 127'],
])('%s is a failure that keeps all output', async (_what, command, message) => {
  const { run } = open()
  expect(await run(command)).toMatchObject({
    success: false,
    error: { code: 'command_failed', status: 422, message, suggestion: expect.stringMatching(/./) },
  })
})

test('a missing program is named', async () => {
  const { run } = open()
  expect(await run('invalid_cmd --flag')).toMatchObject({
    success: false,
    error: { code: 'command_not_found', status: 422, message: "Command 'invalid_cmd' not found" },
  })
  expect(await run('echo first && invalid_cmd')).toMatchObject({
    success: false,
    error: {
      code: 'command_not_found',
      message: expect.stringMatching(/^Command 'invalid_cmd' not found:\n.*\nCommand output:\nfirst$/),
    },
  })
})

test.skipIf(!existsSync('/bin/bash'))('bash is used where it is the shell of the user', async () => {
  const { run } = open({ process: { environment: { ...process.env, SHELL: '/bin/bash' } } })
  expect(await run('[[ a == a ]] && diff <(echo a) <(echo a)')).toMatchObject({
    success: true,
    output: { metadata: { shell: '/bin/bash' } },
  })
  expect(await run('invalid_cmd')).toMatchObject({
    success: false,
    error: { code: 'command_not_found', message: "Command 'invalid_cmd' not found" },
  })
})

test('a command that times out is killed with its children, and its output is kept', async () => {
  const { root, run } = open({ process: { graceMs: 100 } })
  const command = 'echo begun; (trap "" TERM; sleep 2; echo late > late.txt) & sleep 60'
  expect(await run(command, { timeout_seconds: 1 })).toMatchObject({
    success: false,
    error: {
      code: 'timeout',
      status: 504,
      message: 'Command timed out after 1 second\nCommand output:\nbegun',
      suggestion: expect.stringContaining('timeout_seconds'),
    },
  })
  await delay(1500)
  expect(existsSync(join(root, 'late.txt'))).toBe(false)
})

test('stdin is empty', async () => {
  const { run } = open()
  expect(await run('cat; read answer; echo "$answer."')).toMatchObject({
    success: true,
    output: { output: 'Command output:\n.\n' },
  })
})

test('background processes end with the command', async () => {
  const { root, run } = open()
  expect(await run('(sleep 1; echo late > late.txt) & echo now')).toMatchObject({
    success: true,
    output: { output: 'Command output:\nnow\n' },
  })
  await delay(1500)
  expect(existsSync(join(root, 'late.txt'))).toBe(false)
})

test('the middle of long output is left out, and counted', async () => {
  const { run } = open()
  const result = await run('seq 1 100000')
  expect(result).toMatchObject({
    success: true,
    output: { metadata: { stdout_lines: 100_000, omitted_bytes: 588_895 - 32_000 } },
  })
  if (!result.success) return
  const output = String(result.output.output)
  const warning = 'Output is long, omitted 556895 bytes in the middle'
  expect(output.startsWith(`Warning: ${warning}\nCommand output:\n1\n2\n3\n`)).toBe(true)
  expect(output).toMatch(/\n99999\n100000\n$/)
  expect(output.length).toBeLessThan(33_000)
  expect(result.output.metadata).toMatchObject({ warnings: [warning] })
})

test('a failure with long output on both streams still fits', async () => {
  const { run } = open()
  const result = await run('seq 1 100000; seq 1 100000 >&2; exit 9')
  expect(result).toMatchObject({ success: false, error: { code: 'command_failed' } })
  const message = result.success ? '' : result.error.message
  expect(message.startsWith('Command failed with exit code 9:\n1\n2\n')).toBe(true)
  expect(message).toMatch(/\n100000\nCommand output:\n1\n2\n/)
  expect(message).toMatch(/\n100000$/)
})

test('output of control characters fits too', async () => {
  const { run } = open()
  expect(await run("head -c 40000 /dev/zero | tr '\\0' '\\1' > x; cat x; cat x >&2")).toMatchObject({ success: true })
})

test('secrets are removed from the environment', async () => {
  const { run } = open({ process: { environment: { PATH: process.env.PATH, API_TOKEN: 'treasure', PLAIN: 'kept' } } })
  const result = await run('env')
  expect(JSON.stringify(result)).not.toContain('treasure')
})

test('a command that ran without a sandbox says why, and what would help', async () => {
  const { run } = open({ process: { sandbox: 'auto', environment: { PATH: '/nowhere' } } })
  const warning =
    'The command ran without a sandbox: bubblewrap is not installed. The operator can install bubblewrap (apt-get install bubblewrap)'
  if (process.platform === 'linux') expect(await run('echo x')).toMatchObject({ output: { metadata: { sandbox: 'none', warnings: [warning] } } }) // biome-ignore format: one line
})

test('a missing required sandbox is an error, and nothing runs', async () => {
  const { root, run } = open({ process: { sandbox: 'required', environment: { PATH: '/nowhere' } } })
  expect(await run('echo x > made.txt')).toMatchObject({
    success: false,
    error: { code: 'sandbox_unavailable', status: 503, suggestion: expect.stringContaining('bubblewrap') },
  })
  expect(existsSync(join(root, 'made.txt'))).toBe(false)
})

const { name } = await openProcess({ cwd: '.', environment: process.env }).sandbox()

test.skipIf(name === undefined)('in a sandbox the working directory can be written, and nothing else', async () => {
  const outside = makeFolder()
  const { root, run } = open({ process: { sandbox: 'auto' } })
  const result = await run(`echo x > made.txt; echo x > ${outside}/made.txt; true`)
  expect(result).toMatchObject({ success: true, output: { metadata: { sandbox: name } } })
  expect(existsSync(join(root, 'made.txt'))).toBe(true)
  expect(existsSync(join(outside, 'made.txt'))).toBe(false)
})

test.skipIf(name !== 'bubblewrap')('files that the sandbox discards are reported', async () => {
  const { run } = open({ process: { sandbox: 'auto' } })
  const warning = 'The sandbox keeps no files outside the working directory, and discarded /tmp/a'
  expect(await run('echo x > /tmp/a; echo done')).toMatchObject({
    success: true,
    output: { output: `Warning: ${warning}\nCommand output:\ndone\n`, metadata: { warnings: [warning] } },
  })
  expect(await run('cd /tmp; touch a b c d')).toMatchObject({
    output: { metadata: { warnings: [`${warning}, /tmp/b, /tmp/c and others`] } },
  })
  expect(await run('echo x > /tmp/a; echo bad >&2; exit 2')).toMatchObject({
    error: { code: 'command_failed', message: `Command failed with exit code 2:\nbad\nWarning: ${warning}` },
  })
  expect(await run('echo x > /tmp/a; rm /tmp/a')).not.toHaveProperty('output.metadata.warnings')
})

test.skipIf(name !== 'bubblewrap')('a failure caused by the sandbox is explained, with a way to continue', async () => {
  const { run } = open({ process: { sandbox: 'auto', limits: { processes: 50, fileBytes: 1_000_000 } } })
  const warned = (text: string) => ({ error: { code: 'command_failed', message: expect.stringContaining(text) } })
  expect(await run('head -c 2000000 /dev/zero > big')).toMatchObject(
    warned('Warning: It may have hit the limit on file size. The operator can raise it'),
  )
  expect(await run('for n in $(seq 200); do sleep 20 & done; wait')).toMatchObject(
    warned('the limit on processes. The'),
  )
  expect(await run('echo x > /usr/x')).toMatchObject(warned('Only git itself may write .git'))
})

test('a repository that would run a program is reported', async () => {
  const { run, root } = open()
  const form =
    'mkdir -p t/objects t/refs && echo ref: refs/heads/x > t/HEAD && printf "[core]\\nfsmonitor = ./x" > t/config'
  const warning = `Git would now run programs because of this command: ${root}/t: core.fsmonitor = ./x. A person should review this before git is used there`
  expect(await run(form)).toMatchObject({ success: true, output: { metadata: { warnings: [warning] } } })
})

test("a user's shell that is not supported is reported with the one that ran", async () => {
  const { run } = open({ process: { environment: { PATH: process.env.PATH, SHELL: '/usr/bin/fish' } } })
  const warning = 'Shell /usr/bin/fish is not supported, used /bin/sh'
  expect(await run('echo x')).toMatchObject({
    success: true,
    output: {
      output: `Warning: ${warning}\nCommand output:\nx\n`,
      metadata: { shell: '/bin/sh', warnings: [warning] },
    },
  })
  expect(await run('no_such_program')).toMatchObject({
    error: { message: `Command 'no_such_program' not found\nWarning: ${warning}` },
  })
  expect(await run('set -l x (date)')).toMatchObject({
    error: { message: expect.stringMatching(new RegExp(`\n.*Warning: ${warning}$`, 's')) },
  })
})

test('a cancelled command is ended', async () => {
  const { root, call } = open({ process: { graceMs: 100 } })
  const cancel = new AbortController()
  const command = 'echo begun > begun.txt; sleep 1; echo late > late.txt'
  const running = call('run_in_terminal', { command }, { signal: cancel.signal })
  while (!existsSync(join(root, 'begun.txt'))) await delay(20)
  cancel.abort()
  expect(await running).toMatchObject({ success: false, error: { code: 'cancelled' } })
  await delay(1300)
  expect(existsSync(join(root, 'late.txt'))).toBe(false)
})

test('a command that cannot be recorded has run, with a warning', async () => {
  class Full extends Map<string, LastCommand> {
    override set(): this {
      throw new Error('There is no room.')
    }
  }
  const { run } = open({ commands: new Full() })
  expect(await run('echo x')).toMatchObject({
    success: true,
    output: {
      output: 'Warning: Command could not be saved for terminal_last_command\nCommand output:\nx\n',
      metadata: { warnings: ['Command could not be saved for terminal_last_command'] },
    },
  })
})

test('a command that the system refuses is a failure', async () => {
  const { root, run } = open()
  writeFileSync(join(root, 'script'), '#!/no/such/interpreter\n', { mode: 0o755 })
  expect(await run('./script')).toMatchObject({ success: false, error: { code: expect.stringMatching(/^command_/) } })
})

test.each([
  ['no command', {}, expect.any(String), 'required'],
  ['an empty command', { command: '' }, '/command', expect.stringMatching(/minLength|pattern/)],
  ['a blank command', { command: ' \n\t' }, '/command', 'pattern'],
  ['a NUL character', { command: 'echo \0' }, '/command', 'pattern'],
  ['a command that is too long', { command: 'x'.repeat(30_001) }, '/command', 'maxLength'],
  ['a list', { command: ['ls', '-l'] }, '/command', 'type'],
  ['no time', { command: 'x', timeout_seconds: 0 }, '/timeout_seconds', 'minimum'],
  ['301 seconds', { command: 'x', timeout_seconds: 301 }, '/timeout_seconds', 'maximum'],
  ['one and a half seconds', { command: 'x', timeout_seconds: 1.5 }, '/timeout_seconds', 'type'],
  ['an unknown parameter', { command: 'x', env: {} }, expect.any(String), 'additionalProperties'],
])('%s is refused', async (_what, input, pointer, keyword) => {
  const result = await open().call('run_in_terminal', input)
  expect(result).toMatchObject({ success: false, error: { code: 'invalid_input' } })
  expect(result.success || result.error.problems).toContainEqual(expect.objectContaining({ pointer, keyword }))
})

test('300 seconds are allowed', async () => {
  expect(await open().run('echo x', { timeout_seconds: 300 })).toMatchObject({ success: true })
})
