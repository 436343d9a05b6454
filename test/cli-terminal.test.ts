import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { entries, openCommandFolder } from './run-command.ts'

const { folder, env, run, close } = openCommandFolder()
afterAll(close)

// Windows cannot send another process a signal that it may handle.
const canSignal = process.platform !== 'win32'

test.skipIf(!canSignal).each(['wait', 'stay'])('Ctrl-C ends the call odd.%s, and the ledger says so', async (tool) => {
  const own = openCommandFolder()
  const { code, stdout } = await own.run(['call', `odd.${tool}`, '--json'], {
    entry: 'odd',
    during: (child) => child.stderr!.once('data', () => child.kill('SIGINT')),
  })
  expect(code).toBe(130)
  expect(JSON.parse(stdout).error.code).toBe('cancelled')
  const { stdout: ledger } = await own.run(['ledger', '--json'])
  expect(JSON.parse(ledger)).toMatchObject({ tool: `odd.${tool}`, state: 'failed', errorCode: 'cancelled' })
  own.close()
})

test.skipIf(!canSignal)('a request to end cancels the call too', async () => {
  const { code, stderr } = await run(['call', 'odd.wait'], {
    entry: 'odd',
    during: (child) => child.stderr!.once('data', () => child.kill('SIGTERM')),
  })
  expect(code).toBe(143)
  expect(stderr).toContain('Code: cancelled')
})

test.concurrent('a reader that goes away ends the command quietly', async () => {
  const calls: Promise<unknown>[] = []
  const { code, stderr } = await run(['ledger', '--follow'], {
    during(child) {
      child.stdout!.destroy()
      const timer = setInterval(() => calls.push(run(['call', 'learning.hello', 'name=Ada'])), 2000)
      child.on('close', () => clearInterval(timer))
    },
  })
  await Promise.all(calls)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

test.skipIf(process.platform !== 'linux')('output that cannot be written is a failure', () => {
  const { status, stderr } = spawnSync('sh', ['-c', `"${process.execPath}" "${entries.toolpact}" list > /dev/full`], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toBe('Error: The output cannot be written (ENOSPC). Check where stdout goes.\n')
})

const hasTmux = spawnSync('tmux', ['-V']).status === 0

describe.skipIf(!hasTmux)('on a terminal (skipped where tmux is absent)', () => {
  const socket = `toolpact-test-${process.pid}`
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], { encoding: 'utf8', env })
  afterAll(() => {
    spawnSync('tmux', ['-L', socket, 'kill-server'])
  })

  /** Runs a line in a terminal of its own; `done` appears with the exit code when it has ended. */
  function open(name: string, line: string) {
    const script = join(folder, `${name}.sh`)
    writeFileSync(script, `trap : INT\ncd "${folder}"\n${line}\necho "done:$?"\nsleep 60\n`)
    tmux('new-session', '-d', '-s', name, '-x', '120', '-y', '40', `sh "${script}"`)
    return {
      type: (...keys: string[]) => tmux('send-keys', '-t', name, ...keys),
      async until(words: string | RegExp): Promise<string> {
        for (let tries = 0; tries < 200; tries++) {
          const screen = tmux('capture-pane', '-e', '-p', '-t', name)
          if (typeof words === 'string' ? screen.includes(words) : words.test(screen)) return screen
          await sleep(100)
        }
        throw new Error(`'${words}' did not appear on:\n${tmux('capture-pane', '-e', '-p', '-t', name)}`)
      },
    }
  }

  const odd = `"${process.execPath}" "${entries.odd}"`

  test('colour is used, and NO_COLOR is honoured', async () => {
    const coloured = await open('colour', `${odd} call odd.echo`).until('done:0')
    expect(coloured).toMatch(/\x1b\[32m✓/)
    const plain = await open('plain', `NO_COLOR=1 ${odd} call odd.echo`).until('done:0')
    expect(plain).toContain('✓ odd.echo')
    expect(plain).not.toContain('\x1b[32m')
  })

  test('a call that asks shows what it would do, made harmless, and runs after y', async () => {
    const terminal = open('yes', `${odd} call odd.write 'path=\x1b[31m\u202ered.txt'`)
    const question = await terminal.until('Approve? (y/N)')
    expect(question).toContain('odd.write')
    expect(question).toContain('path: \\x1b[31m\\u{202e}red.txt')
    expect(question).toMatch(/Writes: .*\\x1b\[31m/)
    expect(question).toMatch(/Risk: .*safe_write/)
    terminal.type('y', 'Enter')
    await terminal.until(/Created file[\s\S]*done:0/)
  })

  test.each([
    ['Enter', 'Enter', 'done:3'],
    ['n', 'n', 'done:3'],
    ['the end of input', 'C-d', 'done:3'],
    ['Ctrl-C', 'C-c', 'done:130'],
  ])('%s means no', async (name, key, done) => {
    const terminal = open(`no-${name.length}${key}`, `${odd} call odd.write path=a.txt`)
    await terminal.until('Approve? (y/N)')
    terminal.type(key)
    if (key === 'n') terminal.type('Enter')
    expect(await terminal.until(done)).not.toContain('Created file')
  })

  test('Ctrl-C ends the wait for input', async () => {
    const terminal = open('input', `${odd} call odd.echo --input -`)
    await terminal.until('Type the input as JSON')
    terminal.type('C-c')
    expect(await terminal.until('done:130')).not.toContain('✓')
  })

  test('a table keeps to the width of the terminal', async () => {
    const screen = await open('narrow', `stty cols 60; ${odd} list`).until('done:0')
    expect(screen).toContain('…')
    for (const line of screen.split('\n')) expect(line.replaceAll(/\x1b\[[\d;]*m/g, '').length).toBeLessThanOrEqual(60)
  })

  test('progress is shown and made harmless; a second Ctrl-C is not needed', async () => {
    const terminal = open('progress', `${odd} call odd.wait`)
    expect(await terminal.until('1/2')).toContain('\\x1b[2J')
    terminal.type('C-c')
    await terminal.until('done:130')
  })
})
