import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { toVersion20 } from '../../../../test/helpers/state-version-20.ts'
import type { ApprovalQuestion } from '../storage.ts'
import { openSqliteStorage } from './sqlite.ts'

const directory = mkdtempSync(join(tmpdir(), 'toolpact-queue-totals-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

test('totals are those of the pending questions, whatever ends them, in two connections and after a migration', async () => {
  let storage = openSqliteStorage({ directory })
  const other = openSqliteStorage({ directory })
  let { approvals } = storage
  const ids = ['answered', 'refused', 'withdrawn', 'discarded', 'expired', 'kept', 'kept-too']
  for (const [index, id] of ids.entries()) {
    const expiresAt = id === 'expired' ? 500 : 1e12
    await (index % 2 ? other.approvals : approvals).request(toQuestion(id, { expiresAt }), 0)
  }
  expect(readTotals()).toEqual({ questions: 7, callers: 2 })
  await expect(approvals.request(toQuestion('kept'), 0)).rejects.toThrow(/exists already/)
  expect(readTotals()).toEqual({ questions: 7, callers: 2 })

  await approvals.answer('answered', { answer: 'yes', by: 'grace' }, 1)
  await other.approvals.answer('refused', { answer: 'no', by: 'grace' }, 1)
  await approvals.answer('refused', { answer: 'no', by: 'grace' }, 1)
  expect(readTotals()).toEqual({ questions: 5, callers: 2 })
  await other.approvals.withdraw('withdrawn', 2)
  await approvals.withdraw('withdrawn', 2)
  await approvals.discard('discarded', 2)
  await approvals.discard('answered', 2)
  expect(readTotals()).toEqual({ questions: 3, callers: 2 })
  await approvals.questions(1000)
  expect(readTotals()).toEqual({ questions: 2, callers: 2 })
  // What has ended is forgotten.
  await approvals.questions(1e11)
  expect(readTotals()).toEqual({ questions: 2, callers: 2 })
  // The same call under another policy replaces the question.
  await approvals.request(toQuestion('newer', { inputDigest: 'kept', policyDigest: 'p2' }), 1e11)
  expect(readTotals()).toEqual({ questions: 2, callers: 2 })
  await other.close()
  await storage.close()

  edit(toVersion20)
  storage = openSqliteStorage({ directory })
  approvals = storage.approvals
  expect(readTotals()).toEqual({ questions: 2, callers: 2 })
  await approvals.withdraw('newer', 1e11)
  expect(readTotals()).toEqual({ questions: 1, callers: 1 })
  // As a process of an older version would.
  edit("DELETE FROM questions WHERE id = 'kept-too'")
  expect(readTotals()).toEqual({ questions: 0, callers: 0 })
  await storage.close()
})

/** Compares the totals with the questions themselves. */
function readTotals(): { questions: number; callers: number } {
  const database = new DatabaseSync(join(directory, 'toolpact.db'), { readOnly: true })
  const isPending = 'answer IS NULL AND is_over = 0'
  const sums = 'count(*) AS questions, coalesce(sum(bytes), 0) AS bytes'
  const total = database.prepare('SELECT pending AS questions, bytes FROM queue_version').get() as { questions: number }
  const use = database.prepare('SELECT caller, questions, bytes FROM queue_use ORDER BY caller').all()
  expect(total).toEqual(database.prepare(`SELECT ${sums} FROM questions WHERE ${isPending}`).get())
  const ofCallers = `SELECT caller, ${sums} FROM questions WHERE ${isPending} GROUP BY caller ORDER BY caller`
  expect(use).toEqual(database.prepare(ofCallers).all())
  database.close()
  return { questions: total.questions, callers: use.length }
}

function edit(statements: string) {
  const database = new DatabaseSync(join(directory, 'toolpact.db'))
  database.exec(statements)
  database.close()
}

/** Callers alternate with the lengths of the names, and sizes differ. */
function toQuestion(id: string, more: Partial<ApprovalQuestion> = {}): ApprovalQuestion {
  return {
    ...{ id, tool: 'test.write', contractDigest: 'c', inputDigest: id, workspace: '/w', policyDigest: 'p' },
    ...{ caller: id.length > 7 ? 'long' : 'short', previewDigest: '', askedAt: 0, expiresAt: 1e12, summary: {} },
    ...{ details: { content: 'x'.repeat(id.length * 10) }, ...more },
  }
}
