import { appendFileSync, copyFileSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { Storage } from '../storage.ts'
import { toIntent } from '../suite/records.ts'
import { openSqliteStorage } from './sqlite.ts'

const root = mkdtempSync(join(tmpdir(), 'toolpact-journal-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let directories = 0
const opened: Storage[] = []
afterEach(async () => {
  for (const storage of opened.splice(0)) await storage.close()
})

describe('a record that need not wait for the disk', () => {
  test('is in a private file once it is acknowledged, and a moment later in the ledger', async () => {
    const { directory, storage, journals, entries } = openNew()
    await append(storage, '1', '2')
    expect(entries()).toBe(0)
    expect(journals()).toHaveLength(1)
    if (process.platform !== 'win32') expect(statSync(join(directory, journals()[0]!)).mode & 0o777).toBe(0o600)
    await expect.poll(entries, { timeout: 60_000 }).toBe(2)
    await expect.poll(journals).toEqual([])
  })

  test('keeps its place among those that wait for the disk', async () => {
    const { storage, journals } = openNew()
    const names = Array.from({ length: 400 }, (_, index) => `${index}`)
    await Promise.all(names.map((name, index) => storage.ledger.append(toIntent(name), { durable: index % 7 === 3 })))
    expect(await read(storage)).toEqual(names)
    expect(await storage.ledger.verify()).toMatchObject({ intact: true, entries: 400 })
    expect(journals()).toEqual([])
  })

  test('is in the ledger after closing, and nothing is left beside it', async () => {
    const { directory, storage, journals } = openNew()
    await append(storage, '1')
    await storage.close()
    expect(journals()).toEqual([])
    expect(await read(open(directory))).toEqual(['1'])
  })

  test('of a program that never pauses gives others a turn', async () => {
    const { storage } = openNew()
    let turns = 0
    const timer = setInterval(() => turns++, 0)
    for (let index = 0; index < 2000; index++) await append(storage, `${index}`)
    clearInterval(timer)
    expect(turns).toBeGreaterThan(0)
  })

  test('leaves no rows about files that are gone', async () => {
    const { storage, sql } = openNew()
    for (let round = 0; round < 20; round++) {
      await append(storage, `${round}`)
      await storage.ledger.read({ last: 1 })
    }
    expect(sql('SELECT count(*) AS count FROM journals')).toEqual({ count: 1 })
  })
})

describe('what another process has written', () => {
  test('is taken once, from where it was taken before', async () => {
    const { directory, storage } = openNew()
    const other = open(directory)
    await append(storage, '1', '2')
    expect(await read(other)).toEqual(['1', '2'])
    await append(storage, '3')
    expect(await read(other)).toEqual(['1', '2', '3'])
    await append(other, '4')
    expect(await read(storage)).toEqual(['1', '2', '3', '4'])
    await append(storage, '5')
    expect(await read(storage)).toEqual(['1', '2', '3', '4', '5'])
    expect(await other.ledger.verify()).toMatchObject({ intact: true, entries: 5 })
  })

  test('and could not remove is not taken again', async () => {
    const { directory, storage, journals } = openNew()
    await append(storage, '1', '2')
    const [name] = journals()
    copyFileSync(join(directory, name!), join(root, name!))
    expect(await read(storage)).toEqual(['1', '2'])
    // As if it had been killed between the commit and the removal.
    copyFileSync(join(root, name!), join(directory, name!))
    await append(storage, '3')
    const other = open(directory)
    expect(await read(other)).toEqual(['1', '2', '3'])
    expect(await read(storage)).toEqual(['1', '2', '3'])
  })

  test('and left behind is taken with the first commit of the next one, and removed after a minute', async () => {
    const { directory, journals, entries } = openNew()
    leave(directory, [toIntent('1'), toIntent('2')])
    const next = open(directory)
    await next.ledger.append(toIntent('3'), { durable: true })
    expect(entries()).toBe(3)
    expect(journals()).toEqual(['journal-left-0'])
    setAge(directory, 'journal-left-0')
    expect(await read(next)).toEqual(['1', '2', '3'])
    expect(journals()).toEqual([])
    expect(await read(open(directory))).toEqual(['1', '2', '3'])
  })

  test('is taken once even if its process only hung, and continues', async () => {
    const { directory, storage, journals } = openNew()
    await append(storage, '1', '2')
    setAge(directory, journals()[0]!)
    const other = open(directory)
    for (let round = 0; round < 3; round++) expect(await read(other)).toEqual(['1', '2'])
    expect(journals()).toEqual([])
    await append(storage, '3')
    expect(await read(storage)).toEqual(['1', '2', '3'])
  })

  test('in part is no record', async () => {
    const { directory, storage } = openNew()
    leave(directory, [toIntent('1')], '{"kind":"intent","callId":"2"')
    expect(await read(storage)).toEqual(['1'])
  })

  test('and was damaged since is reported to readers, and stays for inspection', async () => {
    const { directory, storage, journals } = openNew()
    leave(directory, [toIntent('1')], 'not a record\n')
    setAge(directory, 'journal-left-0')
    await expect(storage.ledger.verify()).rejects.toThrow(/The file journal-left-0 beside .* damaged.* Move it away/)
    await append(storage, '2')
    expect(journals()).toContain('journal-left-0')
    rmSync(join(directory, 'journal-left-0'))
    expect(await read(storage)).toEqual(['1', '2'])
    expect(await storage.ledger.verify()).toMatchObject({ intact: true, entries: 2 })
  })
})

describe('a ledger that takes nothing', () => {
  test('keeps what was acknowledged, acknowledges no more, and continues once it can', async () => {
    const { directory, storage } = openNew({ lockTimeoutMs: 20 })
    await append(storage, '1', '2')
    const other = new DatabaseSync(join(directory, 'toolpact.db'))
    other.exec('BEGIN IMMEDIATE')
    await append(storage, '3')
    await expect(storage.ledger.read()).rejects.toThrow(/database is locked/)
    await expect(storage.ledger.append(toIntent('refused'), { durable: false })).rejects.toThrow(/database is locked/)
    other.exec('COMMIT')
    other.close()
    await append(storage, '4')
    expect(await read(storage)).toEqual(['1', '2', '3', '4'])
    expect(await storage.ledger.verify()).toMatchObject({ intact: true, entries: 4 })
  })

  test('and is closed leaves what was acknowledged for the next one', async () => {
    const { directory, storage } = openNew({ lockTimeoutMs: 20 })
    await append(storage, '1')
    const other = new DatabaseSync(join(directory, 'toolpact.db'))
    other.exec('BEGIN IMMEDIATE')
    await storage.close()
    other.exec('COMMIT')
    other.close()
    expect(await read(open(directory))).toEqual(['1'])
  })

  test('refuses a record where its file cannot be made', async () => {
    const { directory, storage } = openNew()
    await storage.ledger.append(toIntent('1'), { durable: true })
    const entries = readdirSync(directory)
    rmSync(directory, { recursive: true })
    expect(entries).toContain('toolpact.db')
    await expect(storage.ledger.append(toIntent('2'), { durable: false })).rejects.toThrow(
      /was moved, replaced or deleted/,
    )
  })
})

function openNew(options: { lockTimeoutMs?: number } = {}) {
  const directory = join(root, `${directories++}`)
  const storage = open(directory, options)
  const sql = (text: string) => {
    const database = new DatabaseSync(join(directory, 'toolpact.db'), { readOnly: true })
    try {
      return database.prepare(text).get()
    } finally {
      database.close()
    }
  }
  return {
    directory,
    storage,
    sql,
    journals: () => readdirSync(directory).filter((name) => name.startsWith('journal-')),
    entries: () => sql('SELECT count(*) AS count FROM ledger')!.count,
  }
}

function open(directory: string, options: { lockTimeoutMs?: number } = {}): Storage {
  const storage = openSqliteStorage({ directory, ...options })
  opened.push(storage)
  return storage
}

async function append(storage: Storage, ...names: string[]) {
  for (const name of names) await storage.ledger.append(toIntent(name), { durable: false })
}

async function read(storage: Storage): Promise<string[]> {
  return (await storage.ledger.read()).map(({ record }) => record.callId)
}

/** What a killed process leaves. */
function leave(directory: string, records: object[], end = '') {
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join('')
  appendFileSync(join(directory, 'journal-left-0'), text + end)
}

function setAge(directory: string, name: string) {
  const before = new Date(Date.now() - 120_000)
  utimesSync(join(directory, name), before, before)
}
