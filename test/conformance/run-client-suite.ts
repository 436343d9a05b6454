import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { entries } from '../helpers/run-command.ts'
import { type Check, runToEnd, type Suite, type SuiteRun, suiteCommands, toBaselinePath } from './run-suite.ts'

/** Runs a version of the conformance suite as its own process; it starts our client once for each scenario. */
export async function runClientSuite({ version, revision, baseline, scenario }: Suite): Promise<SuiteRun> {
  const results = mkdtempSync(join(tmpdir(), 'toolpact-conformance-'))
  const command = `"${process.execPath}" "${entries.conformanceClient}"`
  const chosen = scenario === undefined ? ['--suite', 'all'] : ['--scenario', scenario]
  // All scenarios of a suite run at once, so that each takes its time.
  const options = [
    '--command',
    command,
    ...chosen,
    '--spec-version',
    revision,
    '--timeout',
    '90000',
    '--output-dir',
    results,
  ]
  const args = [suiteCommands[version], 'client', ...options, '--expected-failures', toBaselinePath(baseline)]
  const ended = await runToEnd(args, 170_000)
  const scenarios = readResults(results)
  rmSync(results, { recursive: true })
  return { ...ended, scenarios }
}

function readResults(folder: string): ReadonlyMap<string, readonly Check[]> {
  const scenarios = new Map<string, readonly Check[]>()
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const [, scenario] = /^(.+)-\d{4}-\d{2}-\d{2}T[^/]*\/checks\.json$/.exec(name.replaceAll('\\', '/')) ?? []
    if (scenario) scenarios.set(scenario, JSON.parse(readFileSync(join(folder, name), 'utf8')))
  }
  return scenarios
}
