import { decideAim } from '../../bench/noise.ts'
import { publish } from '../../bench/publish.ts'

export interface Counts {
  calls: number
  outputs: number
  errors: number
  left: number
  faults: number
}

interface Soak {
  readonly minutes: number
  readonly callers: number
  /** Load average before the start. */
  readonly before: number
  /** Per surface. */
  readonly counts: ReadonlyMap<string, Counts>
  /** Findings by kind, including those of no surface: growth, leftover processes, broken ledgers. */
  readonly faults: ReadonlyMap<string, { readonly count: number }>
  /** Resources of each process. */
  readonly subjects: { readonly [name: string]: object }
}

/** Writes the results to their section of docs/benchmarks.md. */
export function publishSoak({ minutes, callers, before, counts, faults, subjects }: Soak): void {
  const all: Counts = { calls: 0, outputs: 0, errors: 0, left: 0, faults: 0 }
  for (const { calls, outputs, errors, left } of counts.values()) {
    all.calls += calls
    all.outputs += outputs
    all.errors += errors
    all.left += left
  }
  for (const { count } of faults.values()) all.faults += count
  const compares = `Load for ${minutes} minutes by ${callers} callers on each surface, over servers that crash, hang and lie. Errors are those that such servers
must lead to, and left are calls that their callers gave up. A fault is an answer that is lost, mixed or wrong, memory or handles that grow, a process that stays,
a ledger that is broken.`
  const load = {
    title: 'Load',
    heading: ['', ...Object.keys(all)],
    rows: [...counts, ['all', all] as const].map(([name, count]) => [
      name,
      ...Object.values(count).map((value) => value.toLocaleString('en')),
    ]),
    notes: [decideAim({ what: 'faults', most: 0, unit: '' }, [all.faults])],
  }
  const held = {
    title: 'What the processes held, in the middle and in the last third',
    heading: ['', ...Object.keys(Object.values(subjects)[0]!)],
    rows: Object.entries(subjects).map(([name, row]) => [name, ...Object.values(row).map(String)]),
    notes: [
      'Objects are what a full collection leaves. By how many bytes they grew for each call, and from how many on it would be a fault, is in the next column.',
      'Code is what V8 has compiled. It grows for as long as functions are called more often, and is nearly all that snapshots of the heap showed to grow.',
      'Of handles (files, sockets, pipes) the least is told: servers that crash are started again, and callers come and go.',
    ],
  }
  publish('soak', { about: { compares }, tables: [load, held], before })
}
