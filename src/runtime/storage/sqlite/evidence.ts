import { type Evidence, maxEvidence } from '../storage.ts'
import type { Database } from './database.ts'
import type { GroupCommit } from './group-commit.ts'
import { toStorageError } from './sqlite-error.ts'

/** An older state, open for reading, has none. */
const evidenceVersion = 5

export function openSqliteEvidence(database: Database, commits: GroupCommit): Evidence {
  return {
    async keep(callId, text) {
      // As JSON, because SQLite would end a text at a zero character.
      const json = JSON.stringify(text)
      await commits.next().add(() => {
        database.sql('INSERT OR REPLACE INTO evidence (call_id, text) VALUES (?, ?)').run(callId, json)
        database.sql('DELETE FROM evidence WHERE seq <= (SELECT max(seq) FROM evidence) - ?').run(maxEvidence)
      })
    },
    async get(callId) {
      if (database.version < evidenceVersion) return undefined
      try {
        const row = database.sql('SELECT text FROM evidence WHERE call_id = ?').get(callId)
        return row && JSON.parse(row.text as string)
      } catch (error) {
        throw toStorageError(error, database.path)
      }
    },
  }
}
