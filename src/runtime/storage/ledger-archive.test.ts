import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { verifyArchive } from './ledger-archive.ts'
import { openSqliteStorage } from './sqlite/sqlite.ts'
import type { Storage } from './storage.ts'
import { toIntent } from './suite/records.ts'

const root = mkdtempSync(join(tmpdir(), 'toolpact-archive-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let directories = 0
const start = Date.UTC(2026, 0, 1)
const at = (minutes: number) => new Date(start + minutes * 60_000)

test('old entries move into a private file, the rest is verified from there, and both stay verifiable', async () => {
  const { storage } = await openLedger(1500)
  const [segment, ...others] = await storage.ledger.archive({ before: at(700) })
  expect(others).toEqual([])
  expect(segment).toMatchObject({ first: 1, last: 700 })
  expect(statSync(segment!.file).mode & 0o777).toBe(0o600)
  expect(await storage.ledger.verify()).toMatchObject({ intact: true, entries: 800, archived: 700 })
  expect(await storage.ledger.archives()).toEqual([segment])
  expect(await verifyArchive(segment!.file)).toMatchObject({
    intact: true,
    entries: 700,
    after: { seq: 0 },
    end: { seq: 700, hash: segment!.hash },
  })
  expect((await storage.ledger.read({ first: 1 }))[0]).toMatchObject({ seq: 701, record: { callId: 'call-700' } })
  expect(await storage.ledger.read({ callId: 'call-3' })).toEqual([])
  expect(await storage.ledger.read({ callId: 'call-720' })).toHaveLength(1)
  await append(storage, 1500, 5)
  const [next] = await storage.ledger.archive({ before: at(1400) })
  expect(next).toMatchObject({ first: 701, last: 1400 })
  expect(await verifyArchive(next!.file)).toMatchObject({ intact: true, after: { seq: 700, hash: segment!.hash } })
  expect(await storage.ledger.verify()).toMatchObject({ intact: true, entries: 105, archived: 1400 })
  expect(await storage.ledger.archive({ before: at(1400) })).toEqual([])
  await storage.close()
})

test('an archive that was changed or cut off is recognised, and what is left of the ledger too', async () => {
  const { directory, storage } = await openLedger(20)
  const [{ file } = { file: '' }] = await storage.ledger.archive({ before: at(10) })
  const text = gunzipSync(readFileSync(file)).toString()
  const lines = text.trimEnd().split('\n')
  const check = async (changed: string) => {
    const path = join(directory, 'changed.gz')
    writeFileSync(path, gzipSync(changed))
    return verifyArchive(path)
  }
  expect(await check(text)).toMatchObject({ intact: true })
  expect(await check(text.replace('call-4', 'call-X'))).toMatchObject({
    intact: false,
    reason: expect.stringContaining('Entry 5'),
  })
  expect(await check(lines.slice(0, -1).join('\n'))).toMatchObject({
    intact: false,
    reason: 'It was cut off after entry 10.',
  })
  expect(await check(lines.toSpliced(3, 1).join('\n'))).toMatchObject({ intact: false, reason: 'Missing: entry 3.' })
  expect(await check('a letter to my aunt')).toMatchObject({
    intact: false,
    isArchive: false,
    reason: 'It is not a Toolpact archive.',
  })
  writeFileSync(join(directory, 'torn.gz'), readFileSync(file).subarray(0, 300))
  expect(await verifyArchive(join(directory, 'torn.gz'))).toMatchObject({ intact: false })
  const database = new DatabaseSync(join(directory, 'toolpact.db'))
  database.exec('DELETE FROM ledger WHERE seq = 11')
  expect(await storage.ledger.verify()).toMatchObject({ intact: false, brokenAtSeq: 11 })
  await expect(storage.ledger.archive({ before: at(15) })).rejects.toThrow(
    'The ledger is broken, so nothing was archived',
  )
  database.close()
  await storage.close()
})

test('a limit in bytes archives the oldest entries, and gives the space back to the system', async () => {
  const { directory, storage } = await openLedger(3000, 'x'.repeat(2000))
  const size = () => statSync(join(directory, 'toolpact.db')).size
  expect(await storage.ledger.archive({ maxBytes: 50_000_000 })).toEqual([])
  const [segment] = await storage.ledger.archive({ maxBytes: 4_000_000 })
  expect(segment!.last).toBeGreaterThan(1000)
  expect(segment!.last).toBeLessThan(2900)
  expect(size()).toBeLessThan(4_500_000)
  expect(statSync(join(directory, 'toolpact.db-wal')).size).toBe(0)
  expect(await storage.ledger.verify()).toMatchObject({ intact: true, archived: segment!.last })
  await storage.close()
})

test('what other tables take does not count towards a limit in bytes', async () => {
  const { storage } = await openLedger(1000, 'x'.repeat(2000))
  for (let index = 0; index < 10; index++) await storage.notes.set(`${index}`, 'x'.repeat(1_000_000))
  expect(await storage.ledger.archive({ maxBytes: 6_000_000 })).toEqual([])
  const [segment] = await storage.ledger.archive({ maxBytes: 2_000_000 })
  expect(segment!.last).toBeGreaterThan(400)
  expect(segment!.last).toBeLessThan(700)
  await storage.close()
})

test('a ledger of exactly the limit in bytes stays, and one of a byte more does not', async () => {
  const { directory, storage } = await openLedger(200)
  await storage.close()
  const database = new DatabaseSync(join(directory, 'toolpact.db'))
  const { bytes } = database
    .prepare(
      `SELECT (page_count - freelist_count) * page_size - (
         SELECT sum(pgsize) FROM dbstat
         WHERE name IN (SELECT name FROM sqlite_schema
          WHERE tbl_name NOT IN ('ledger', 'ledger_blocks', 'ledger_ids', 'ledger_tool_blocks'))
       ) AS bytes FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
    )
    .get() as { bytes: number }
  database.close()
  const reopened = openSqliteStorage({ directory })
  expect(await reopened.ledger.archive({ maxBytes: bytes })).toEqual([])
  expect(await reopened.ledger.archive({ maxBytes: bytes - 1 })).toHaveLength(1)
  await reopened.close()
})

test('two processes that archive at once archive everything once', async () => {
  const { directory, storage } = await openLedger(3000)
  const other = openSqliteStorage({ directory })
  const both = await Promise.all([storage, other].map(({ ledger }) => ledger.archive({ before: at(2900) })))
  expect(both.flat()).toMatchObject([{ first: 1, last: 2900 }])
  expect(await verifyArchive(both.flat()[0]!.file)).toMatchObject({ intact: true, entries: 2900 })
  expect(await other.ledger.verify()).toMatchObject({ intact: true, entries: 100, archived: 2900 })
  await other.close()
  await storage.close()
})

async function openLedger(count: number, text = '') {
  const directory = join(root, `${directories++}`)
  const storage = openSqliteStorage({ directory })
  await append(storage, 0, count, text)
  return { directory, storage }
}

async function append({ ledger }: Storage, from: number, count: number, text = '') {
  const records = Array.from({ length: count }, (_, index) =>
    toIntent(`call-${from + index}`, { at: at(from + index).toISOString(), input: { text } }),
  )
  await Promise.all(records.map((record) => ledger.append(record, { durable: true })))
}
