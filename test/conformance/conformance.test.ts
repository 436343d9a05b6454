import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Serving, startServe } from '../clients/start-serve.ts'
import { openCommandFolder } from '../run-command.ts'
import { readBaseline, runSuite, type Suite } from './run-suite.ts'

const suites: readonly (Suite & { readonly count: number })[] = [
  { version: '0.1.16', revision: '2025-11-25', baseline: '0.1.16-at-2025-11-25.yaml', count: 32 },
  { version: '0.2.0-alpha.12', revision: '2025-11-25', baseline: '0.2.0-at-2025-11-25.yaml', count: 33 },
  { version: '0.2.0-alpha.12', revision: '2026-07-28', baseline: '0.2.0-at-2026-07-28.yaml', count: 40 },
]

const commands = openCommandFolder()
let server: Serving
beforeAll(async () => {
  // The suite has no way to send a token.
  const entry = fileURLToPath(new URL('serve.ts', import.meta.url))
  server = await startServe({ entry, args: ['--no-token'], env: commands.env, cwd: commands.folder })
})
afterAll(async () => {
  await server?.stop()
  commands.close()
})

describe.each(suites)('MCP $revision by the conformance suite $version', (suite) => {
  test('every scenario passes but those that are expected to fail', async () => {
    const { exitCode, output, scenarios } = await runSuite(suite, server.url)
    const checks = [...scenarios.values()].flat()
    const hasFailed = ({ status }: (typeof checks)[number]) => status === 'FAILURE' || status === 'WARNING'
    const failed = [...scenarios].filter(([, found]) => found.some(hasFailed)).map(([name]) => name)
    const expected = readBaseline(suite.baseline)
    console.log(
      [
        `MCP ${suite.revision}, conformance suite ${suite.version}:`,
        `${scenarios.size - failed.length} of ${scenarios.size} scenarios pass,`,
        `${checks.filter(({ status }) => status === 'SUCCESS').length} checks pass, ${checks.filter(hasFailed).length} do not;`,
        `${expected.size} failures are expected.`,
      ].join(' '),
    )
    expect(exitCode, output).toBe(0)
    expect(scenarios.size).toBe(suite.count)
    // The suite lets entries pass whose scenario or check no longer exists.
    const failures = new Set(
      [...scenarios].flatMap(([name, found]) => found.filter(hasFailed).flatMap(({ id }) => [name, `${name}:${id}`])),
    )
    expect([...expected.keys()].filter((entry) => !failures.has(entry))).toEqual([])
  })

  test('every expected failure has a reason', () => {
    expect([...readBaseline(suite.baseline)].filter(([, reason]) => reason === '')).toEqual([])
  })
})

test.each(suites.slice(0, 2))('an entry that passes fails the run of the suite $version', async (suite) => {
  const baseline = join(commands.folder, 'stale.yaml')
  writeFileSync(baseline, 'server:\n  - tools-list\n')
  const { exitCode, output } = await runSuite({ ...suite, baseline, scenario: 'tools-list' }, server.url)
  expect(output).toContain('Stale baseline entries')
  expect(exitCode).toBe(1)
})
