import { pointerTo } from '../schema/json-pointer.ts'

/** One problem of a contract: the rule, the location, the message and the fix. */
export interface LintProblem {
  readonly rule: string
  /** JSON pointer into the contract. */
  readonly pointer: string
  readonly message: string
  readonly fix: string
  /** Errors must be fixed; warnings can be intended. */
  readonly severity: 'error' | 'warning'
}

/** A problem without its rule and severity, which the caller adds. */
export type Finding = Omit<LintProblem, 'rule' | 'severity'>

/** Appends segments to a pointer. */
export function pointTo(pointer: string, ...steps: (string | number)[]): string {
  return steps.reduce<string>(pointerTo, pointer)
}
