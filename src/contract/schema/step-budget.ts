/**
 * The step budget of one validation. A small recursive schema can make a small value take exponential time, which the
 * schema alone does not show, so the compiled check counts its steps. Ten million steps take about a second.
 */
export const stepsPerValidation = 10_000_000

/**
 * Steps for a value of any size. Including the search for errors, they took 18 to 58 ms for a recursive `anyOf` with a
 * value of 55 levels; the event loop is blocked meanwhile.
 */
export const stepsForAnyValue = 200_000

/**
 * Larger values get more steps, in proportion to their size. Most schemas take one to four steps per part of a value;
 * large unions take one step per branch.
 */
const stepsPerPart = 20
const maxStepsForSize = 4_000_000

/** `perCharacter`: the steps that the patterns of the schema may take per character of text. */
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

/** Validation is synchronous, so one counter is enough. */
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

/** Some keywords visit every key of an object or every character of a string. */
export function spendOnSize(value: unknown): void {
  if (typeof value === 'string') spendSteps(value.length / 8)
  else if (typeof value === 'object' && value !== null) spendSteps(Object.keys(value).length * 2)
}

/** The step budget or the stack is exhausted. */
export function isExhausted(error: unknown): boolean {
  return error instanceof StepsSpent || error instanceof RangeError
}
