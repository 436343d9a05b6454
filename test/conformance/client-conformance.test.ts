import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runClientSuite } from './run-client-suite.ts'
import { readBaseline, type Suite } from './run-suite.ts'

const suites: readonly (Suite & { readonly count: number })[] = [
  { version: '0.1.16', revision: '2025-11-25', baseline: 'client-0.1.16-at-2025-11-25.yaml', count: 18 },
  { version: '0.2.0-alpha.12', revision: '2025-11-25', baseline: 'client-0.2.0-at-2025-11-25.yaml', count: 19 },
  { version: '0.2.0-alpha.12', revision: '2026-07-28', baseline: 'client-0.2.0-at-2026-07-28.yaml', count: 33 },
]

describe.each(suites)('the upstream client, MCP $revision by the conformance suite $version', (suite) => {
  test('every scenario passes but those that are expected to fail', async () => {
    const { exitCode, output, scenarios } = await runClientSuite(suite)
    const hasFailed = ({ status }: { status: string }) => status === 'FAILURE' || status === 'WARNING'
    const checks = [...scenarios.values()].flat()
    const failed = [...scenarios].filter(([, found]) => found.some(hasFailed)).map(([name]) => name)
    const expected = readBaseline(suite.baseline)
    console.log(
      [
        `Upstream client, MCP ${suite.revision}, conformance suite ${suite.version}:`,
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

test('an entry that passes fails the run', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-baseline-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const baseline = join(folder, 'stale.yaml')
  writeFileSync(baseline, 'client:\n  - tools_call\n')
  const { exitCode, output } = await runClientSuite({ ...suites[0]!, baseline, scenario: 'tools_call' })
  expect(output).toContain('Stale baseline entries')
  expect(exitCode).toBe(1)
})
