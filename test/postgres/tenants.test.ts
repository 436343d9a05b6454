import postgres from 'postgres'
import { afterAll, describe, expect, test } from 'vitest'
import { openPostgresStorage } from '../../src/runtime/storage/postgres/postgres.ts'
import { question } from '../../src/runtime/storage/suite/queue.ts'
import { toIntent } from '../../src/runtime/storage/suite/records.ts'
import { toRule } from '../../src/runtime/storage/suite/state.ts'
import { hasPostgres, openPostgresCluster } from '../helpers/postgres-cluster.ts'

const cluster = hasPostgres ? await openPostgresCluster() : undefined
afterAll(() => cluster?.remove())

describe.skipIf(!hasPostgres)('two tenants of one database', () => {
  test('see nothing of each other, and row-level security rejects what a statement forgets', async () => {
    cluster!.psql('CREATE ROLE toolpact LOGIN')
    cluster!.psql('GRANT CREATE ON DATABASE postgres TO toolpact')
    const url = cluster!.url.replace('postgres@', 'toolpact@')
    const [one, other] = [await openPostgresStorage({ url, tenant: 'one' }), await openPostgresStorage({ url, tenant: "o'ther\0" })] // biome-ignore format: one line
    await one.ledger.append(toIntent('call'), { durable: true })
    await one.approvals.request(question, 10)
    await one.rules.add(toRule('rule'))
    await one.tokens.create('local')
    await one.notes.set('note', 1)
    await one.evidence.keep('call', 'text')
    await one.replies.claim('key', 'input', { now: 0, expiresAt: 1000 })
    await one.counters.take('key', { count: 1, windowMs: 1000 }, 0)
    await one.sessions.begin({ id: 's1', workspace: '/w', title: 'first' }, 1)

    expect(await other.ledger.read()).toEqual([])
    expect(await other.ledger.read({ callId: 'call' })).toEqual([])
    expect(await other.ledger.calls()).toEqual({ calls: [], before: null })
    expect(await other.ledger.totals()).toEqual([])
    expect(await other.approvals.questions(10)).toEqual([])
    expect(await other.approvals.answer(question.id, { answer: 'yes', by: 'Eve' }, 10)).toEqual({ taken: false, state: 'expired' }) // biome-ignore format: one line
    expect(await other.rules.load()).toEqual([])
    expect(await other.tokens.load()).toEqual([])
    expect(await other.notes.get('note')).toBeUndefined()
    expect(await other.evidence.get('call')).toBeUndefined()
    expect(await other.replies.claim('key', 'another', { now: 0, expiresAt: 1000 })).toEqual({ state: 'claimed' })
    expect(await other.counters.take('key', { count: 1, windowMs: 1000 }, 0)).toEqual({ taken: true })
    expect(await other.sessions.list()).toEqual([])
    await Promise.all([one.close(), other.close()])

    const tables = cluster!.psql("SELECT tablename FROM pg_tables WHERE schemaname = 'toolpact' AND tablename <> 'schema_version'").split('\n') // biome-ignore format: one line
    expect(tables.length).toBeGreaterThan(20)
    for (const tenant of ['another', undefined]) {
      const client = postgres(url, { max: 1, connection: tenant ? ({ 'toolpact.tenant': tenant } as object) : {} })
      for (const table of tables)
        expect([table, (await client.unsafe(`SELECT * FROM toolpact.${table}`)).length]).toEqual([table, 0])
      const forged = client.unsafe("INSERT INTO toolpact.notes VALUES ('one', 'forged', '1')")
      await expect(forged).rejects.toThrow('row-level security')
      await client.end()
    }
  })
})
