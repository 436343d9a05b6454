import type { Claim, Replies } from '../storage.ts'
import type { Database } from './database.ts'
import type { GroupCommit } from './group-commit.ts'

/**
 * A claim does not wait for the disk itself: the ledger's intent does, it comes later in the same log and before
 * anything runs. A reply that a loss of power takes leaves its claim, so the call is not repeated either way.
 */
export function openSqliteReplies(database: Database, commits: GroupCommit): Replies {
  return {
    async claim(key, inputDigest, { now, expiresAt }) {
      return commits.next().add((): Claim => {
        database.sql('DELETE FROM replies WHERE expires_at <= ?').run(now)
        const added = database
          .sql('INSERT OR IGNORE INTO replies VALUES (?, ?, ?, NULL)')
          .run(key, inputDigest, expiresAt)
        if (added.changes === 1) return { state: 'claimed' }
        const found = database.sql('SELECT input_digest, reply FROM replies WHERE key = ?').get(key)!
        if (found.input_digest !== inputDigest) return { state: 'other_input' }
        return found.reply === null
          ? { state: 'under_way' }
          : { state: 'kept', reply: JSON.parse(found.reply as string) }
      })
    },
    async keep(key, reply) {
      const text = JSON.stringify(reply)
      const keeping = 'UPDATE replies SET reply = ? WHERE key = ? AND reply IS NULL'
      await commits.next().add(() => database.sql(keeping).run(text, key))
    },
    async release(key) {
      await commits.next().add(() => database.sql('DELETE FROM replies WHERE key = ? AND reply IS NULL').run(key))
    },
  }
}
