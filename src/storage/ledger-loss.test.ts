import { copyFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { toIntent } from '../../test/storage-records.ts'
import { openSqliteStorage } from './sqlite.ts'

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
    expect.stringMatching(/^The ledger was replaced: another one with at least 3 entries .*delete .*ledger-head/),
  ])
  await storage.ledger.append(toIntent('new'), { durable: true })
  const loss = { intact: false, fault: 'replaced', reason: expect.stringContaining('at least 3 entries') }
  expect(await storage.ledger.verify()).toMatchObject(loss)
  await storage.close()
  expect(await verify(directory)).toMatchObject(loss)
  rmSync(join(directory, 'ledger-head'))
  expect(await verify(directory)).toMatchObject({ intact: true, entries: 1 })
})

test('so is one in which only reads were recorded', async () => {
  const directory = await makeLedger(3, { durable: false })
  for (const part of parts) rmSync(join(directory, part))
  expect(await verify(directory)).toMatchObject({ intact: false, fault: 'replaced' })
})

test('an older copy of the database is recognised, and one that went on is not taken for one', async () => {
  const directory = await makeLedger(3)
  new DatabaseSync(join(directory, 'toolpact.db')).exec('PRAGMA wal_checkpoint(TRUNCATE)')
  copyFileSync(join(directory, 'toolpact.db'), join(directory, 'copy'))
  await append(directory, 2)
  expect(await verify(directory)).toMatchObject({ intact: true, entries: 5 })
  for (const part of parts) rmSync(join(directory, part))
  renameSync(join(directory, 'copy'), join(directory, 'toolpact.db'))
  expect(await verify(directory)).toMatchObject({
    intact: false,
    fault: 'shortened',
    reason: expect.stringMatching(/had at least 5 entries .* now ends at 3/),
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
