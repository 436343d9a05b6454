import { type Instrument, type InstrumentName, instruments } from './instruments.ts'
import type { Labels, Meter } from './meter.ts'

export interface Point {
  /** In the order of the instrument's labels. */
  readonly labels: readonly string[]
  /** The sum, for a histogram. */
  value: number
  /** For a histogram: the number of values in each bucket, the last one without a bound. */
  readonly buckets?: number[]
}

/** A value that is read when metrics are. */
export interface Reading {
  readonly name: InstrumentName
  readonly labels?: Labels
  readonly value: number
}

export interface Family {
  readonly name: InstrumentName
  readonly points: readonly Point[]
}

/** Takes the place of label values beyond the limit. */
const overflow = '_other'

/** How many values a label may have. Servers with 353 tools exist. */
const maxValues = 200

/** Metrics in memory, which is bounded: label values beyond the limit are counted together. */
export class Metrics implements Meter {
  readonly startedAt = Date.now()
  readonly #points = new Map<InstrumentName, Map<string, Point>>()
  readonly #values = new Map<string, Set<string>>()

  add(name: InstrumentName, labels: Labels, count = 1) {
    this.#find(name, labels).value += count
  }

  record(name: InstrumentName, value: number, labels: Labels) {
    const point = this.#find(name, labels)
    const { bounds = [] }: Instrument = instruments[name]
    const bucket = bounds.findIndex((bound) => value <= bound)
    point.value += value
    point.buckets![bucket === -1 ? bounds.length : bucket]!++
  }

  /** Every metric that has a value, with these readings. */
  collect(readings: readonly Reading[]): Family[] {
    const read = new Map<InstrumentName, Point[]>()
    for (const { name, labels = {}, value } of readings) {
      const points = read.get(name) ?? []
      points.push({ labels: this.#toValues(name, labels), value })
      read.set(name, points)
    }
    return (Object.keys(instruments) as InstrumentName[]).flatMap((name) => {
      const points = [...(this.#points.get(name)?.values() ?? []), ...(read.get(name) ?? [])]
      return points.length > 0 ? [{ name, points }] : []
    })
  }

  #find(name: InstrumentName, labels: Labels): Point {
    const points = this.#points.get(name) ?? new Map<string, Point>()
    this.#points.set(name, points)
    const values = this.#toValues(name, labels)
    const key = values.join('\0')
    let point = points.get(key)
    if (!point) {
      const { bounds }: Instrument = instruments[name]
      point = { labels: values, value: 0, ...(bounds && { buckets: new Array(bounds.length + 1).fill(0) }) }
      points.set(key, point)
    }
    return point
  }

  #toValues(name: InstrumentName, labels: Labels): string[] {
    return instruments[name].labels.map((label) => this.#limit(label, labels[label] ?? ''))
  }

  #limit(label: string, value: string): string {
    const known = this.#values.get(label) ?? new Set()
    this.#values.set(label, known)
    if (known.has(value)) return value
    if (known.size >= maxValues) return overflow
    known.add(value)
    return value
  }
}
