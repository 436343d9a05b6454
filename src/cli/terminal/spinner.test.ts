import { expect, test, vi } from 'vitest'
import { startSpinner } from './spinner.ts'

function open(environment: { [name: string]: string | undefined }) {
  let written = ''
  const stream = { isTTY: true, columns: 30, write: (text: string) => { written += text } } // biome-ignore format: one line
  const options = { beforeMs: 1, stream: stream as unknown as NodeJS.WriteStream, environment }
  return { spinner: startSpinner(() => 'a.b\x1b[2J is running for a long time', options), written: () => written }
}

test('the status shows the last lines of output, cleaned and cut, and is erased', async () => {
  const { spinner, written } = open({ TERM: 'xterm' })
  spinner.addOutput(`1\n2\n3\n\x1b[31m4\x1b[0m\n${'5'.repeat(99)}\n50%\r`)
  spinner.addOutput('100%\r6\tx')
  await vi.waitFor(() => expect(written()).toMatch(/\d s/), { timeout: 60_000 })
  const rows = written()
    .replaceAll(/\x1b\[\d+m/g, '')
    .split('\r\x1b[J')[1]!
    .split('\n')
  expect(rows.slice(0, -1)).toEqual(['  2', '  3', '  4', `  ${'5'.repeat(26)}…`, '  6    x'])
  expect(rows.at(-1)).toMatch(/^. a\.b\\x1b\[2J is running … \d+ s$/u)
  spinner.stop()
  expect(written()).toMatch(/\r\x1b\[5A\x1b\[J$/)
  const end = written()
  spinner.stop()
  expect(written()).toBe(end)
})

test.each<{ [name: string]: string }>([{ NO_COLOR: '1' }, { TERM: 'dumb' }, { CI: 'true' }])(
  'without animation lines are printed once: %j',
  async (environment) => {
    // biome-ignore format: one line
    const { spinner, written } = open(environment)
    spinner.addOutput(`${'x\n'.repeat(3)}\x1b[31my\n`)
    await vi.waitFor(() => expect(written()).toContain('…'), { timeout: 60_000 })
    for (let line = 0; line < 100; line++) spinner.addOutput('more\n')
    await vi.waitFor(() => expect(written().split('\n')).toHaveLength(41), { timeout: 60_000 })
    spinner.stop()
    expect(written().split('\n').slice(0, 5)).toEqual(['  x', '  x', '  x', '  y', '… a.b\\x1b[2J is running for a long time']) // biome-ignore format: one line
    expect(written()).not.toContain('\x1b')
  },
)

test('nothing is written if stderr is not a terminal', () => {
  const spinner = startSpinner('x', { beforeMs: 0, stream: { write: () => expect.unreachable() } as never })
  spinner.addOutput('y')
  spinner.stop()
})
