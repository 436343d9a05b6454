import type { JsonObject, JsonValue } from '../../../contract/json.ts'
import { type Derived, deriveCases } from '../derive-cases.ts'
import { judgeRefusal, judgeRun } from '../judge.ts'
import type { ScenarioLog } from '../report.ts'
import { runRefused, runValid, type Trial } from '../trial.ts'
import { noInput } from './valid.ts'

/** Outputs that violate the schema are withheld; valid ones pass unchanged. */
export async function tryCorruptedOutput(trial: Trial, log: ScenarioLog): Promise<void> {
  const { contract, subject, outputs, output: check } = trial
  const [input] = trial.inputs
  if (!input) return log.skip(noInput)
  if (outputs.length === 0)
    return log.skip('No valid output was found: add an example with its output to the contract.')
  const derived = deriveCases(outputs, check)
  const controls = outputs.map((value) => ({ what: 'a valid output', value, isValid: true }))
  for (const { what, value, isValid } of [...controls, ...derived.cases]) {
    log.count()
    const judge = (value: JsonValue) => (isValid ? judgeValid(value) : judgeBroken(value))
    const complaint = await judge(value)
    if (!complaint) continue
    const { kind } = complaint
    if (!log.isNews(kind)) {
      log.fail(kind)
      continue
    }
    const output = await trial.shrink(value, async (smaller) => (await judge(smaller))?.kind === kind)
    const { message } = (await judge(output)) ?? complaint
    log.fail(kind, { case: what, message, input, output })
  }
  tellLacking(derived, log)

  async function judgeValid(value: JsonValue) {
    if (!check.isValid(value)) return undefined
    return judgeRun(contract, check, await subject.call(input, { standIn: () => value as JsonObject }))
  }

  async function judgeBroken(value: JsonValue) {
    const problems = check.problemsOf(value)
    if (problems.length === 0) return undefined
    const observed = await subject.call(input, { standIn: () => value })
    return judgeRefusal(observed, { code: 'invalid_output', afterRun: true, problems })
  }
}

/** Inputs that violate the schema are refused before anything runs; inputs just within its limits are not. */
export function tryBrokenInput(): (trial: Trial, log: ScenarioLog) => Promise<void> {
  let derived: Derived | undefined
  return async (trial, log) => {
    if (trial.inputs.length === 0) return log.skip(noInput)
    derived ??= deriveCases(trial.inputs, trial.input)
    for (const { rule, what, value, isValid } of derived.cases) {
      if (rule !== log.scenario) continue
      if (isValid) await runValid(trial, log, { what, input: value as JsonObject })
      else await runRefused(trial, log, { what, value })
    }
    tellLacking(derived, log)
  }
}

/** Some constraints cannot be violated, because another branch accepts the value. */
function tellLacking({ lacking }: Derived, log: ScenarioLog): void {
  const found = lacking.filter(({ rule }) => log.scenario === 'corrupted-output' || rule === log.scenario)
  if (found.length === 0) return
  const demands = found.length === 1 ? 'One demand' : `${found.length} demands`
  log.skip(`${demands} of the schema could not be tested, such as ${found[0]!.what}.`)
}
