import { quantile } from './print-table.ts'

/** From here on a machine is too noisy for more than the first digit. */
export const maxNoise = 1.5

/** How much the base varied: its slow rounds as a multiple of its quick ones. It does the same in each, so the rest is the machine. */
export function toNoise(rounds: readonly number[]): number {
  return quantile(rounds, 0.9) / quantile(rounds, 0.1)
}

export function isNoisy(noise: number | undefined): boolean {
  return noise !== undefined && noise > maxNoise
}

interface Aim {
  readonly what: string
  /** One of these two is given. */
  readonly most?: number
  readonly least?: number
  readonly unit?: string
}

/** Whether an aim was met by what was found in each round; on a noisy machine only if nearly all rounds agree. */
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
