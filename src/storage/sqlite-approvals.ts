import type { GroupCommit } from './group-commit.ts'
import type { Database } from './sqlite-database.ts'
import type { Approval, ApprovalBinding, Approvals } from './storage.ts'

/** Both changes wait for the disk: an approval that was used must not come back after a loss of power. */
export function openSqliteApprovals(database: Database, commits: GroupCommit): Approvals {
  async function grant(approval: Approval): Promise<void> {
    const { id, tool, contractDigest, inputDigest, by, expiresAt } = approval
    const added = await commitDurably(() =>
      database
        .sql('INSERT OR IGNORE INTO approvals VALUES (?, ?, ?, ?, ?, ?)')
        .run(id, tool, contractDigest, inputDigest, by, expiresAt),
    )
    if (added.changes === 0) throw new Error(`The approval ${id} exists already: give each approval an id of its own.`)
  }

  async function use(id: string, binding: ApprovalBinding, now: number): Promise<Approval | undefined> {
    const { tool, contractDigest, inputDigest } = binding
    const used = await commitDurably(() => {
      database.sql('DELETE FROM approvals WHERE expires_at <= ?').run(now)
      return database.sql(take).get(id, tool, contractDigest, inputDigest)
    })
    return used && { id, ...binding, by: used.by as string, expiresAt: used.expires_at as number }
  }

  function commitDurably<Result>(job: () => Result): Promise<Result> {
    const batch = commits.next()
    batch.durable = true
    return batch.add(job)
  }

  return { grant, use }
}

const take = `
  DELETE FROM approvals WHERE id = ? AND tool = ? AND contract_digest = ? AND input_digest = ?
  RETURNING by, expires_at
`
