import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../helpers/open-changeling.ts'
import { initialize } from '../helpers/open-mcp.ts'
import { entries, openCommandFolder } from '../helpers/run-command.ts'

/** `toolpact serve --stdio` with the asking server behind it. */
function serve(upstream: 'legacy' | 'modern', ...args: string[]) {
  const { folder, env, close } = openCommandFolder()
  const config = join(folder, 'toolpact.json')
  const protocol = upstream === 'modern' ? { protocol: '2026-07-28' } : {}
  const desk = { command: process.execPath, args: [entries.asking, upstream], withoutOutputSchema: 'opaque', approval: 'never', ...protocol } // biome-ignore format: one line
  writeFileSync(config, JSON.stringify({ mcpServers: { desk }, toolsets: ['desk'] }))
  const child = spawn(process.execPath, [entries.toolpact, 'serve', '--stdio', '--config', config, ...args], { cwd: folder, env }) // biome-ignore format: one line
  const ended = new Promise((resolve) => child.on('close', resolve))
  onTestFinished(async () => {
    child.stdin.end()
    await ended
    close()
  })
  const seen = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text) => {
      seen[name] += text
    })
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`)
  send(initialize())
  send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'log', arguments: {} } })
  return { seen, isAnswered: () => /"id":1\b/.test(seen.stdout) }
}

test.each(['legacy', 'modern'] as const)(
  'the operator sees log messages of a %s server from the level on that they chose, and the client none',
  { timeout: 60_000 },
  async (upstream) => {
    const { seen, isAnswered } = serve(upstream, '--server-logs', 'info')
    await until(() => isAnswered() && seen.stderr.includes('desk error: {"rows":[1,2]}'))
    expect(seen.stderr).toMatch(/desk info: db.*: plain/)
    expect(seen.stderr).not.toMatch(/desk debug|\u200b/)
    expect(seen.stdout).not.toContain('notifications/message')
  },
)

test('no log messages are printed by default', { timeout: 60_000 }, async () => {
  const { seen, isAnswered } = serve('legacy')
  await until(isAnswered)
  expect(seen.stderr).not.toContain('rows')
})

test('a level that does not exist is refused', async () => {
  const { run, close } = openCommandFolder()
  onTestFinished(close)
  const { code, stderr } = await run(['serve', '--server-logs', 'loud'])
  expect(code).toBe(2)
  expect(stderr).toContain("--server-logs must be one of debug, info, notice, warning, error, critical, alert, emergency, but is 'loud'") // biome-ignore format: one line
})
