import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { findJournals, leaveJournal } from '../../../../test/helpers/leave-journal.ts'
import type { Storage } from '../storage.ts'
import { toIntent } from '../suite/records.ts'
import { openSqliteStorage, type SqliteStorageOptions } from './sqlite.ts'

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

  test('is taken whatever its length and its characters, alone and together', async () => {
    const { directory, storage } = openNew()
    const inputs = [
      'Ada',
      'Änne 🙂 \u{10ffff} 数',
      '\ud800',
      'ä'.repeat(21_000),
      'x'.repeat(65_280),
      '数'.repeat(100_000),
      '',
    ]
    const write = (name: string, index: number) => storage.ledger.append(toIntent(`${index}`, { input: { name } }), { durable: false }) // biome-ignore format: one line
    for (const [index, name] of inputs.entries()) await write(name, index)
    await Promise.all(inputs.map((name, index) => write(name, inputs.length + index)))
    const other = open(directory)
    const found = (await other.ledger.read()).map(({ record }) => (record as { input: unknown }).input)
    expect(found).toEqual([...inputs, ...inputs].map((name) => ({ name })))
    expect(await other.ledger.verify()).toMatchObject({ intact: true, entries: 2 * inputs.length })
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
    leaveJournal(directory, ['1'], ['2'])
    const next = open(directory)
    await next.ledger.append(toIntent('3'), { durable: true })
    expect(entries()).toBe(3)
    expect(journals()).toHaveLength(1)
    setAge(directory)
    expect(await read(next)).toEqual(['1', '2', '3'])
    expect(journals()).toEqual([])
    expect(await read(open(directory))).toEqual(['1', '2', '3'])
  })

  test('is taken once even if its process only hung, and continues', async () => {
    const { directory, storage, journals } = openNew()
    await append(storage, '1', '2')
    setAge(directory)
    const other = open(directory)
    for (let round = 0; round < 3; round++) expect(await read(other)).toEqual(['1', '2'])
    expect(journals()).toEqual([])
    await append(storage, '3')
    expect(await read(storage)).toEqual(['1', '2', '3'])
  })

  test('in part is no record', async () => {
    const { directory, storage } = openNew()
    leaveJournal(directory, ['1'], ['2', '3'])
    edit(directory, (text) => text.slice(0, -10))
    setAge(directory)
    expect(await read(storage)).toEqual(['1'])
    expect(await storage.ledger.verify()).toMatchObject({ intact: true })
    expect(readdirSync(directory).filter((name) => name.startsWith('refused-'))).toEqual([])
  })
})

