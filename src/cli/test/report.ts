import type { Failure, ScenarioName, ToolReport } from '../../authoring/scenarios/report.ts'
import { showValue } from '../../contract/text/show-value.ts'
import { toCount } from '../../runtime/approval/text/rows.ts'
import { type Line, paint } from '../terminal/terminal.ts'

const names: { readonly [scenario in ScenarioName]: string } = {
  examples: 'examples',
  minimal: 'minimal valid',
  maximal: 'maximal valid',
  random: 'random valid',
  'missing-required': 'missing required',
  'wrong-type': 'wrong type',
  'unknown-property': 'unknown property',
  bounds: 'bounds',
  'enum-pattern-format': 'enum, pattern, format',
  limits: 'limits',
  'corrupted-output': 'corrupted output',
  'declared-errors': 'declared errors',
}

const maxShown = 2000

/** What was found of one tool: a line, then each failure, then what was skipped and why. */
export function toReportLines({ tool, ok, cases, notRun, scenarios }: ToolReport): Line[] {
  const failed = scenarios.reduce((sum, scenario) => sum + scenario.failed, 0)
  const head: Line = ok
    ? [paint('green', '✓ '), `${tool}  ${toCount(cases, 'case')}`]
    : [paint('red', '✗ '), `${tool}  ${failed.toLocaleString('en')} of ${toCount(cases, 'case')} failed`]
  return [
    head,
    ...scenarios.flatMap(({ scenario, failures }) =>
      failures.flatMap((found) => toFailureLines(names[scenario], found)),
    ),
    ...(notRun === undefined ? [] : [toSkippedLine('not run', notRun)]),
    ...scenarios.flatMap(({ scenario, skipped }) => skipped.map((reason) => toSkippedLine(names[scenario], reason))),
  ]
}

function toFailureLines(scenario: string, { case: what, message, input, output, files }: Failure): Line[] {
  const parts = { input, output, files }
  return [
    [paint('red', '  ✗ '), `${scenario}: ${what}`],
    `      ${message}`,
    ...Object.entries(parts).flatMap(([name, value]) =>
      value === undefined ? [] : [`      ${name}: ${showValue(value, maxShown)}`],
    ),
  ]
}

function toSkippedLine(what: string, reason: string): Line {
  return paint('dim', `  – ${what}: ${reason}`)
}

export function toSummaryLine(reports: readonly ToolReport[], seed: number): Line {
  const cases = reports.reduce((sum, report) => sum + report.cases, 0)
  const failed = reports.filter(({ ok }) => !ok)
  const again = failed.length > 0 ? ` To see it again: the same command with --seed ${seed}.` : ''
  const words = `${toCount(reports.length, 'tool')}, ${toCount(cases, 'case')}, ${failed.length === 0 ? 'nothing' : toCount(failed.length, 'tool')} failed. Seed ${seed}.`
  return [paint(failed.length === 0 ? 'green' : 'red', words), again]
}
