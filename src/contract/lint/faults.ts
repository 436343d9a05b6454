import type { LintProblem } from './lint-problem.ts'

const maxFaults = 3

/** The first errors of a contract, each as a clause: where, which rule, the problem and the fix. */
export function toFaults(problems: readonly LintProblem[]): string[] {
  const faults = problems.filter(({ severity }) => severity === 'error')
  const shown = faults.slice(0, maxFaults).map(toFault)
  const more = faults.length - shown.length
  return more > 0 ? [...shown, `There are ${more} more problems`] : shown
}

function toFault({ pointer, rule, message, fix }: LintProblem): string {
  return `"${pointer}" (${rule}): ${message} ${fix.replace(/\.$/, '')}`
}