describe('a journal that something else wrote to', () => {
  const forgeries: [string, (text: string) => string, { left: string[]; refused: number }][] = [
    ['a line without a MAC', (text) => `${text}${JSON.stringify(toIntent('forged'))}\n`, { left: ['1', '2', '3', '4'], refused: 1 }],
    ['a changed record', (text) => text.replace('"callId":"2"', '"callId":"x"'), { left: ['1', '4'], refused: 1 }],
    ['a changed number', (text) => text.replace(/^3 /m, '7 '), { left: ['1', '2', '3'], refused: 1 }],
    ['a line twice under another number', (text) => `${text}9${text.slice(1, text.indexOf('\n') + 1)}`, { left: ['1', '2', '3', '4'], refused: 1 }],
    ['a line removed', (text) => text.split('\n').toSpliced(1, 1).join('\n'), { left: ['1', '4'], refused: 1 }],
    ['data that is no text', (text) => text.replace('\n', '\n\0\0\xff\n'), { left: ['1', '2', '3', '4'], refused: 1 }],
  ] // biome-ignore format: a table

  test.each(forgeries)(
    '%s: the others are imported, it is kept aside and named',
    async (_, forge, { left, refused }) => {
      const reported: string[] = []
      const { directory, journals } = openNew()
      leaveJournal(directory, ['1'], ['2', '3'], ['4'])
      edit(directory, forge)
      setAge(directory)
      const next = open(directory, { report: (message) => reported.push(message) })
      expect(await read(next)).toEqual(left)
      expect(journals()).toEqual([])
      const file = readdirSync(directory).find((name) => name.startsWith('refused-'))!
      expect(readFileSync(join(directory, file), 'utf8').trim().split('\n')).toHaveLength(refused)
      if (process.platform !== 'win32') expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600)
      expect(reported).toEqual([expect.stringContaining(file)])
      const reason = expect.stringMatching(
        /^1 line of a journal .* not in the ledger\. Read .*refused-.*move the file away/,
      )
      const verdict = { intact: false, fault: 'journal', entries: left.length, reason }
      expect(await next.ledger.verify()).toMatchObject(verdict)
      expect(await open(directory, { access: 'read' }).ledger.verify()).toMatchObject(verdict)
      expect(await next.health()).toMatchObject({ isWritable: true, refusedLines: 1 })
      rmSync(join(directory, file))
      expect(await next.ledger.verify()).toMatchObject({ intact: true, entries: left.length })
    },
  )

  test('is named at once, and what follows waits for its process, which knows what it wrote', async () => {
    const { directory, storage } = openNew({ lockTimeoutMs: 20 })
    const other = open(directory)
    await append(storage, '1', '2', '3')
    edit(directory, (text) => text.replace('"callId":"2"', '"callId":"x"'))
    expect(await read(other)).toEqual(['1'])
    expect(await other.ledger.verify()).toMatchObject({ intact: false, fault: 'journal' })
    expect(await read(storage)).toEqual(['1', '2', '3'])
  })

  test('and put back after it was imported is not imported again', async () => {
    const { directory, storage, journals } = openNew()
    await append(storage, '1')
    const [name] = journals()
    copyFileSync(join(directory, name!), join(root, name!))
    expect(await read(storage)).toEqual(['1'])
    await append(storage, '2')
    await storage.close()
    copyFileSync(join(root, name!), join(directory, name!))
    setAge(directory)
    const next = open(directory)
    expect(await read(next)).toEqual(['1', '2'])
    expect(await next.ledger.verify()).toMatchObject({ intact: true })
    expect(journals()).toEqual([])
  })

  test('or made under another name is refused as a whole', async () => {
    const { directory, storage, journals } = openNew()
    leaveJournal(directory, ['1'])
    renameSync(join(directory, journals()[0]!), join(directory, 'reads-\x1b[2J'))
    expect(await storage.ledger.verify()).toMatchObject({ intact: false, fault: 'journal' })
    expect(await read(storage)).toEqual([])
    expect(readdirSync(directory)).toContain('refused-__2J.jsonl')
  })
})

describe('a secret that is kept elsewhere', () => {
  const withSecret = (letter: string) => ({ journalSecret: async () => Buffer.from(letter.repeat(32)) })

  test('is loaded with the first record, which is committed meanwhile', async () => {
    const { directory, entries, journals } = openNew()
    const storage = open(directory, withSecret('a'))
    await append(storage, '1')
    expect(entries()).toBe(1)
    await append(storage, '2')
    expect(journals()).toHaveLength(1)
    expect(await read(open(directory, withSecret('a')))).toEqual(['1', '2'])
  })

  test('alone makes lines that count: those with the secret of the database are not imported', async () => {
    const { directory, storage, journals, entries } = openNew()
    leaveJournal(directory, ['forged'])
    setAge(directory)
    const next = open(directory, withSecret('a'))
    await append(next, '1', '2')
    expect(await read(next)).toEqual(['1', '2'])
    expect(await next.ledger.verify()).toMatchObject({
      intact: false,
      fault: 'journal',
      reason: expect.stringMatching(/reads-.* written with a key that this process does not have/),
    })
    rmSync(join(directory, journals()[0]!))
    expect(await next.ledger.verify()).toMatchObject({ intact: true })
    // A process without the secret writes no journal from now on.
    await append(storage, '3')
    expect(entries()).toBe(3)
  })

  test('that this process does not have, or cannot read, leaves the journal unused', async () => {
    const { directory, entries, journals } = openNew()
    const storage = open(directory, { journalSecret: async () => undefined })
    const other = open(directory, { journalSecret: () => Promise.reject(new Error('no such file')) })
    await append(storage, '1', '2')
    await append(other, '3')
    expect(entries()).toBe(3)
    expect(journals()).toEqual([])
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

function openNew(options: Options = {}) {
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
    journals: () => findJournals(directory),
    entries: () => sql('SELECT count(*) AS count FROM ledger')!.count,
  }
}

type Options = Omit<SqliteStorageOptions, 'directory'>

function open(directory: string, options: Options = {}): Storage {
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

/** Of all journals there. */
function edit(directory: string, change: (text: string) => string) {
  for (const name of findJournals(directory))
    writeFileSync(join(directory, name), change(readFileSync(join(directory, name), 'utf8')))
}

function setAge(directory: string) {
  const before = new Date(Date.now() - 120_000)
  for (const name of findJournals(directory)) utimesSync(join(directory, name), before, before)
}
