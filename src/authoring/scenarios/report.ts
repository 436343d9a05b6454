import type { JsonValue } from '../../contract/json.ts'
import type { Files } from './subject.ts'
import type { BrokenRule } from './values/break-place.ts'

/** Ten scenarios derived from any contract, plus its examples and random inputs. */
export type ScenarioName =
  | 'examples'
  | 'minimal'
  | 'maximal'
  | 'random'
  | BrokenRule
  | 'limits'
  | 'corrupted-output'
  | 'declared-errors'

/** The results for one tool. */
export interface ToolReport {
  readonly tool: string
  readonly seed: number
  readonly ok: boolean
  readonly cases: number
  /** Why stubs replaced the tool, if so. */
  readonly notRun?: string
  readonly scenarios: readonly ScenarioReport[]
}

export interface ScenarioReport {
  readonly scenario: ScenarioName
  /** Number of cases. 0 without skips means that the contract has nothing to test here. */
  readonly cases: number
  readonly failed: number
  /** The first failures of each kind. */
  readonly failures: readonly Failure[]
  /** What could not be tested, why, and how to fix that. */
  readonly skipped: readonly string[]
}

export interface Failure {
  readonly case: string
  readonly message: string
  /** The minimized input. */
  readonly input?: JsonValue
  /** The injected output. */
  readonly output?: JsonValue
  readonly files?: Files
}

const maxFailures = 3

/** Collects the findings of a scenario. */
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

  /** Whether this kind of failure is new. Only the first ones are worth minimizing. */
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
