import type { SchemaObject } from '../../../contract/lint/walk-schema.ts'
import { atLeast, atMost, impossible, valuesOf } from './demands.ts'
import type { Making, Size } from './make-value.ts'

interface NumberOptions {
  readonly size: Size
  readonly whole: boolean
}

export function makeNumber({ random }: Making, list: readonly SchemaObject[], { size, whole }: NumberOptions): number {
  const steps = valuesOf<number>(list, 'multipleOf')
  const step = steps.length > 0 ? Math.max(...steps) : whole ? 1 : undefined
  const low = Math.max(atLeast(list, 'minimum', -Infinity), atLeast(list, 'exclusiveMinimum', -Infinity))
  const high = Math.min(atMost(list, 'maximum', Infinity), atMost(list, 'exclusiveMaximum', Infinity))
  const isLowOut = valuesOf<number>(list, 'exclusiveMinimum').includes(low)
  const isHighOut = valuesOf<number>(list, 'exclusiveMaximum').includes(high)
  const gap = step ?? (high - low < 2 ? (high - low) / 4 : 0.5)
  const least = toStep(isLowOut ? low + gap : low, step, Math.ceil)
  const most = toStep(isHighOut ? high - gap : high, step, Math.floor)
  if (least > most) throw impossible
  const within = (number: number) => Math.min(Math.max(number, least), most)
  const start = within(0)
  if (size === 'small') return start
  const end = Number.isFinite(most) ? most : toStep(start + 1000, step, Math.floor)
  if (size === 'large') return end
  const between = start + (end - start) * (random.below(1001) / 1000)
  const below = Number.isFinite(least) ? least : within(toStep(-1000, step, Math.ceil))
  return random.pick([start, end, below, within(toStep(between, step, Math.round))])
}

/** The nearest multiple of a step in a direction. */
function toStep(number: number, step: number | undefined, round: (number: number) => number): number {
  if (step === undefined || !Number.isFinite(number)) return number
  const multiple = round(number / step) * step
  // 3 * 0.1 !== 0.3
  return step < 1 ? Number(multiple.toPrecision(12)) : multiple
}
