import type { JsonObject } from '../../../contract/json.ts'
import { type Derived, deriveCases } from '../derive-cases.ts'
import type { ScenarioLog } from '../report.ts'
import { runRefused, runValid, type Trial } from '../trial.ts'
import { noInput } from './valid.ts'

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
export function tellLacking({ lacking }: Derived, log: ScenarioLog): void {
  const found = lacking.filter(({ rule }) => log.scenario === 'corrupted-output' || rule === log.scenario)
  if (found.length === 0) return
  const demands = found.length === 1 ? 'One demand' : `${found.length} demands`
  log.skip(`${demands} of the schema could not be tested, such as ${found[0]!.what}.`)
}
