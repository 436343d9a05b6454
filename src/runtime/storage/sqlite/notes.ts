import type { Notes } from '../storage.ts'
import type { Database } from './database.ts'
import type { GroupCommit } from './group-commit.ts'
import { toStorageError } from './sqlite-error.ts'

export function openSqliteNotes(database: Database, commits: GroupCommit): Notes {
  return {
    async get(key) {
      try {
        const row = database.sql('SELECT value FROM notes WHERE key = ?').get(key)
        return row && JSON.parse(row.value as string)
      } catch (error) {
        throw toStorageError(error, database.path)
      }
    },
    async set(key, value) {
      const text = JSON.stringify(value)
      await commits.next().add(() => database.sql('INSERT OR REPLACE INTO notes VALUES (?, ?)').run(key, text))
    },
  }
}
