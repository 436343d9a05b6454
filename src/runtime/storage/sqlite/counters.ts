import type { Counters, Taken } from '../storage.ts'
import type { Database } from './database.ts'
import type { GroupCommit } from './group-commit.ts'

/** How many of the oldest rows, of whatever key, each use looks at, so that keys never used again leave nothing. */
const swept = 8

/** Each use is a row that counts until a moment, its window later. */
export function openSqliteCounters(database: Database, commits: GroupCommit): Counters {
  async function take(key: string, limit: { count: number; windowMs: number }, now: number): Promise<Taken> {
    return commits.next().add(() => takeNow(key, limit, now))
  }

  function takeNow(key: string, { count, windowMs }: { count: number; windowMs: number }, now: number): Taken {
    const until = now + windowMs
    // Only a clock that has since moved back makes a use count for longer than a window from now.
    database.sql('UPDATE uses SET until = ?1 WHERE key = ?2 AND until > ?1').run(until, key)
    database.sql('DELETE FROM uses WHERE key = ? AND until <= ?').run(key, now)
    database.sql(sweep).run(now)
    if (count < 1) return { taken: false, retryAfterMs: windowMs }
    const blocking = database.sql(blockingUse).get(key, count - 1)
    if (blocking) return { taken: false, retryAfterMs: (blocking.until as number) - now }
    database.sql('INSERT INTO uses (key, until) VALUES (?, ?)').run(key, until)
    return { taken: true }
  }

  return { take }
}

const sweep = `DELETE FROM uses WHERE rowid IN (SELECT rowid FROM uses ORDER BY rowid LIMIT ${swept}) AND until <= ?`

/** The use before the last `count - 1`: while it counts, so do those, and the limit is used up. */
const blockingUse = 'SELECT until FROM uses WHERE key = ? ORDER BY until DESC LIMIT 1 OFFSET ?'
