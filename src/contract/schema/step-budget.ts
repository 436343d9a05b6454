/**
 * Steps that one validation may take. A small recursive schema can make a small value cost more than the age of the
 * universe, which no look at the schema alone tells; so the compiled check counts. Some ten million steps take about a second.
 */
export const stepsPerValidation = 10_000_000

/** Validation never waits, so that one counter serves all. */
let left = 0

export class StepsSpent extends Error {
  override readonly name = 'StepsSpent'
}

const spent = new StepsSpent('The validation took too many steps.')

export function grantSteps(steps: number): void {
  left = steps
}

export function spendSteps(steps: number): void {
  left -= steps
  if (left < 0) throw spent
}
