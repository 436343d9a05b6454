import type { Refused, RefusedConnection, RefusedFile } from '../../host/connect/confinement.ts'
import { toHostEntry } from '../../policy/granted-hosts.ts'

/** Of each kind: the server chooses what it tries. */
const maxKept = 50
/** The same attempt is recorded again after this time. */
const recordMs = 60_000

type Kept<Value> = Value & { readonly recordedAt: number }
type New<Value> = Omit<Value, 'count' | 'at'>

/** What was refused to one server since the host started. */
export class Refusals {
  readonly #hosts = new Map<string, Kept<RefusedConnection>>()
  readonly #files = new Map<string, Kept<RefusedFile>>()
  readonly #record: (refused: Refused) => unknown

  constructor(record: (refused: Refused) => unknown) {
    this.#record = record
  }

  addHost(refused: Omit<New<RefusedConnection>, 'grant'>): void {
    const grant = toHostEntry(refused)
    this.#add(this.#hosts, grant, { ...refused, grant })
  }

  addFile(refused: New<RefusedFile>): void {
    this.#add(this.#files, `${refused.access} ${refused.path}`, refused)
  }

  /** Newest first. */
  list(): Refused[] {
    return [...this.#hosts.values(), ...this.#files.values()]
      .map(({ recordedAt: _, ...refused }) => refused)
      .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
  }

  hostsSince(time: number): RefusedConnection[] {
    return [...this.#hosts.values()].filter(({ at }) => Date.parse(at) >= time)
  }

  filesSince(time: number): RefusedFile[] {
    return [...this.#files.values()].filter(({ at }) => Date.parse(at) >= time)
  }

  #add<Value extends Refused>(known: Map<string, Kept<Value>>, key: string, refused: New<Value>) {
    const before = known.get(key)
    if (!before && known.size >= maxKept) return
    const now = Date.now()
    const isRecorded = before !== undefined && now - before.recordedAt < recordMs
    const next = {
      ...refused,
      count: (before?.count ?? 0) + 1,
      at: new Date(now).toISOString(),
      recordedAt: isRecorded ? before.recordedAt : now,
    } as unknown as Kept<Value>
    // Newest last.
    known.delete(key)
    known.set(key, next)
    if (!isRecorded) this.#record(next)
  }
}
