/**
 * Steps that one validation may take. A small recursive schema can make a small value cost more than the age of the
 * universe, which no look at the schema alone tells; so the compiled check counts. Some ten million steps take about a second.
 */
export const stepsPerValidation = 10_000_000

/**
 * Steps for a value whatever its size. With finding out what is wrong with it they took 18 to 58 ms for a recursive `anyOf`
 * with a value of 55 levels; no other caller is served meanwhile.
 */
export const stepsForAnyValue = 200_000

/**
 * A larger value may take more, in proportion to its size. Most schemas take one to four steps for each part of a value;
 * unions of many branches take a step for each branch.
 */
const stepsPerPart = 20
const maxStepsForSize = 4_000_000

/** `perCharacter` is what the patterns of the schema may take for each character of a text. */
export function stepsForSize(value: unknown, perCharacter: number): number {
  const open: object[] = []
  let steps = 0
  const count = (part: unknown) => {
    steps += stepsPerPart
    if (typeof part === 'string') steps += part.length * (perCharacter + 0.25)
    else if (typeof part === 'object' && part !== null) open.push(part)
  }
  count(value)
  for (let part = open.pop(); part && steps < maxStepsForSize; part = open.pop()) {
    const children: readonly unknown[] = Array.isArray(part) ? part : Object.values(part)
    for (const child of children) count(child)
  }
  return Math.min(maxStepsForSize, steps)
}

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
