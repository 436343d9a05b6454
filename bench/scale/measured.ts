import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** What the benchmark found, for the capacity model. CPU times are ms per call or row; rates are medians. */
export interface Measured {
  /** When the measurement began. */
  readonly run: string
  readonly machine: string
  readonly cores: number
  /** The baselines varied so much that only the first digit means anything. */
  readonly isNoisy: boolean
  /** Calls at servers on Postgres, by number of replicas. */
  readonly calls: readonly MeasuredCalls[]
  /** Appends at one server on Postgres, by rows in a commit. */
  readonly appends: readonly MeasuredAppends[]
  readonly growth: { readonly [engine in Engine]: readonly MeasuredGrowth[] }
}

export type Engine = 'postgres' | 'sqlite'

export interface MeasuredCalls {
  readonly replicas: number
  readonly perSecond: number
  readonly client: number
  readonly server: number
  readonly postgres: number
  /** Processors that other programs used in the meantime. */
  readonly others: number
  readonly commitsPerCall: number
  readonly walBytesPerCall: number
  /** Of one replica. */
  readonly memoryMb: number
}

export interface MeasuredAppends {
  readonly rowsPerCommit: number
  readonly perSecond: number
  readonly postgres: number
  readonly walBytesPerRow: number
}

export interface MeasuredGrowth {
  /** When the run began that measured it: sizes of one run can be compared. */
  readonly run: string
  readonly entries: number
  /** Of entries, indexes and the tree. */
  readonly bytes: number
  /** CPU time of the process that seals and of Postgres, per entry. */
  readonly sealing: { readonly server: number; readonly postgres: number }
  readonly verifySeconds: number
  /** CPU time of the process that verifies and of Postgres, per entry; 0 if it was not measured. */
  readonly verifying: number
  /** Medians, in ms. */
  readonly reads: { readonly newest: number; readonly call: number; readonly page: number; readonly proof: number }
  /** The 90th percentile of the newest 50 as a multiple of the 10th. */
  readonly noise: number
  /** µs of elapsed time. */
  readonly sealUs: number
}

const file = new URL('measured.json', import.meta.url)

export function readMeasured(): Measured | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

export function writeMeasured(measured: Measured): void {
  const round = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(5)) : value)
  writeFileSync(file, `${JSON.stringify(measured, round, 2)}\n`)
}
