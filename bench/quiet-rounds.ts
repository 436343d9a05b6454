import { watchOutside } from './processors.ts'

export interface QuietRounds<Round> {
  /** As many as were wanted: the quietest ones, in the order in which they ran. */
  readonly rounds: readonly Round[]
  /** Rounds that were left out because other programs used the machine. */
  readonly dropped: number
  /** Rounds that were kept although other programs used the machine, for want of better ones. */
  readonly disturbed: number
}

/** Of one core. */
const maxOutside = 0.1
/** The system counts in ticks of 10 ms, so that load in a shorter time cannot be told. */
const sliceMs = 300
/** For each reading of the clock, rounded to a tick. */
const ticksMs = 20

/**
 * Runs rounds until as many as wanted were undisturbed by other programs, at most twice as many. Halfway, once, `isEnough` may
 * end it: an answer that is asked for after every round is found by chance sooner or later.
 */
export async function inQuietRounds<Round>(
  most: number,
  run: (number: number) => Promise<Round>,
  watch: () => () => number = watchOutside,
  isEnough: (rounds: readonly Round[]) => boolean = () => false,
): Promise<QuietRounds<Round>> {
  let wanted = most
  let hasLooked = false
  const slices: { readonly rounds: Round[]; readonly outside: number }[] = []
  let [made, quiet] = [0, 0]
  while (quiet < wanted && made < 2 * wanted) {
    const outsideMs = watch()
    const rounds: Round[] = []
    const start = performance.now()
    do {
      rounds.push(await run(made++))
    } while (performance.now() - start < sliceMs && quiet + rounds.length < wanted && made < 2 * wanted)
    const outside = Math.max(0, (outsideMs() || 0) - ticksMs) / (performance.now() - start)
    slices.push({ rounds, outside })
    if (outside <= maxOutside) quiet += rounds.length
    if (hasLooked || quiet < most / 2) continue
    hasLooked = true
    const undisturbed = slices.filter((slice) => slice.outside <= maxOutside).flatMap((slice) => slice.rounds)
    if (isEnough(undisturbed)) wanted = undisturbed.length
  }
  const best = new Set<Round>()
  for (const { rounds } of slices.toSorted((a, b) => a.outside - b.outside))
    for (const round of rounds) if (best.size < wanted) best.add(round)
  const kept = slices.flatMap(({ rounds }) => rounds).filter((round) => best.has(round))
  return { rounds: kept, dropped: made - kept.length, disturbed: Math.max(0, kept.length - quiet) }
}

/**
 * Runs each of them once, in an order that differs from round to round: whichever goes first, or follows a costly one, is at
 * an advantage or a disadvantage. Returns the results in the order of the list.
 */
export async function takeTurns<Item, Result>(
  items: readonly Item[],
  round: number,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const isBackward = Math.floor(round / items.length) % 2 === 1
  for (let turn = 0; turn < items.length; turn++) {
    const place = (round + turn) % items.length
    const index = isBackward ? items.length - 1 - place : place
    results[index] = await run(items[index]!)
  }
  return results
}
