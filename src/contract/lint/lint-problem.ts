import { pointerTo } from '../schema/json-pointer.ts'

/** One thing that is wrong with a contract: which rule, where, what, and what to do. */
export interface LintProblem {
  readonly rule: string
  /** JSON pointer into the contract. */
  readonly pointer: string
  readonly message: string
  readonly fix: string
  /** An error must be mended; a warning may have its reasons. */
  readonly severity: 'error' | 'warning'
}

/** A problem without its rule, which whoever runs the rule knows. */
export type Finding = Omit<LintProblem, 'rule' | 'severity'>

/** The pointer to something several steps inside what `pointer` points to. */
export function pointTo(pointer: string, ...steps: (string | number)[]): string {
  return steps.reduce<string>(pointerTo, pointer)
}
