import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { toVersion20 } from '../../../../test/helpers/state-version-20.ts'
import { openMemoryStorage } from '../memory/memory.ts'
import { scanCalls } from '../scan-ledger.ts'
import type { CallsQuery, LedgerQuery, LedgerRecord, Storage } from '../storage.ts'
import { findAll } from '../suite/calls.ts'
import { toIntent, toOutcome, toRefusal, toStep } from '../suite/records.ts'
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

test('finds and counts calls through the index as a scan of every entry does, also after archiving and a migration', async () => {
  const directory = join(root, 'calls')
  let seed = 1
  const random = (max: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % max
  }
  const records: LedgerRecord[] = []
  const running: { id: string; tool: string; isRun: boolean }[] = []
  const begin = Date.UTC(2026, 0, 1)
  const at = () => new Date(begin + records.length * 20_000 - random(3) * 60_000).toISOString()
  while (records.length < 3333) {
    const isEnd = running.length > 0 && random(100) < 48
    if (isEnd) {
      // Some end in a much later block.
      const [{ id, tool, isRun }] = running.splice(random(10) === 0 ? 0 : running.length - 1, 1) as [
        (typeof running)[0],
      ]
      const passed = random(4) > 0
      const errorCode = passed ? null : `code_${random(5)}`
      const durationMs = random(1000)
      if (isRun) records.push(toStep(id, 'end', { at: at(), passed, details: { durationMs, ...(errorCode && { code: errorCode }) } })) // biome-ignore format: one line
      else records.push(toOutcome(id, { at: at(), tool, success: passed, errorCode, durationMs, violation: random(50) ? null : 'invalid_output' })) // biome-ignore format: one line
      continue
    }
    const id = randomUUID()
    const tool = `tools.t${random(records.length > 2000 ? 20 : 5)}`
    const caller = { name: `caller ${random(7)}` }
    const input = { text: random(300) === 0 ? 'The Needle' : 'hay' }
    const kind = random(20)
    if (kind === 0) {
      running.push({ id, tool: 'agent.ask', isRun: true })
      records.push(toStep(id, 'gate', { at: at(), details: { caller, question: input.text } }))
    } else if (kind === 1)
      records.push(toRefusal(id, { at: at(), tool, caller, input, errorCode: `code_${random(5)}` }))
    else {
      running.push({ id, tool, isRun: false })
      records.push(toIntent(id, { at: at(), tool, caller, input, approval: random(9) ? null : { answer: 'yes', by: 'Ada', waitedMs: random(500) } })) // biome-ignore format: one line
    }
    const run = running.find(({ isRun }) => isRun)
    if (run && random(5) === 0) records.push(toStep(run.id, 'call', { at: at(), passed: random(9) > 0 }))
  }
  const memory = openMemoryStorage()
  const sqlite = openSqliteStorage({ directory })
  for (const record of records)
    for (const { ledger } of [memory, sqlite]) await ledger.append(record, { durable: false })
  const entries = await memory.ledger.read()
  const since = new Date(begin + 10 * 3_600_000)
  const until = new Date(begin + 15 * 3_600_000)
  const queries: CallsQuery[] = [
    {},
    ...['tools.t3', 'tools.t17', 'agent.ask', 'none.such'].map((tool) => ({ tool })),
    ...['caller 3', 'nobody'].map((caller) => ({ caller })),
    ...['succeeded', 'failed', 'refused', 'interrupted', 'code_2', 'none'].map((outcome) => ({ outcome })),
    ...[{ since }, { until }, { since, until }, { text: 'needle' }, { text: 'n', outcome: 'failed' }, { before: 1234 }],
    { tool: 'tools.t1', caller: 'caller 1', outcome: 'code_1', since },
  ]

  async function compare({ ledger }: Storage, limits: readonly number[]) {
    for (const query of queries)
      for (const limit of limits)
        expect(await findAll(ledger, { ...query, limit }), JSON.stringify({ query, limit })).toEqual(
          scanCalls(entries, { ...query, limit: 5000 }).calls,
        )
  }

  async function compareCounts(sqlite: Storage) {
    for (const bucketMs of [60_000, 900_000, 1_800_000, 7_200_000, 86_400_000]) {
      const period = { since, until: new Date(begin + 20 * 3_600_000), bucketMs }
      expect(await sqlite.ledger.stats(period)).toEqual(await memory.ledger.stats(period))
    }
    expect(await sqlite.ledger.totals()).toEqual(await memory.ledger.totals())
    expect(await sqlite.ledger.totals('tools.t2')).toEqual(await memory.ledger.totals('tools.t2'))
  }

  await compare(sqlite, [100, 5000])
  await compareCounts(sqlite)
  await sqlite.close()
  const database = new DatabaseSync(join(directory, 'toolpact.db'))
  expect(database.prepare('SELECT count(*) AS blocks FROM ledger_blocks').get()).toEqual({ blocks: 6 })
  expect(database.prepare('SELECT count(*) AS late FROM ledger_late').get()!.late).toBeGreaterThan(100)
  database.exec(`
    ${toVersion20}
    DROP TABLE ledger_open; DROP TABLE ledger_late; DROP TABLE ledger_spans; DROP TABLE ledger_tools; DROP TABLE ledger_callers;
    DROP TRIGGER question_asked; DROP TRIGGER question_changed; DROP TRIGGER question_deleted; DROP TABLE queue_version;
    ALTER TABLE questions DROP COLUMN people_needed; ALTER TABLE questions DROP COLUMN approved_by;
    ALTER TABLE questions DROP COLUMN via; ALTER TABLE approvals DROP COLUMN approved_by; ALTER TABLE approvals DROP COLUMN via;
    ALTER TABLE questions DROP COLUMN answered_at;
    DROP TABLE ledger_tree; DROP TABLE ledger_tiles; DROP TABLE ledger_checkpoints; DROP TABLE received_checkpoints;
    DROP TABLE connections; DROP TABLE runs; DROP TABLE run_texts; DROP TABLE run_steps; DROP TABLE journal_key; DROP TABLE runs_version;
    DROP TABLE sign_ins; DROP TABLE tasks; DROP TABLE task_texts; DROP TABLE tasks_version;
    DROP TABLE ledger_groups; DROP TABLE ledger_ids; PRAGMA user_version = 10`)
  database.close()
  const old = openSqliteStorage({ directory, access: 'read' })
  await compare(old, [5000])
  await compareCounts(old)
  await old.close()
  const migrated = openSqliteStorage({ directory })
  await compare(migrated, [5000])
  await compareCounts(migrated)
  await migrated.ledger.archive({ before: new Date(begin + 600 * 20_000) })
  const archived = (await migrated.ledger.read({ first: 1 }))[0]!.seq - 1
  expect(archived).toBeGreaterThan(500)
  const kept = scanCalls(entries.slice(archived), { limit: 5000 }).calls
  expect(await findAll(migrated.ledger, { limit: 200 })).toEqual(kept)
  expect(await findAll(migrated.ledger, { outcome: 'failed' })).toEqual(kept.filter(({ state }) => state === 'failed'))
  await migrated.close()
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
