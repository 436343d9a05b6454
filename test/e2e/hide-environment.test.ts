import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until, useServeFolders } from '../helpers/open-serve.ts'

const openServeFolder = useServeFolders()

test.skipIf(process.platform !== 'linux')(
  'neither a command outside the sandbox nor an MCP server finds a secret in the environment of Toolpact',
  async () => {
    const { folder, start } = openServeFolder()
    const report = join(folder, 'report')
    const code = `
      const found = fs.readFileSync('/proc/' + process.ppid + '/environ', 'latin1')
      fs.writeFileSync('${report}.tmp', found)
      fs.renameSync('${report}.tmp', '${report}')
      process.stdin.resume()
    `
    const mcpServers = { looker: { command: process.execPath, args: ['-e', code] } }
    writeFileSync(
      join(folder, 'mine.json'),
      JSON.stringify({ toolsets: ['workspace', 'looker'], policy: { sandbox: 'off' }, mcpServers }),
    )
    const env = { DEPLOY_PASSWORD: 'hunter2', SHELL: '/bin/sh' }
    const { send } = await start(['--yes', '--config', 'mine.json'], { env })
    const command = 'cat /proc/$PPID/environ | tr -d "\\0"; env | grep DEPLOY; echo looked'
    const { text } = await send('/v1/tools/workspace.run_in_terminal', { body: JSON.stringify({ command }) })
    expect(JSON.parse(text).output).toBe('Command output:\nlooked\n')
    await until(() => existsSync(report))
    expect(readFileSync(report, 'latin1').replaceAll('\0', '')).toBe('')
  },
)

test.skipIf(process.platform !== 'linux')('every variable keeps its value', () => {
  const code = `
    import { execFileSync } from 'node:child_process'
    import { readFileSync } from 'node:fs'
    import { hideEnvironment } from ${JSON.stringify(new URL('../../src/app/hide-environment.ts', import.meta.url).href)}
    const before = JSON.stringify(process.env)
    delete process.env.GONE
    hideEnvironment()
    const left = readFileSync('/proc/self/environ', 'latin1').replaceAll('\\0', '')
    const inherited = execFileSync('env', { encoding: 'utf8' })
    process.env.GONE = 'hunter3'
    console.log(JSON.stringify([JSON.stringify(process.env) === before, left, inherited]))
  `
  const env = { PATH: process.env.PATH, NAME: 'Zoë = 1', EMPTY: '', TOOLPACT_RUN: 'mark', GONE: 'hunter3' }
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', code], { env, encoding: 'utf8' })
  const [isSame, left, inherited] = JSON.parse(output)
  expect(isSame).toBe(true)
  expect(left).toBe('TOOLPACT_RUN=mark')
  expect(inherited.split('\n')).toEqual(expect.arrayContaining(['NAME=Zoë = 1', 'EMPTY=', `PATH=${env.PATH}`]))
})
