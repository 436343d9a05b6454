import type { Contract } from '../../contract/contract.ts'
import { pipelineErrors } from '../../contract/error-codes.ts'
import { tryBrokenInput, tryCorruptedOutput } from './cases/corrupted-output.ts'
import { tryLimits } from './cases/limits.ts'
import { noInput, tryExamples, tryMaximal, tryMinimal, tryRandom } from './cases/valid.ts'
import { judgeRefusal, judgeRun } from './judge.ts'
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

/** Declared errors reach the caller as declared; undeclared ones do not. */
async function tryDeclaredErrors(trial: Trial, log: ScenarioLog): Promise<void> {
  const { contract, subject, output, codes, notRun } = trial
  const [input] = trial.inputs
  if (!input) return log.skip(noInput)
  for (const { code, status, suggestion } of contract.errors) {
    log.count()
    const observed = await subject.call(input, { standIn: ({ fail }) => fail(code, 'As the contract declares.') })
    const { result } = observed
    const complaint = judgeRun(contract, output, observed)
    const isAsDeclared =
      !result.success && result.error.code === code && result.error.suggestion === subject.asRead(suggestion)
    const message = complaint?.message ?? (isAsDeclared ? undefined : 'The error does not match its declaration.')
    if (message !== undefined) log.fail(code, { case: `${code}, status ${status}`, message, input })
  }
  const unseen = notRun === undefined ? contract.errors.map(({ code }) => code).filter((code) => !codes.has(code)) : []
  if (unseen.length > 0)
    log.skip(`Nothing made the tool itself fail with ${unseen.join(', ')}: add an example to the contract for each.`)
  log.count()
  const undeclared = ['undeclared_error', 'undeclared_error_2'].find((code) => !isDeclared(trial, code))!
  const observed = await subject.call(input, {
    standIn: ({ fail }) => fail(undeclared, 'The contract does not know it.'),
  })
  const complaint = judgeRefusal(observed, { code: 'invalid_output', afterRun: true })
  if (complaint) log.fail('undeclared', { case: 'an error that is not declared', message: complaint.message, input })
}

function isDeclared({ contract }: Trial, code: string): boolean {
  return Object.hasOwn(pipelineErrors, code) || contract.errors.some((error) => error.code === code)
}
