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

/** Some keywords look at every key of an object or every character of a string. */
export function spendOnSize(value: unknown): void {
  if (typeof value === 'string') spendSteps(value.length / 8)
  else if (typeof value === 'object' && value !== null) spendSteps(Object.keys(value).length * 2)
}

/** Steps or stack are used up. */
export function isExhausted(error: unknown): boolean {
  return error instanceof StepsSpent || error instanceof RangeError
}
