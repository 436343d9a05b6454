import { afterAll, describe, expect, test } from 'vitest'
import { openPostgresStorage } from '../../src/runtime/storage/postgres/postgres.ts'
import type { ApprovalQuestion } from '../../src/runtime/storage/storage.ts'
import { hasPostgres, openPostgresCluster } from '../helpers/postgres-cluster.ts'

const cluster = hasPostgres ? await openPostgresCluster() : undefined
// As an ordinary user, whom row-level security applies to.
cluster?.psql('CREATE ROLE toolpact LOGIN; GRANT CREATE ON DATABASE postgres TO toolpact')
const url = cluster?.url.replace('postgres@', 'toolpact@') ?? ''
const open = (tenant: string) => openPostgresStorage({ url, tenant, clock: 'caller' })
afterAll(() => cluster?.remove())

describe.skipIf(!hasPostgres)('totals of the queue', () => {
  test('are those of the pending questions, whatever ends them, and after a migration of several tenants', async () => {
    let storage = await open('one')
    const [other, another] = [await open('one'), await open('two')]
    const ids = ['answered', 'refused', 'withdrawn', 'discarded', 'expired', 'kept', 'kept-too']
    for (const [index, id] of ids.entries()) {
      const expiresAt = id === 'expired' ? 500 : 1e12
      await (index % 2 ? other : storage).approvals.request(toQuestion(id, { expiresAt }), 0)
    }
    await another.approvals.request(toQuestion('kept'), 0)
    expect(readTotals()).toEqual({ one: 7, two: 1 })
    await expect(storage.approvals.request(toQuestion('kept'), 0)).rejects.toThrow(/exists already/)
    expect(readTotals()).toEqual({ one: 7, two: 1 })

    const { approvals } = storage
    await approvals.answer('answered', { answer: 'yes', by: 'grace' }, 1)
    await other.approvals.answer('refused', { answer: 'no', by: 'grace' }, 1)
    await approvals.answer('refused', { answer: 'no', by: 'grace' }, 1)
    await other.approvals.withdraw('withdrawn', 2)
    await approvals.withdraw('withdrawn', 2)
    await approvals.discard('discarded', 2)
    await approvals.discard('answered', 2)
    expect(readTotals()).toEqual({ one: 3, two: 1 })
    await approvals.questions(1000)
    expect(readTotals()).toEqual({ one: 2, two: 1 })
    // What has ended is forgotten.
    await approvals.questions(1e11)
    // The same call under another policy replaces the question.
    await approvals.request(toQuestion('newer', { inputDigest: 'kept', policyDigest: 'p2' }), 1e11)
    expect(readTotals()).toEqual({ one: 2, two: 1 })
    for (const each of [storage, other, another]) await each.close()

    toVersion3()
    storage = await open('one')
    expect(readTotals()).toEqual({ one: 2, two: 1 })
    // Nor can a tenant see what the migration saw.
    expect(cluster!.psqlIn(url, 'SELECT count(*) FROM toolpact.questions')).toBe('0')
    await storage.approvals.withdraw('newer', 1e11)
    // As a replica of an older version would.
    cluster!.psql("UPDATE toolpact.questions SET is_over = true WHERE tenant = 'two'")
    expect(readTotals()).toEqual({ one: 1, two: 0 })
    cluster!.psql("DELETE FROM toolpact.questions WHERE tenant = 'one'")
    expect(readTotals()).toEqual({ one: 0, two: 0 })
    await storage.close()
  })

  test('stay exact while replicas ask, answer and withdraw at once, and keep their order', async () => {
    const replicas = await Promise.all(Array.from({ length: 4 }, () => open('many')))
    await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const [one, next] = [replicas[index % 4]!.approvals, replicas[(index + 1) % 4]!.approvals]
        await one.request(toQuestion(`q-${index}`), 0)
        if (index % 3 === 0) await next.answer(`q-${index}`, { answer: 'no', by: 'grace' }, 1)
        if (index % 3 === 1) await next.withdraw(`q-${index}`, 1)
      }),
    )
    expect(readTotals().many).toBe(20)
    const turns = cluster!.psql("SELECT count(DISTINCT turn) FROM toolpact.questions WHERE tenant = 'many'")
    expect(turns).toBe('60')
    await replicas[0]!.approvals.request(toQuestion('last'), 0)
    expect((await replicas[1]!.approvals.questions(2)).at(-1)).toMatchObject({ id: 'last' })
    for (const each of replicas) await each.close()
  })
})

/** Pending questions by tenant, after comparing the totals with the questions themselves. */
function readTotals(): { readonly [tenant: string]: number } {
  const isPending = 'answer IS NULL AND NOT is_over'
  const ofCallers = cluster!.psql(
    'SELECT tenant, caller, questions, bytes FROM toolpact.queue_use ORDER BY tenant, caller',
  )
  expect(ofCallers).toBe(
    cluster!.psql(`SELECT tenant, caller, count(*), sum(bytes) FROM toolpact.questions WHERE ${isPending} GROUP BY tenant, caller ORDER BY tenant, caller`), // biome-ignore format: one line
  )
  const totals = cluster!.psql(
    'SELECT tenant, questions, bytes FROM toolpact.queue_total WHERE questions > 0 ORDER BY tenant',
  )
  expect(totals).toBe(
    cluster!.psql(`SELECT tenant, count(*), sum(bytes) FROM toolpact.questions WHERE ${isPending} GROUP BY tenant ORDER BY tenant`), // biome-ignore format: one line
  )
  const rows = cluster!.psql('SELECT tenant, questions FROM toolpact.queue_total ORDER BY tenant').split('\n')
  return Object.fromEntries(rows.map((row) => [row.split('|')[0]!, Number(row.split('|')[1])]))
}

/** The tables as version 3 had them. */
function toVersion3() {
  cluster!.psql(`
    SET search_path = toolpact;
    DROP TRIGGER question_asked ON questions; DROP TRIGGER question_ended ON questions; DROP TRIGGER question_deleted ON questions;
    DROP FUNCTION count_asked_question; DROP FUNCTION count_ended_question; DROP TABLE queue_total; DROP TABLE queue_use;
    SET ROLE toolpact;
    CREATE INDEX pending_questions ON questions (tenant, caller, bytes) WHERE answer IS NULL AND NOT is_over;
    UPDATE schema_version SET version = 3, oldest = 2
  `)
}

/** Callers alternate with the lengths of the names, and sizes differ. */
function toQuestion(id: string, more: Partial<ApprovalQuestion> = {}): ApprovalQuestion {
  return {
    ...{ id, tool: 'test.write', contractDigest: 'c', inputDigest: id, workspace: '/w', policyDigest: 'p' },
    ...{ caller: id.length > 7 ? 'long' : 'short', previewDigest: '', askedAt: 0, expiresAt: 1e12, summary: {} },
    ...{ details: { content: 'x'.repeat(id.length * 10) }, ...more },
  }
}
