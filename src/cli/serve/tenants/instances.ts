import type { ServerResponse } from 'node:http'
import type { HttpSite } from '../../../surfaces/http/open-http-server.ts'

/** An open tenant. */
export interface Instance {
  readonly site: HttpSite
  /** Whether it does something that no request waits for, such as a task. */
  isBusy(): Promise<boolean>
  /** Metrics in the text format of Prometheus. */
  readonly metrics: (() => Promise<string>) | undefined
  close(graceMs: number): Promise<void>
}

export interface InstancesOptions {
  readonly open: (name: string) => Promise<Instance>
  readonly maxOpen: number
  readonly idleMs: number
}

export interface Instances {
  /** The site of a tenant, which stays open until the response is closed; undefined if too many are in use. */
  enter(name: string, response: ServerResponse): Promise<HttpSite | undefined>
  /** Those that are open, by their names. */
  list(): Promise<readonly (readonly [name: string, instance: Instance])[]>
  close(graceMs: number): Promise<void>
}

interface Entry {
  readonly opening: Promise<Instance>
  users: number
  usedAt: number
}

/** After a failure, a tenant is opened again at the earliest. */
const retryMs = 1000

/** Opens tenants with their first request, closes them when they are idle, and keeps their number within its limit. */
export function createInstances({ open, maxOpen, idleMs }: InstancesOptions): Instances {
  const entries = new Map<string, Entry>()
  const closing = new Map<string, Promise<void>>()
  let isClosed = false
  const sweeper = setInterval(sweep, Math.min(idleMs / 2, 30_000)).unref()

  async function sweep() {
    for (const [name, entry] of [...entries]) if (performance.now() - entry.usedAt >= idleMs) await closeIfIdle(name, entry) // biome-ignore format: one line
  }

  async function closeIfIdle(name: string, entry: Entry): Promise<void> {
    if (entry.users > 0) return
    const instance = await entry.opening.catch(() => undefined)
    // The storage cannot tell while it fails.
    if (await instance?.isBusy().catch(() => true)) return
    // A request may have come in the meantime.
    if (entry.users === 0 && entries.get(name) === entry) await closeEntry(name, instance, 0)
  }

  async function closeEntry(name: string, instance: Instance | undefined, graceMs: number): Promise<void> {
    entries.delete(name)
    const closed = (instance?.close(graceMs) ?? Promise.resolve()).catch(() => {}).finally(() => closing.delete(name))
    closing.set(name, closed)
    await closed
  }

  /** Closes the one that was idle longest, if there is one. */
  async function makeRoom(): Promise<void> {
    const oldest = [...entries].sort(([, a], [, b]) => a.usedAt - b.usedAt)
    for (const [name, entry] of oldest) {
      if (entries.size + closing.size < maxOpen) return
      await closeIfIdle(name, entry)
    }
  }

  /** Counts the user at once, so that nothing closes what was found. */
  async function use(name: string): Promise<Entry | undefined> {
    await closing.get(name)
    if (!entries.has(name) && entries.size + closing.size >= maxOpen) await makeRoom()
    const entry = entries.get(name) ?? openEntry(name)
    if (entry) entry.users += 1
    return entry
  }

  function openEntry(name: string): Entry | undefined {
    if (isClosed || closing.has(name) || entries.size + closing.size >= maxOpen) return undefined
    const entry: Entry = { opening: open(name), users: 0, usedAt: performance.now() }
    entries.set(name, entry)
    entry.opening.catch(() => setTimeout(() => entries.get(name) === entry && entries.delete(name), retryMs).unref())
    return entry
  }

  return {
    async enter(name, response) {
      const entry = await use(name)
      if (!entry) return undefined
      const leave = () => {
        entry.users -= 1
        entry.usedAt = performance.now()
      }
      // It emits `close` once, which may have been.
      if (response.closed) leave()
      else response.once('close', leave)
      return (await entry.opening).site
    },
    async list() {
      const opened = [...entries].map(
        async ([name, { opening }]) => [name, await opening.catch(() => undefined)] as const,
      )
      return (await Promise.all(opened)).flatMap(([name, instance]) => (instance ? [[name, instance] as const] : []))
    },
    async close(graceMs) {
      isClosed = true
      clearInterval(sweeper)
      const all = [...entries].map(async ([name, { opening }]) => closeEntry(name, await opening.catch(() => undefined), graceMs)) // biome-ignore format: one line
      await Promise.all([...all, ...closing.values()])
    },
  }
}
