import type { Contract } from '../../contract/contract.ts'
import { tryBrokenInput } from './cases/broken-input.ts'
import { tryCorruptedOutput } from './cases/corrupted-output.ts'
import { tryDeclaredErrors } from './cases/declared-errors.ts'
import { tryLimits } from './cases/limits.ts'
import { tryExamples, tryMaximal, tryMinimal, tryRandom } from './cases/valid.ts'
import { ScenarioLog, type ScenarioName, type ScenarioReport, type ToolReport } from './report.ts'
import type { Subject } from './subject.ts'
import { openTrial, type Trial, type TrialOptions } from './trial.ts'
import { TooSlow } from './values/check.ts'

/**
 * Derives scenarios from a contract and runs them against a tool in a pipeline. The same seed gives the same cases.
 *
 * `await testTool(contract, bench.subject('learning.hello'), { seed: 1 })`
 */
export async function testTool(contract: Contract, subject: Subject, options: TrialOptions): Promise<ToolReport> {
  const reports: ScenarioReport[] = []
  let { notRun } = options
  try {
    if (contract.status === 'planned') notRun = planned
    else {
      const trial = await openTrial(contract, subject, options)
      await runScenarios(trial, reports, options)
      notRun = trial.notRun
    }
  } catch (error) {
    if (!(error instanceof TooSlow)) throw error
    notRun = tooSlow
  }
  return {
    tool: subject.id,
    seed: options.seed,
    ok: reports.every(({ failed }) => failed === 0),
    cases: reports.reduce((sum, { cases }) => sum + cases, 0),
    ...(notRun !== undefined && { notRun }),
    scenarios: reports,
  }
}

async function runScenarios(trial: Trial, reports: ScenarioReport[], { quick }: TrialOptions): Promise<void> {
  for (const [scenario, run] of scenarios()) {
    const log = new ScenarioLog(scenario)
    await run(trial, log)
    const report = log.toReport()
    reports.push(report)
    if (quick && report.failed > 0) return
  }
}

const tooSlow = 'Its schemas are too dear: validating values took too long in all, and what is missing was not tested.'
const planned = 'Its contract has the status planned: it cannot be called yet.'

type Scenario = (trial: Trial, log: ScenarioLog) => Promise<void>

/** The order matters: the last two use outputs and errors of the earlier ones. */
function scenarios(): [ScenarioName, Scenario][] {
  const brokenInput = tryBrokenInput()
  return [
    ['examples', tryExamples],
    ['minimal', tryMinimal],
    ['maximal', tryMaximal],
    ['random', tryRandom],
    ['missing-required', brokenInput],
    ['wrong-type', brokenInput],
    ['unknown-property', brokenInput],
    ['bounds', brokenInput],
    ['enum-pattern-format', brokenInput],
    ['limits', tryLimits],
    ['corrupted-output', tryCorruptedOutput],
    ['declared-errors', tryDeclaredErrors],
  ]
}
