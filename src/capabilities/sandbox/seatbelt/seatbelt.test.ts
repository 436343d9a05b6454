import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeFolder } from '../../../../test/helpers/open-test-pipeline.ts'
import { openProcess, type ProcessOptions } from '../../process.ts'

let home: string
let cwd: string

beforeEach(() => {
  home = realpathSync(makeFolder())
  cwd = join(home, 'work')
  mkdirSync(cwd)
})

function run(command: string, options: Partial<ProcessOptions> = {}) {
  const environment = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', HOME: home, SHELL: '/bin/sh' }
  return openProcess({ cwd, environment, sandbox: 'required', ...options }).run(command)
}

describe.skipIf(process.platform !== 'darwin')('commands in Seatbelt (macOS)', () => {
  test('write the working directory and read what is named, and nothing else', async () => {
    for (const [path, text] of [
      ['.ssh', 'private'],
      ['notes', 'named'],
    ] as const) {
      mkdirSync(join(home, path))
      writeFileSync(join(home, path, 'file'), text)
    }
    const { stdout, sandbox } = await run(
      `cat ~/.ssh/file; cat ~/notes/file; echo x > made; echo x > ~/outside; true`,
      { readable: ['~/notes'] },
    )
    expect({ text: stdout.text, sandbox }).toEqual({ text: 'named', sandbox: 'seatbelt' })
    expect([existsSync(join(cwd, 'made')), existsSync(join(home, 'outside'))]).toEqual([true, false])
  })

  test('leave nothing in the temporary folder, and say what was discarded', async () => {
    const { stdout, discarded } = await run('echo x > "$TMPDIR/left" && printf %s "$TMPDIR"')
    expect(discarded).toEqual([join(stdout.text, 'left')])
    expect(existsSync(stdout.text)).toBe(false)
  })

  test('cannot change or replace what is protected, nor read what is hidden', async () => {
    mkdirSync(join(cwd, 'settings'))
    mkdirSync(join(cwd, 'state'))
    const config = join(cwd, 'settings', 'toolpact.json')
    writeFileSync(config, '{}')
    writeFileSync(join(cwd, 'state', 'key'), 'private')
    const options = { protectedPaths: [config], hidden: [join(cwd, 'state')] }
    const { stdout } = await run('echo x > settings/toolpact.json; mv settings other; cat state/key; cat settings/toolpact.json', options) // biome-ignore format: one line
    expect(stdout.text).toBe('{}')
  })

  test('have no network', async () => {
    const { createServer } = await import('node:net')
    const server = createServer((socket) => socket.end('reached')).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const command = `/bin/bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3'`
    try {
      expect((await run(command)).stdout.text).toBe('')
      expect((await run(command, { network: true })).stdout.text).toBe('reached')
    } finally {
      server.close()
    }
  })
})
