import type { CheckRecord } from '../storage/storage.ts'

/** The outcomes of a call's checks are packed into one number, one base-4 digit per check. 0: not reached. */
export const states = { passed: 1, not_needed: 2, failed: 3 } as const

/** The weight of each check's digit, in the order of the steps. */
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

const names = new Map(Object.entries(placeOf).map(([name, place]) => [place as number, name as CheckName]))

/** The check whose digit has this weight. */
export function toCheckName(place: number): CheckName {
  return names.get(place)!
}

/** Cache by number. Few combinations occur, so nearly all calls share a record. */
const known = new Map<number, CheckRecord>()

/** The checks as the ledger records them. Frozen. */
export function toChecks(checks: number): CheckRecord {
  let record = known.get(checks)
  if (!record) {
    const digitOf = (name: CheckName) => Math.floor(checks / placeOf[name]) % 4
    const reached = [...names.values()].filter((name) => digitOf(name) > 0)
    record = Object.freeze(Object.fromEntries(reached.map((name) => [name, toState(digitOf(name))])))
    known.set(checks, record)
  }
  return record
}

function toState(digit: number): CheckRecord[string] {
  return (Object.keys(states) as CheckRecord[string][])[digit - 1]!
}
