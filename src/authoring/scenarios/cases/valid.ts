import type { Example } from '../../../contract/contract.ts'
import { isObject, type JsonObject } from '../../../contract/json.ts'
import { compareExample } from '../../examples/compare-example.ts'
import { evidenceIn, judgeRun } from '../judge.ts'
import type { ScenarioLog } from '../report.ts'
import { isHeldBack, remember, runValid, type Trial } from '../trial.ts'
import type { Size } from '../values/make-value.ts'
import type { Random } from '../values/random.ts'

/** Each example produces its documented result. */
export async function tryExamples(trial: Trial, log: ScenarioLog): Promise<void> {
  const { contract, subject } = trial
  for (const [index, example] of contract.examples.entries()) {
    const what = example.title ?? `example ${index + 1}`
    const files = example.given?.files
    // Inputs that are refused do not need the tool.
    const isRefused = !trial.input.isValid(example.input)
    if (trial.notRun !== undefined && !isRefused) {
      await runValid(trial, log, { what, input: example.input, ...(files && { files }) })
      continue
    }
    log.count()
    const observed = await subject.call(example.input, { ...(files && { files }) })
    if (isHeldBack(observed, log)) continue
    if (!isRefused) remember(trial, observed)
    const message =
      compareExample(example, observed.result, evidenceIn(observed.violation)) ??
      (isRefused ? undefined : judgeRun(contract, trial.output, observed)?.message)
    if (message !== undefined) log.fail(what, { case: what, message, input: example.input, ...(files && { files }) })
  }
}

export const tryMinimal = (trial: Trial, log: ScenarioLog) => tryMade(trial, log, 'small')
export const tryMaximal = (trial: Trial, log: ScenarioLog) => tryMade(trial, log, 'large')

async function tryMade(trial: Trial, log: ScenarioLog, size: Size): Promise<void> {
  const input = trial.input.make(trial.random(log.scenario), size)
  if (!isObject(input)) return log.skip(noInput)
  await runValid(trial, log, { what: size === 'small' ? 'only what is required' : 'everything there is', input })
}

const randomInputs = 20

/** Random valid inputs, half of them variations of an example. */
export async function tryRandom(trial: Trial, log: ScenarioLog): Promise<void> {
  const random = trial.random(log.scenario)
  const seen = new Set<string>()
  for (let turn = 0; turn < randomInputs; turn++) {
    const { examples } = trial.contract
    const example = examples.length > 0 && random.chance(0.5) ? random.pick(examples) : undefined
    const input = example ? varyExample(trial, example, random) : trial.input.make(random, 'any')
    if (!isObject(input)) {
      if (!example) return log.skip(noInput)
      continue
    }
    const files = example?.given?.files
    const key = JSON.stringify([input, files])
    // A small contract has few distinct inputs.
    if (seen.has(key)) continue
    seen.add(key)
    await runValid(trial, log, { what: example ? 'like an example' : 'at random', input, ...(files && { files }) })
  }
}

const maxAttempts = 10

function varyExample({ input }: Trial, example: Example, random: Random): JsonObject | undefined {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const other = input.make(random, 'any')
    if (!isObject(other)) return undefined
    const taken = Object.entries(other).filter(() => random.chance(0.4))
    const mixed = { ...example.input, ...Object.fromEntries(taken) }
    if (input.isValid(mixed)) return mixed
  }
  return undefined
}

export const noInput = 'No valid input was found: add an example to the contract.'
