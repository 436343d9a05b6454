import type { RuleUses } from '../storage.ts'
import type { Database } from './database.ts'
import type { GroupCommit } from './group-commit.ts'
import { toStorageError } from './sqlite-error.ts'

export function openSqliteRuleUses(database: Database, commits: GroupCommit): RuleUses {
  return {
    async count(rule, now) {
      await commits.later().add(() => database.sql(countOne).run(rule, now))
    },
    async read() {
      try {
        const rows = database.sql('SELECT rule, count, last_used_at FROM rule_uses').all()
        return new Map(
          rows.map((row) => [
            row.rule as string,
            { count: row.count as number, lastUsedAt: row.last_used_at as number },
          ]),
        )
      } catch (error) {
        throw toStorageError(error, database.path)
      }
    },
    async forget(rule) {
      await commits.next().add(() => database.sql('DELETE FROM rule_uses WHERE rule = ?').run(rule))
    },
  }
}

const countOne = `
  INSERT INTO rule_uses VALUES (?1, 1, ?2) ON CONFLICT (rule) DO UPDATE SET count = count + 1, last_used_at = ?2
`
