import type { CounterName, HistogramName } from './instruments.ts'

export type Labels = { readonly [label: string]: string | undefined }

/** Counts and measures: in memory, or with a program's OpenTelemetry SDK. */
export interface Meter {
  add(name: CounterName, labels: Labels, count?: number): void
  record(name: HistogramName, value: number, labels: Labels): void
}

/** The same for several. */
export function joinMeters(meters: readonly Meter[]): Meter {
  return {
    add(...counted) {
      for (const meter of meters) meter.add(...counted)
    },
    record(...measured) {
      for (const meter of meters) meter.record(...measured)
    },
  }
}
