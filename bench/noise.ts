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

interface Aim {
  readonly what: string
  /** Exactly one of `most` and `least` is given. */
  readonly most?: number
  readonly least?: number
  readonly unit?: string
}

/** Whether the results meet a target; on a noisy machine only if nearly all rounds agree. */
export function decideAim(
  { what, most = Infinity, least = -Infinity, unit = '×' }: Aim,
  rounds: readonly number[],
  noise?: number,
): string {
  const isMet = (value: number) => value <= most && value >= least
  const median = quantile(rounds, 0.5)
  const aim = most < Infinity ? `at most ${most}${unit}` : `at least ${least}${unit}`
  const found = `${what} ${aim}, found ${Number(median.toPrecision(4))}${unit}`
  const extremes = [quantile(rounds, 0.1), quantile(rounds, 0.9)]
  if (isNoisy(noise) && extremes.some((value) => isMet(value) !== isMet(median))) return `Too noisy to tell: ${found}.`
  return `Aim ${isMet(median) ? 'met' : 'missed'}: ${found}.`
}
