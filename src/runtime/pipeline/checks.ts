import type { CheckRecord } from '../storage/storage.ts'

/** What became of the checks of a call is one number, a digit for each check. The digit 0: not reached. */
export const states = { passed: 1, not_needed: 2, failed: 3 } as const

/** The place of a check's digit, to the base of 4; in the order of the steps. */
export const placeOf = {
  resolve: 4 ** 0,
  bound: 4 ** 1,
  input: 4 ** 2,
  single_step: 4 ** 3,
  rate: 4 ** 4,
  decide: 4 ** 5,
  check: 4 ** 6,
  approve: 4 ** 7,
  intent: 4 ** 8,
  run: 4 ** 9,
  output: 4 ** 10,
} as const

export type CheckName = keyof typeof placeOf

/** The check whose digit has this place. */
export function toCheckName(place: number): CheckName {
  return (Object.keys(placeOf) as CheckName[]).find((name) => placeOf[name] === place)!
}

/** By number. Few of them ever come up, so that nearly every call shares its record with others. */
const known = new Map<number, CheckRecord>()

/** The checks as the ledger's records name them. Frozen. */
export function toChecks(checks: number): CheckRecord {
  let record = known.get(checks)
  if (!record) {
    const names = Object.keys(placeOf) as CheckName[]
    const digitOf = (name: CheckName) => Math.floor(checks / placeOf[name]) % 4
    const reached = names.filter((name) => digitOf(name) > 0)
    record = Object.freeze(Object.fromEntries(reached.map((name) => [name, toState(digitOf(name))])))
    known.set(checks, record)
  }
  return record
}

function toState(digit: number): CheckRecord[string] {
  return (Object.keys(states) as CheckRecord[string][])[digit - 1]!
}
