import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { readBaseline, type Suite, type SuiteRun } from './run-suite.ts'

/** Every scenario passes but those that are expected to fail, and those do fail. Prints the numbers, and publishes them. */
export function expectConforming(who: string, { baseline, count, ...suite }: CountedSuite, run: SuiteRun): void {
  const { exitCode, output, scenarios } = run
  const checks = [...scenarios.values()].flat()
  const hasFailed = ({ status }: { status: string }) => status === 'FAILURE' || status === 'WARNING'
  const failed = [...scenarios].filter(([, found]) => found.some(hasFailed)).map(([name]) => name)
  const expected = readBaseline(baseline)
  console.log(
    [
      `${who}, MCP ${suite.revision}, conformance suite ${suite.version}:`,
      `${scenarios.size - failed.length} of ${scenarios.size} scenarios pass,`,
      `${checks.filter(({ status }) => status === 'SUCCESS').length} checks pass, ${checks.filter(hasFailed).length} do not;`,
      `${expected.size} failures are expected.`,
    ].join(' '),
  )
  expect(exitCode, output).toBe(0)
  expect(scenarios.size).toBe(count)
  // The suite lets entries pass whose scenario or check no longer exists.
  const failures = new Set(
    [...scenarios].flatMap(([name, found]) => found.filter(hasFailed).flatMap(({ id }) => [name, `${name}:${id}`])),
  )
  expect([...expected.keys()].filter((entry) => !failures.has(entry))).toEqual([])
  expect([...expected].filter(([, reason]) => reason === '')).toEqual([])
  if (suite.scenario === undefined)
    publish([who, suite.version, suite.revision], `${scenarios.size - failed.length} of ${scenarios.size}`)
}

const page = fileURLToPath(new URL('../../docs/mcp.md', import.meta.url))

/** The page shows these numbers. In CI it must; elsewhere its row is written. */
function publish(run: readonly string[], passed: string): void {
  const start = `| ${run.join(' | ')} |`
  const row = `${start} ${passed} |`
  const lines = readFileSync(page, 'utf8').split('\n')
  if (lines.includes(row)) return
  expect(process.env.CI, `docs/mcp.md has no row '${row}'. Run npm run conformance, and commit the page.`).toBeFalsy()
  const known = lines.findIndex((line) => line.startsWith(start))
  const place = known === -1 ? lines.indexOf('<!-- /conformance -->') : known
  writeFileSync(page, lines.toSpliced(place, known === -1 ? 0 : 1, row).join('\n'))
}

export interface CountedSuite extends Suite {
  /** How many scenarios it has. */
  readonly count: number
}

/** What a server of tools passes of the suites. */
export const serverSuites: readonly CountedSuite[] = [
  { version: '0.1.16', revision: '2025-11-25', baseline: '0.1.16-at-2025-11-25.yaml', count: 32 },
  { version: '0.2.0-alpha.12', revision: '2025-11-25', baseline: '0.2.0-at-2025-11-25.yaml', count: 33 },
  { version: '0.2.0-alpha.12', revision: '2026-07-28', baseline: '0.2.0-at-2026-07-28.yaml', count: 40 },
]
