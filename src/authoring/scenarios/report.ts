import type { JsonValue } from '../../contract/json.ts'
import type { Files } from './subject.ts'
import type { BrokenRule } from './values/break-place.ts'

/** The ten that come from any contract, the examples that it holds, and inputs at random. */
export type ScenarioName =
  | 'examples'
  | 'minimal'
  | 'maximal'
  | 'random'
  | BrokenRule
  | 'limits'
  | 'corrupted-output'
  | 'declared-errors'

/** What was found of one tool. */
export interface ToolReport {
  readonly tool: string
  readonly seed: number
  readonly ok: boolean
  readonly cases: number
  /** Why the tool itself was not run, where something stood in for it throughout. */
  readonly notRun?: string
  readonly scenarios: readonly ScenarioReport[]
}

export interface ScenarioReport {
  readonly scenario: ScenarioName
  /** How many cases were run. None, and nothing skipped: the contract has nothing of the kind. */
  readonly cases: number
  readonly failed: number
  /** The first failures of each kind. */
  readonly failures: readonly Failure[]
  /** What could not be shown, why, and what to do about it: a sentence each. */
  readonly skipped: readonly string[]
}

export interface Failure {
  readonly case: string
  readonly message: string
  /** As small as it could be made. */
  readonly input?: JsonValue
  /** What the tool was made to return. */
  readonly output?: JsonValue
  readonly files?: Files
}

const maxFailures = 3

/** Takes down what a scenario finds. */
export class ScenarioLog {
  readonly scenario: ScenarioName
  #cases = 0
  #failed = 0
  readonly #failures = new Map<string, Failure>()
  readonly #skipped = new Set<string>()

  constructor(scenario: ScenarioName) {
    this.scenario = scenario
  }

  count(): void {
    this.#cases++
  }

  /** Is a failure of this kind still to be told? One is worth the work of making its input small, fifty are not. */
  isNews(kind: string): boolean {
    return !this.#failures.has(kind) && this.#failures.size < maxFailures
  }

  fail(kind: string, failure?: Failure): void {
    this.#failed++
    if (failure && this.isNews(kind)) this.#failures.set(kind, failure)
  }

  skip(reason: string): void {
    this.#skipped.add(reason)
  }

  toReport(): ScenarioReport {
    return {
      scenario: this.scenario,
      cases: this.#cases,
      failed: this.#failed,
      failures: [...this.#failures.values()],
      skipped: [...this.#skipped],
    }
  }
}
