import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { openSqliteStorage } from './sqlite/sqlite.ts'
import { toIntent } from './suite/records.ts'

const root = mkdtempSync(join(tmpdir(), 'toolpact-loss-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let directories = 0

const parts = ['toolpact.db', 'toolpact.db-wal', 'toolpact.db-shm']

test('a database that was moved away is missed by the new one that takes its place', async () => {
  const directory = await makeLedger(3)
  for (const part of parts) renameSync(join(directory, part), join(directory, `old-${part}`))
  const reported: string[] = []
  const storage = openSqliteStorage({ directory, report: (message) => reported.push(message) })
  expect(reported).toEqual([
    expect.stringMatching(
      /^The ledger was replaced: before, another ledger with at least 3 entries .*delete .*ledger-head/,
    ),
  ])
  await storage.ledger.append(toIntent('new'), { durable: true })
  const loss = { intact: false, fault: 'replaced', reason: expect.stringContaining('at least 3 entries') }
  expect(await storage.ledger.verify()).toMatchObject(loss)
  await storage.close()
  expect(await verify(directory)).toMatchObject(loss)
  rmSync(join(directory, 'ledger-head'))
  expect(await verify(directory)).toMatchObject({ intact: true, entries: 1 })
})

test('so is one in which only reads were recorded, or nothing', async () => {
  for (const count of [3, 0]) {
    const directory = await makeLedger(count, { durable: false })
    for (const part of parts) rmSync(join(directory, part))
    const verdict = await verify(directory)
    expect(verdict).toMatchObject({ intact: false, fault: 'replaced' })
    expect(verdict).not.toMatchObject({ reason: expect.stringContaining(' 0 entries') })
  }
})

test.runIf(process.platform === 'linux')(
  'an older copy is recognised if only reads were recorded since, but not after a restart of the system, which may have lost them',
  async () => {
    const directory = await makeLedger(3)
    const copy = copyLedger(directory)
    await append(directory, 2, { durable: false })
    expect(await verify(directory)).toMatchObject({ intact: true, entries: 5 })
    putBack(directory, copy)
    expect(await verify(directory)).toMatchObject({
      intact: false,
      fault: 'shortened',
      reason: expect.stringContaining('at least 5 entries'),
    })
    const note = join(directory, 'ledger-head')
    writeFileSync(note, readFileSync(note, 'utf8').replace(/"boot":"[^"]+"/, '"boot":"another"'))
    expect(await verify(directory)).toMatchObject({ intact: true, entries: 3 })
  },
)

test('a commit that failed is not noted', async () => {
  const directory = await makeLedger(0)
  const storage = openSqliteStorage({ directory })
  const other = openSqliteStorage({ directory })
  await other.ledger.append(toIntent('1'), { durable: true })
  // The commit that takes the read from the journal fails. Another process takes it, after an entry of its own.
  const reading = storage.ledger.append(toIntent('read'), { durable: false })
  await expect(storage.notes.set(null as never, 1)).rejects.toThrow()
  await reading
  await other.ledger.append(toIntent('2'), { durable: true })
  expect(await other.ledger.read()).toHaveLength(3)
  const [health] = await Promise.all([storage.health(), storage.ledger.read()])
  expect(health).toMatchObject({ isWritable: true })
  await other.close()
  await storage.close()
  expect(await verify(directory)).toMatchObject({ intact: true, entries: 3 })
})

test('an older copy of the database is recognised, and one that went on is not taken for one', async () => {
  const directory = await makeLedger(3)
  const copy = copyLedger(directory)
  await append(directory, 2)
  expect(await verify(directory)).toMatchObject({ intact: true, entries: 5 })
  putBack(directory, copy)
  expect(await verify(directory)).toMatchObject({
    intact: false,
    fault: 'shortened',
    reason: expect.stringMatching(/had at least 5 entries .*, and now it has 3\./),
  })
  await append(directory, 4)
  expect(await verify(directory)).toMatchObject({ intact: false, fault: 'replaced' })
})

test('a note that cannot be read says nothing, and is written anew', async () => {
  const directory = await makeLedger(3)
  writeFileSync(join(directory, 'ledger-head'), '{"ledger":')
  expect(await verify(directory)).toMatchObject({ intact: true })
  await append(directory, 1)
  for (const part of parts) rmSync(join(directory, part))
  expect(await verify(directory)).toMatchObject({ intact: false, fault: 'replaced' })
})

async function makeLedger(count: number, options?: { durable: boolean }) {
  const directory = join(root, `${directories++}`)
  await append(directory, count, options)
  return directory
}

function copyLedger(directory: string): string {
  const database = new DatabaseSync(join(directory, 'toolpact.db'))
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  copyFileSync(join(directory, 'toolpact.db'), join(directory, 'copy'))
  return join(directory, 'copy')
}

function putBack(directory: string, copy: string) {
  for (const part of parts) rmSync(join(directory, part), { force: true })
  renameSync(copy, join(directory, 'toolpact.db'))
}

async function append(directory: string, count: number, { durable } = { durable: true }) {
  const storage = openSqliteStorage({ directory })
  for (let index = 0; index < count; index++) await storage.ledger.append(toIntent(`${Math.random()}`), { durable })
  await storage.close()
}

async function verify(directory: string) {
  const storage = openSqliteStorage({ directory })
  const verdict = await storage.ledger.verify()
  await storage.close()
  return verdict
}
