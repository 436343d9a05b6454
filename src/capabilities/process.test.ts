import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openProcess, type ProcessOptions } from './process.ts'

let cwd: string

beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'toolpact-process-')))
})

afterEach(() => {
  rmSync(cwd, { recursive: true, force: true })
})

const environment = { PATH: process.env.PATH, HOME: process.env.HOME, SHELL: '/bin/sh' }
const open = (options: Partial<ProcessOptions> = {}) =>
  openProcess({ cwd, environment, sandbox: 'off', graceMs: 300, ...options })

/** Whether a process that wrote its id to a file is still running. */
async function isRunning(file: string): Promise<boolean> {
  const id = Number(readFileSync(join(cwd, file), 'utf8'))
  for (let attempt = 0; attempt < 1000; attempt++) {
    try {
      process.kill(id, 0)
      if (readFileSync(`/proc/${id}/stat`, 'utf8').includes(') Z ')) return false
    } catch {
      return false
    }
    await delay(50)
  }
  return true
}

async function waitFor(file: string): Promise<void> {
  for (let attempt = 0; attempt < 2400 && !existsSync(join(cwd, file)); attempt++) await delay(25)
  await delay(50)
}

/** Runs a command in a Toolpact process that is killed once the file `id` exists. */
async function crashWhile(command: string, sandbox: string): Promise<void> {
  const code = `
    import { openProcess } from ${JSON.stringify(new URL('process.ts', import.meta.url).href)}
    const options = ${JSON.stringify({ cwd, environment, sandbox })}
    await openProcess(options).run(${JSON.stringify(command)})
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', code])
  const closed = once(child, 'close')
  await waitFor('id')
  child.kill('SIGKILL')
  await closed
}

describe.skipIf(process.platform === 'win32')('run', () => {
  test('returns both streams and the exit code', async () => {
    const result = await open().run('echo out; echo err >&2; pwd -P; exit 3')
    expect(result).toMatchObject({
      exitCode: 3,
      signal: null,
      ended: 'exit',
      stdout: { text: `out\n${cwd}\n`, lines: 2, omittedBytes: 0 },
      stderr: { text: 'err\n', lines: 1 },
      shell: '/bin/sh',
      sandbox: 'none',
    })
    expect(result).not.toHaveProperty('missingCommand')
  })

  test('distinguishes a signal from an exit', async () => {
    expect(await open().run('kill -9 $$')).toMatchObject({ exitCode: null, signal: 'SIGKILL', ended: 'signal' })
  })

  test.each(['/bin/sh', '/bin/bash'])('names the command that %s did not find', async (shell) => {
    const result = await open({ environment: { ...environment, SHELL: shell } }).run('invalid_cmd --x')
    expect(result).toMatchObject({ exitCode: 127, missingCommand: 'invalid_cmd' })
  })

  test('takes the command as the shell would', async () => {
    const run = async (command: string) => (await open().run(command)).stdout.text
    expect(await run('echo one\necho two')).toBe('one\ntwo\n')
    expect(await run("cat <<'END'\n$HOME `x`\nEND")).toBe('$HOME `x`\n')
    expect(await run(`printf '%s' "$@" a`)).toBe('a')
    expect(await run('echo "quoted \\" \'x\'"; echo $0')).toMatch(/^quoted " 'x'\n/)
    expect(await open().run('echo "open')).toMatchObject({ ended: 'exit', exitCode: expect.any(Number) })
    const bash = open({ environment: { ...environment, SHELL: '/bin/bash' } })
    expect((await bash.run('cat <(echo sub)')).stdout.text).toBe('sub\n')
  })

  test('uses only a shell that it knows, and none from the working directory', async () => {
    writeFileSync(join(cwd, 'bash'), '#!/bin/sh\necho trapped\n')
    chmodSync(join(cwd, 'bash'), 0o755)
    for (const shell of [join(cwd, 'bash'), '/usr/bin/env', '/usr/bin/fish', 'bash', '', undefined])
      expect(await open({ environment: { ...environment, SHELL: shell } }).run('echo ok')).toMatchObject({
        shell: '/bin/sh',
        ...(shell && { shellInsteadOf: shell }),
        stdout: { text: 'ok\n' },
      })
  })

  test('gives a command that waits for input none', async () => {
    expect(await open().run('cat; read answer; echo "got $?"')).toMatchObject({ stdout: { text: 'got 1\n' } })
  })

  test('hands on no descriptor of ours', async () => {
    const command = 'for n in 3 4 5 6 7 8 9; do { true >&$n; } 2>/dev/null && echo $n; done; echo checked'
    expect((await open().run(command)).stdout.text).toBe('checked\n')
  })

  test('ends at the time limit, with the output so far', async () => {
    const result = await open().run('echo begun; sleep 100; echo never', { timeoutMs: 300 })
    expect(result).toMatchObject({ ended: 'timeout', exitCode: null, signal: 'SIGTERM', stdout: { text: 'begun\n' } })
  })

  test('kills processes that ignore SIGTERM', async () => {
    const result = await open().run("trap '' TERM; echo $$ > id; while :; do sleep 0.05; done", { timeoutMs: 300 })
    expect(result).toMatchObject({ ended: 'timeout', signal: 'SIGKILL' })
    expect(await isRunning('id')).toBe(false)
  })

  test('lets a command clean up on TERM', async () => {
    const result = await open({ graceMs: 20_000 }).run("trap 'echo cleaned; exit 7' TERM; sleep 100 & wait", {
      timeoutMs: 300,
    })
    expect(result).toMatchObject({ ended: 'timeout', exitCode: 7, stdout: { text: 'cleaned\n' } })
  })

  test('does not wait for a grandchild that holds the output, and ends it', async () => {
    const result = await open().run('sleep 1000 & echo $! > id; echo done')
    expect(result).toMatchObject({ ended: 'exit', exitCode: 0, stdout: { text: 'done\n' } })
    expect(await isRunning('id')).toBe(false)
  })

  test.skipIf(process.platform !== 'linux')('ends processes that moved to another session', async () => {
    const escaping = "setsid sh -c 'echo $$ > id; exec sleep 1000'"
    expect(await open().run(`${escaping} & while ! [ -s id ]; do sleep 0.01; done; echo done`)).toMatchObject({
      ended: 'exit',
      stdout: { text: 'done\n' },
    })
    expect(await isRunning('id')).toBe(false)
    rmSync(join(cwd, 'id'))
    await open().run(`(${escaping} >/dev/null 2>&1 &) ; sleep 100`, { timeoutMs: 1500 })
    expect(await isRunning('id')).toBe(false)
  })

  test('returns although an escaped process holds the output', async () => {
    const command =
      "setsid env -i sh -c 'echo $$ > id; exec sleep 1000' & while ! [ -s id ]; do sleep 0.01; done; echo done"
    expect(await open().run(command)).toMatchObject({ ended: 'exit', stdout: { text: 'done\n' } })
    process.kill(Number(readFileSync(join(cwd, 'id'), 'utf8')), 'SIGKILL')
  })

  test('ends when the caller gives up', async () => {
    const controller = new AbortController()
    const running = open().run('echo $$ > id; sleep 1000', { signal: controller.signal })
    await waitFor('id')
    controller.abort()
    expect(await running).toMatchObject({ ended: 'aborted' })
    expect(await isRunning('id')).toBe(false)
    await expect(open().run('echo', { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i)
  })

  test('ends with us, however suddenly we end', async () => {
    await crashWhile("trap '' TERM HUP; echo $$ > id; while :; do sleep 0.05; done", 'off')
    expect(await isRunning('id')).toBe(false)
  })

  test('takes a gigabyte of output in little memory', { timeout: 120_000 }, async () => {
    const before = process.memoryUsage.rss()
    const { stdout } = await open().run('printf begin; head -c 1000000000 /dev/zero | tr "\\0" x; printf end', {
      timeoutMs: 100_000,
    })
    expect(stdout.bytes).toBe(1_000_000_008)
    expect(stdout.omittedBytes).toBe(1_000_000_008 - 65_536)
    expect(stdout.text.startsWith('beginx')).toBe(true)
    expect(stdout.text.endsWith('xend')).toBe(true)
    expect(stdout.text).toContain('bytes left out')
    expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000)
  })

  test('hands on no secrets, and nothing that runs by itself', async () => {
    writeFileSync(join(cwd, 'injected.sh'), 'echo injected\n')
    writeFileSync(join(cwd, 'injected.cjs'), 'console.log("injected")\n')
    const hostile = {
      ...environment,
      SHELL: '/bin/bash',
      BASH_ENV: join(cwd, 'injected.sh'),
      ENV: join(cwd, 'injected.sh'),
      NODE_OPTIONS: `--require ${join(cwd, 'injected.cjs')}`,
      'BASH_FUNC_echo%%': '() { builtin echo injected; }',
      GITHUB_TOKEN: 'secret-token',
      HARMLESS: 'kept',
    }
    const command = `echo "$HARMLESS"; '${process.execPath}' -p 1; env`
    const { stdout, stderr } = await open({ environment: hostile }).run(command)
    expect(stderr.text).toBe('')
    expect(stdout.text).toMatch(/^kept\n1\n/)
    expect(stdout.text).not.toMatch(/injected|secret-token|NODE_OPTIONS|BASH_ENV/)
    const kept = await open({ environment: hostile, keepEnvironment: ['GITHUB_TOKEN'] }).run('echo $GITHUB_TOKEN')
    expect(kept.stdout.text).toBe('secret-token\n')
  })

  test('refuses commands that no shell can run', async () => {
    await expect(open().run('a\0b')).rejects.toMatchObject({ code: 'command_failed' })
    await expect(open().run('x'.repeat(300_000))).rejects.toMatchObject({
      code: 'command_failed',
      message: 'Cannot run the command: it is too long',
    })
    const process = open()
    rmSync(cwd, { recursive: true })
    await expect(process.run('true')).rejects.toMatchObject({ code: 'command_failed' })
  })
})

describe('the sandbox', () => {
  test('is off when it is switched off', async () => {
    expect(await open().sandbox()).toEqual({ state: 'off', reason: 'it is switched off', network: true })
  })

  test.skipIf(process.platform !== 'linux')('that is missing is skipped or required, as configured', async () => {
    const without = { environment: { ...environment, PATH: '/nowhere' } }
    expect(await open({ ...without, sandbox: 'auto' }).sandbox()).toMatchObject({ state: 'unavailable', network: true })
    expect(await open({ ...without, sandbox: 'auto' }).run('echo ok')).toMatchObject({ sandbox: 'none', exitCode: 0 })
    await expect(open({ ...without, sandbox: 'required' }).run('echo ok')).rejects.toMatchObject({
      code: 'sandbox_unavailable',
      suggestion: expect.stringContaining('apt-get install bubblewrap'),
    })
  })

  test.skipIf(process.platform !== 'linux')('is not taken from the working directory', async () => {
    writeFileSync(join(cwd, 'bwrap'), '#!/bin/sh\nexit 0\n')
    chmodSync(join(cwd, 'bwrap'), 0o755)
    const lured = open({ environment: { ...environment, PATH: `${cwd}:.:/nowhere` }, sandbox: 'auto' })
    expect(await lured.sandbox()).toMatchObject({ state: 'unavailable' })
  })

  test.skipIf(process.platform !== 'linux')('that does not work says why', async () => {
    const bin = mkdtempSync(join(tmpdir(), 'toolpact-bin-'))
    try {
      writeFileSync(join(bin, 'bwrap'), '#!/bin/sh\necho "bwrap: no permission" >&2\nexit 1\n')
      chmodSync(join(bin, 'bwrap'), 0o755)
      const broken = open({ environment: { ...environment, PATH: bin }, sandbox: 'auto' })
      expect(await broken.sandbox()).toMatchObject({
        state: 'unavailable',
        reason: 'bubblewrap does not work here: bwrap: no permission',
      })
      const required = open({ environment: { ...environment, PATH: bin }, sandbox: 'required' })
      await expect(required.check()).rejects.toMatchObject({
        code: 'sandbox_unavailable',
        suggestion: expect.stringContaining('`bwrap --unshare-all --ro-bind / / true`'),
      })
    } finally {
      rmSync(bin, { recursive: true })
    }
  })
})

const works = (await openProcess({ cwd: tmpdir(), environment, sandbox: 'auto' }).sandbox()).name === 'bubblewrap'

describe.skipIf(!works)('in the bubblewrap sandbox (skipped where it does not work)', () => {
  const boxed = (options: Partial<ProcessOptions> = {}) => open({ sandbox: 'required', ...options })

  test('the working directory is writable, everything else is not', async () => {
    const home = mkdtempSync(join(process.env.HOME ?? '/root', '.toolpact-home-'))
    try {
      const result = await boxed().run(`echo in > made; echo out > '${home}/made'; echo out > /etc/made; echo $?`)
      expect(result).toMatchObject({
        sandbox: 'bubblewrap',
        ended: 'exit',
        stdout: { text: expect.stringMatching(/^[12]\n$/) },
      })
      expect(readFileSync(join(cwd, 'made'), 'utf8')).toBe('in\n')
      expect(existsSync(join(home, 'made'))).toBe(false)
      expect(existsSync('/etc/made')).toBe(false)
    } finally {
      rmSync(home, { recursive: true })
    }
  })

  test('/tmp is private and services cannot be reached', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'toolpact-outside-'))
    try {
      const { stdout } = await boxed().run(
        `ls '${outside}' 2>&1 | wc -l; ls /run | wc -l; touch /tmp/x && echo ok; ls /tmp`,
      )
      expect(stdout.text).not.toContain('toolpact-outside')
      expect(stdout.text).toContain('ok')
    } finally {
      rmSync(outside, { recursive: true })
    }
  })

  test('files that a command leaves in temporary folders are reported, and those it removed are not', async () => {
    // The working directory is in /tmp too, and existed before.
    const { discarded, exitCode } = await boxed().run(
      'echo x > /tmp/a; echo x > /tmp/.b; mkdir /dev/shm/c; touch /tmp/d; rm /tmp/d; echo x > here; exit 3',
    )
    expect(discarded).toEqual(['/tmp/a', '/tmp/.b', '/dev/shm/c'])
    expect(exitCode).toBe(3)
    expect((await boxed().run('echo x > here')).discarded).toEqual([])
    expect((await open().run(`echo x > '${join(cwd, 'here')}'`)).discarded).toEqual([])
  })

  test('a command cannot write to the descriptor that is reported on', async () => {
    const result = await boxed().run("printf 'x\\0\\0y\\0' >&3 || echo closed")
    expect(result).toMatchObject({ stdout: { text: 'closed\n' }, discarded: [] })
  })

  test('a thousand files that are discarded do not hold up the command', async () => {
    const { discarded, exitCode } = await boxed().run(
      'cd /tmp && for n in $(seq 5000); do : > a-long-name-of-a-file-$n; done',
    )
    expect(exitCode).toBe(0)
    expect(discarded.length).toBeGreaterThan(1000)
  })

  test('hidden directories are empty, inside the working directory too', async () => {
    const state = join(cwd, 'state')
    const { stdout } = await open().run('mkdir state; echo secret > state/ledger; echo secret > file; echo made')
    expect(stdout.text).toBe('made\n')
    const result = await boxed({ hidden: [state, join(cwd, 'file'), '/no/such'] }).run(
      'ls state; cat state/ledger file; echo x > state/ledger; echo x > file; true',
    )
    expect(result.stdout.text).toBe('')
    expect(readFileSync(join(state, 'ledger'), 'utf8')).toBe('secret\n')
    expect(readFileSync(join(cwd, 'file'), 'utf8')).toBe('secret\n')
  })

  test('there is no network unless it is allowed', async () => {
    const { createServer } = await import('node:net')
    const server = createServer((socket) => socket.end('reached')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const command = `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3'`
    try {
      expect(await boxed().run(command)).toMatchObject({ exitCode: 1, stdout: { text: '' } })
      expect(await boxed().sandbox()).toEqual({
        state: 'active',
        name: 'bubblewrap',
        network: false,
        unixSockets: false,
      })
      expect((await boxed({ network: true }).run(command)).stdout.text).toBe('reached')
    } finally {
      server.close()
    }
  })

  const beating = "setsid env -i /bin/sh -c 'while :; do echo x >> beat; sleep 0.05; done' &"

  async function expectSilence(): Promise<void> {
    await delay(300)
    const beats = readFileSync(join(cwd, 'beat'), 'utf8').length
    await delay(300)
    expect(readFileSync(join(cwd, 'beat'), 'utf8').length).toBe(beats)
  }

  test('nothing survives its time, whatever it ignores and wherever it moves', async () => {
    const result = await boxed().run(`trap '' TERM HUP; ${beating} wait; sleep 1000`, { timeoutMs: 1000 })
    expect(result).toMatchObject({ ended: 'timeout' })
    await expectSilence()
  })

  test('nothing survives us', async () => {
    await crashWhile(`trap '' TERM HUP; ${beating} sleep 1; echo > id; wait`, 'required')
    await expectSilence()
  })

  test('other processes are not seen, and kernel settings cannot be written', async () => {
    const { stdout } = await boxed().run(
      'ls /proc | grep -c "^[0-9]"; echo x > /proc/sys/kernel/hostname || echo refused',
    )
    const [processes, refused] = stdout.text.split('\n')
    expect(Number(processes)).toBeLessThan(12)
    expect(refused).toBe('refused')
  })
})
