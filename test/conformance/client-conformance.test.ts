import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type CountedSuite, expectConforming } from './expect-conforming.ts'
import { runClientSuite } from './run-client-suite.ts'

const suites: readonly CountedSuite[] = [
  { version: '0.1.16', revision: '2025-11-25', baseline: 'client-0.1.16-at-2025-11-25.yaml', count: 18 },
  { version: '0.2.0-alpha.12', revision: '2025-11-25', baseline: 'client-0.2.0-at-2025-11-25.yaml', count: 19 },
  { version: '0.2.0-alpha.12', revision: '2026-07-28', baseline: 'client-0.2.0-at-2026-07-28.yaml', count: 33 },
]

test.each(suites)(
  'MCP $revision by the suite $version: every scenario passes but those that are expected to fail, with reasons',
  async (suite) => {
    expectConforming('client of MCP servers', suite, await runClientSuite(suite))
  },
)

test('an entry that passes fails the run', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-baseline-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const baseline = join(folder, 'stale.yaml')
  writeFileSync(baseline, 'client:\n  - tools_call\n')
  const { exitCode, output } = await runClientSuite({ ...suites[0]!, baseline, scenario: 'tools_call' })
  expect(output).toContain('Stale baseline entries')
  expect(exitCode).toBe(1)
})
