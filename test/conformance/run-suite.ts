import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { entries } from '../helpers/run-command.ts'

export interface Suite {
  /** The version of the suite. */
  readonly version: '0.1.16' | '0.2.0-alpha.12'
  /** The revision of MCP that is spoken. */
  readonly revision: '2025-11-25' | '2026-07-28'
  /** The file of failures that are expected, each with its reason. */
  readonly baseline: string
  /** Only this one. */
  readonly scenario?: string
}

export interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  readonly errorMessage?: string
}

export interface SuiteRun {
  readonly exitCode: number | null
  readonly output: string
  readonly scenarios: ReadonlyMap<string, readonly Check[]>
}

/** Bundled like our own programs: as published they take a second to start. */
export const suiteCommands = { '0.1.16': entries.suite2025, '0.2.0-alpha.12': entries.suite2026 }

/** Runs a version of the conformance suite as its own process against a server. */
export async function runSuite({ version, revision, baseline, scenario }: Suite, url: string): Promise<SuiteRun> {
  const results = mkdtempSync(join(tmpdir(), 'toolpact-conformance-'))
  const chosen = scenario === undefined ? ['--suite', 'all'] : ['--scenario', scenario]
  // The older one has no such option.
  const patience = version === '0.1.16' ? [] : ['--timeout', '110000']
  const options = ['--url', url, ...chosen, '--spec-version', revision, '--output-dir', results, ...patience]
  const args = [suiteCommands[version], 'server', ...options, '--expected-failures', toBaselinePath(baseline)]
  const ended = await runToEnd(args, 170_000)
  const scenarios = readResults(results)
  rmSync(results, { recursive: true })
  return { ...ended, scenarios }
}

/** Runs a suite until it exits or times out. */
export async function runToEnd(args: readonly string[], timeout: number): Promise<Omit<SuiteRun, 'scenarios'>> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  return { exitCode, output }
}

/** The entries of a baseline, `scenario` or `scenario:check`, with the comment behind each. */
export function readBaseline(baseline: string): ReadonlyMap<string, string> {
  const entries = new Map<string, string>()
  for (const line of readFileSync(toBaselinePath(baseline), 'utf8').split('\n')) {
    const [, entry, reason = ''] = /^\s*- (\S+)(?:\s+# (.*))?$/.exec(line) ?? []
    if (entry) entries.set(entry, reason.trim())
  }
  return entries
}

export function toBaselinePath(baseline: string): string {
  return fileURLToPath(new URL(baseline, import.meta.url))
}

function readResults(folder: string) {
  const scenarios = new Map<string, readonly Check[]>()
  for (const name of readdirSync(folder)) {
    const [, scenario] = /^server-(.+)-\d{4}-\d{2}-\d{2}T/.exec(name) ?? []
    if (scenario) scenarios.set(scenario, JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')))
  }
  return scenarios
}
