import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { makeChangeling, withoutOutput } from '../helpers/open-changeling.ts'
import { hasTmux, openScreens } from '../helpers/open-screens.ts'
import { entries, openCommandFolder } from '../helpers/run-command.ts'

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

describe.skipIf(!hasTmux)('on a terminal (skipped where tmux is absent)', () => {
  const { open, close: closeScreens } = openScreens({ folder, env })
  afterAll(() => void closeScreens())

  const odd = `"${process.execPath}" "${entries.odd}"`

  test('colour is used, and NO_COLOR is honoured', async () => {
    const coloured = await open('colour', `${odd} call odd.echo`).until('done:0')
    expect(coloured).toMatch(/\x1b\[32m✓/)
    const plain = await open('plain', `NO_COLOR=1 ${odd} call odd.echo`).until('done:0')
    expect(plain).toContain('✓ odd.echo')
    expect(plain).not.toContain('\x1b[32m')
  })

  test('Ctrl-C ends the wait for input', async () => {
    const terminal = open('input', `${odd} call odd.echo --input -`)
    await terminal.until('Type the input as JSON')
    terminal.type('C-c')
    expect(await terminal.until('done:130')).not.toContain('✓')
  })

  test('a table keeps to the width of the terminal', async () => {
    const screen = await open('narrow', `stty cols 80; ${odd} list --no-pager`).until('done:0')
    for (const line of screen.split('\n')) expect(line.replaceAll(/\x1b\[[\d;]*m/g, '').length).toBeLessThanOrEqual(80)
  })

  test('a call shows the output of a command while it runs, and renders results by their kind', async () => {
    const { entry } = makeChangeling([withoutOutput('plain')], { withoutOutputSchema: 'opaque' }, folder)
    writeFileSync(join(folder, 'up.json'), JSON.stringify({ mcpServers: { up: entry } }))
    const toolpact = `"${process.execPath}" "${entries.toolpact}" call --config up.json`
    const command = 'echo first; until [ -e go ]; do sleep 0.1; done; echo second'
    const terminal = open('running', `${toolpact} workspace.run_in_terminal --yes 'command=${command}'`, 80)
    await terminal.until(/^ {2}first\n. workspace\.run_in_terminal is running \d+ s$/m)
    writeFileSync(join(folder, 'go'), '')
    await terminal.until('done:0')
    expect(terminal.lines().slice(-5)).toEqual(['✓ Command output:', '  first', '  second', expect.stringMatching(/^ {2}Time: /), 'done:0']) // biome-ignore format: one line

    const words = 'words '.repeat(20).trim()
    const rendered = open('rendered', `${toolpact} up.plain 'text=is **strong**, and ${words}'`, 80)
    const screen = await rendered.until('done:0')
    expect(screen).toMatch(/\x1b\[1mstrong\x1b\[/)
    expect(rendered.lines().slice(0, 3)).toEqual(['✓ up.plain', expect.stringMatching(/^ {2}plain is strong, and (?:words ?)+$/), expect.stringMatching(/^ {2}(?:words ?)+$/)]) // biome-ignore format: one line
  })

  test('progress is shown and made harmless; a second Ctrl-C is not needed', async () => {
    const terminal = open('progress', `${odd} call odd.wait`)
    expect(await terminal.until('1/2')).toContain('\\x1b[2J')
    terminal.type('C-c')
    await terminal.until('done:130')
  })
})
