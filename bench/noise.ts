import { quantile } from './print-table.ts'

/** Above this, only the first digit of a result is meaningful. */
export const maxNoise = 1.5

/** Variation of the baseline, p90 / p10 over its rounds. It does the same work in each, so the variation is noise. */
export function toNoise(rounds: readonly number[]): number {
  return quantile(rounds, 0.9) / quantile(rounds, 0.1)
}

export function isNoisy(noise: number | undefined): boolean {
  return noise !== undefined && noise > maxNoise
}

/** Half the normal quantile of the probability that the median lies in an interval. */
const reaches = { 0.95: 0.98, 0.998: 1.545 } as const

/**
 * Where the true median lies with a probability of 95 %, by the ranks of the rounds, whatever their distribution. All of
 * them if they are fewer than six, which is less certain.
 */
export function toInterval(
  rounds: readonly number[],
  probability: keyof typeof reaches = 0.95,
): readonly [number, number] {
  const sorted = rounds.toSorted((a, b) => a - b)
  const reach = reaches[probability] * Math.sqrt(sorted.length)
  const first = Math.max(0, Math.round(sorted.length / 2 - reach) - 1)
  return [sorted[first]!, sorted[sorted.length - 1 - first]!]
}

/**
 * Whether half of the rounds tell enough: every aim is decided, and every ratio known to a twentieth. Whoever looks early may
 * be lucky, so a wider interval counts, of 99.8 %. It needs twelve rounds; the median of fewer can lie outside all of them.
 */
export function isEnough(
  ratios: readonly { readonly rounds: readonly number[]; readonly aim?: number | undefined }[],
): boolean {
  return ratios.every(({ rounds, aim }) => {
    if (rounds.length < 12) return false
    const [low, high] = toInterval(rounds, 0.998)
    return high - low <= 0.1 * quantile(rounds, 0.5) && (aim === undefined || low > aim || high <= aim)
  })
}

interface Aim {
  readonly what: string
  /** Exactly one of `most` and `least` is given. */
  readonly most?: number
  readonly least?: number
  readonly unit?: string
}

/** More rounds than anyone would wait for. */
const maxRounds = 10_000

/** Whether the results meet a target: decided by the interval of their median. A single result was counted, not timed. */
export function decideAim(
  { what, most = Infinity, least = -Infinity, unit = '×' }: Aim,
  rounds: readonly number[],
): string {
  // biome-ignore format: one line
  const isMet = (value: number) => value <= most && value >= least
  const limit = most < Infinity ? most : least
  const median = quantile(rounds, 0.5)
  const interval = toInterval(rounds)
  const found = `${what} ${most < Infinity ? 'at most' : 'at least'} ${limit}${unit}, found ${toDigits(median)}${unit}`
  const within = rounds.length > 1 ? ` (${interval.map(toDigits).join(' to ')})` : ''
  if (isMet(interval[0]) === isMet(interval[1])) return `Aim ${isMet(median) ? 'met' : 'missed'}: ${found}${within}.`
  // An interval shrinks with the square root of the number of rounds.
  const width = Math.max(median - interval[0], interval[1] - median)
  const needed = Math.ceil(rounds.length * (width / Math.abs(median - limit)) ** 2)
  const more = needed <= maxRounds ? `about ${needed.toLocaleString('en')} would decide` : 'too close to decide by more'
  return `Undecided: ${found}${within} over ${rounds.length} rounds; ${more}.`
}

function toDigits(value: number): string {
  return String(Number(value.toPrecision(4)))
}
