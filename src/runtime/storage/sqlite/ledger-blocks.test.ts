import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { openMemoryStorage } from '../memory/memory.ts'
import type { LedgerQuery } from '../storage.ts'
import { toIntent, toOutcome } from '../suite/records.ts'
import { openSqliteStorage } from './sqlite.ts'

const root = mkdtempSync(join(tmpdir(), 'toolpact-blocks-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

test('finds through the index, in blocks and after them, what a scan of every entry finds', async () => {
  const directory = join(root, 'index')
  const sqlite = openSqliteStorage({ directory })
  const memory = openMemoryStorage()
  const ids: string[] = []
  for (let index = 0; index < 1500; index++) {
    const callId = index % 100 === 0 ? `${index}` : randomUUID()
    ids.push(callId)
    const at = new Date(Date.UTC(2026, 0, 1) + index * 60_000 - (index % 7) * 600_000).toISOString()
    const tool = index % 400 === 5 ? 'web.fetch' : 'learning.hello'
    for (const record of [toIntent(callId, { at, tool }), toOutcome(callId, { at, tool })])
      for (const { ledger } of [sqlite, memory]) await ledger.append(record, { durable: false })
  }
  await sqlite.close()
  const database = new DatabaseSync(join(directory, 'toolpact.db'))
  expect(database.prepare('SELECT count(*) AS blocks, max(last) AS last FROM ledger_blocks').get()).toEqual({
    blocks: 5,
    last: 2560,
  })
  database.close()
  const again = openSqliteStorage({ directory })
  const since = new Date(Date.UTC(2026, 0, 1, 20))
  const queries: LedgerQuery[] = [
    ...[3, 700, 1250, 1499].flatMap((index) => [{ callId: ids[index]! }, { callIdPrefix: ids[index]!.slice(0, 3) }]),
    { callId: 'none' },
    { callIdPrefix: '' },
    { callIdPrefix: '14' },
    ...[{ tool: 'web.fetch' }, { tool: 'learning.hello', since }, { since }].flatMap((query) => [
      query,
      { ...query, last: 3 },
      { ...query, first: 3 },
      { ...query, afterSeq: 1111 },
      { ...query, afterSeq: 1111, first: 900 },
      { ...query, last: 0 },
    ]),
  ]
  for (const query of queries)
    expect(await again.ledger.read(query), JSON.stringify(query)).toEqual(await memory.ledger.read(query))
  await again.close()
})

test('a long reader lets the write-ahead log grow, and it shrinks once that has ended', async () => {
  const directory = join(root, 'log')
  const storage = openSqliteStorage({ directory })
  const log = join(directory, 'toolpact.db-wal')
  const input = { text: 'x'.repeat(100_000) }
  const append = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        storage.ledger.append(toIntent(`${index}`, { input }), { durable: true }),
      ),
    )
  await append(1)
  const reader = new DatabaseSync(join(directory, 'toolpact.db'), { readOnly: true })
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM ledger').get()
  for (let round = 0; round < 40; round++) await append(10)
  expect(statSync(log).size).toBeGreaterThan(30_000_000)
  reader.close()
  for (let round = 0; round < 40; round++) await storage.ledger.append(toIntent(`${round}`), { durable: true })
  await expect.poll(() => statSync(log).size).toBeLessThan(17_000_000)
  await storage.close()
})
