import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Serving, startServe } from '../clients/start-serve.ts'
import { entries, openCommandFolder } from '../helpers/run-command.ts'
import { expectConforming, serverSuites } from './expect-conforming.ts'
import { runSuite } from './run-suite.ts'

const commands = openCommandFolder()
let server: Serving
beforeAll(async () => {
  // The suite cannot send a token and answers approval forms with unrelated data, and nothing answers the queue.
  server = await startServe({
    entry: entries.conformance,
    args: ['--no-token', '--wait', '1'],
    env: commands.env,
    cwd: commands.folder,
  })
})
afterAll(async () => {
  await server?.stop()
  commands.close()
})

test.each(serverSuites)(
  'MCP $revision by the suite $version: every scenario passes but those that are expected to fail, with reasons',
  async (suite) => {
    expectConforming('`toolpact serve`', suite, await runSuite(suite, server.url))
  },
)

test.each(serverSuites.slice(0, 2))('an entry that passes fails the run of the suite $version', async (suite) => {
  const baseline = join(commands.folder, 'stale.yaml')
  writeFileSync(baseline, 'server:\n  - tools-list\n')
  const { exitCode, output } = await runSuite({ ...suite, baseline, scenario: 'tools-list' }, server.url)
  expect(output).toContain('Stale baseline entries')
  expect(exitCode).toBe(1)
})
