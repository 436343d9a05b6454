import type { Query } from './connection.ts'

/** Whose clock measures windows and expiry. With that of the database, the clocks of replicas may be wrong. */
export type Clock = 'database' | 'caller'

/** The time of the database, in milliseconds since 1970. */
export const serverMs = '(extract(epoch FROM clock_timestamp()) * 1000)::float8'

/** How far the clock of the database is ahead of the one of this process, in milliseconds. */
export interface DatabaseClock {
  /** Available at once if it was compared recently. */
  ahead(): number | Promise<number>
}

/** Compared again after this long, while the last result is used. */
const renewAfterMs = 10_000
/** No longer used after this long. */
const staleAfterMs = 60_000
/** Differences below this are noise, and do not change the result: times that are read twice stay the same. */
const noiseMs = 100
/** An exchange that took longer is repeated, because it says little about when the database read its clock. */
const goodExchangeMs = 50
const maxExchanges = 3

/** Measures by the monotonic clock of this process, so that setting its clock makes no difference. */
export function openDatabaseClock(query: Query, clock: Clock): DatabaseClock {
  /** `base`: the time of the database minus the monotonic clock. `wall`: the time of this process minus it. */
  let known: { readonly base: number; readonly wall: number; readonly at: number } | undefined
  let comparing: Promise<void> | undefined
  let used = 0

  function compare(): Promise<void> {
    comparing ??= compareNow().finally(() => {
      comparing = undefined
    })
    return comparing
  }

  async function compareNow() {
    let best: { readonly base: number; readonly took: number } | undefined
    for (let count = 0; count < maxExchanges && !(best && best.took <= goodExchangeMs); count++) {
      const sent = performance.now()
      const [row] = await query<{ now: number }>(`SELECT ${serverMs} AS now`)
      const took = performance.now() - sent
      if (!best || took < best.took) best = { base: row!.now - sent - took / 2, took }
    }
    known = { base: best!.base, wall: Date.now() - performance.now(), at: performance.now() }
  }

  function toAhead(): number {
    const found = Math.round(known!.base + performance.now() - Date.now())
    if (Math.abs(found - used) >= noiseMs) used = found
    return used
  }

  return {
    ahead() {
      if (clock === 'caller') return 0
      const now = performance.now()
      const age = known ? now - known.at : Number.POSITIVE_INFINITY
      // The monotonic clock stands still while the machine sleeps.
      const hasJumped = known !== undefined && Math.abs(Date.now() - now - known.wall) > 1000
      if (age > staleAfterMs || hasJumped) return compare().then(toAhead)
      if (age > renewAfterMs) compare().catch(() => {})
      return toAhead()
    },
  }
}

/** For each method, the arguments that are times or have some in them. Its result may have some, unless `payload` names it. */
type TimedMethods<Store> = { readonly [Method in keyof Store]?: readonly number[] } & {
  /** A method that returns what callers wrote. */
  readonly payload?: keyof Store
}

/**
 * A store whose callers use the clock of their process, and which keeps every time by the clock of the database. So what one
 * replica stores expires at the same moment for all, whatever their clocks say.
 */
export function onDatabaseClock<Store extends object>(
  store: Store,
  clock: DatabaseClock,
  { payload, ...methods }: TimedMethods<Store>,
): Store {
  type Method = (...args: unknown[]) => Promise<unknown>
  const timed = Object.entries(methods as { [name: string]: readonly number[] }).map(([name, places]) => {
    const method = (store as { [name: string]: Method })[name]!
    const own: Method = async (...args) => {
      const ahead = await clock.ahead()
      const given = ahead === 0 ? args : args.map((arg, index) => (places.includes(index) ? move(arg, ahead) : arg))
      const result = await method(...given)
      return ahead === 0 || name === payload ? result : move(result, -ahead, false)
    }
    return [name, own]
  })
  return { ...store, ...Object.fromEntries(timed) }
}

/** Properties that are times. */
const times = new Set(['now', 'until', 'expiresAt', 'waitsUntil', 'askedAt', 'createdAt', 'updatedAt', 'leaseUntil', 'startedAt', 'endedAt', 'wakesAt', 'nextAt']) // biome-ignore format: one line
/** Properties that have times in them. Others may be what callers wrote. */
const parts = new Set(['waiter', 'lease', 'after', 'end', 'steps', 'runs'])

/** Moves every time by so many milliseconds. Zero means that there is none. */
function move(value: unknown, by: number, isTime = true): unknown {
  if (typeof value === 'number') return isTime && value !== 0 ? value + by : value
  if (Array.isArray(value)) return value.map((item) => move(item, by, false))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, part]) => {
    if (times.has(name)) return [name, move(part, by)]
    return [name, parts.has(name) ? move(part, by, false) : part]
  })
  return Object.fromEntries(entries)
}
