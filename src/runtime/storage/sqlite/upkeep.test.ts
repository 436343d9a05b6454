import { once } from 'node:events'
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { startStorageProcess } from '../../../../test/processes/start-storage-process.ts'
import type { LedgerEntry, Storage } from '../storage.ts'
import { toIntent } from '../suite/records.ts'
import { openSqliteStorage, type SqliteStorageOptions } from './sqlite.ts'
import { shareWriteTurns } from './write-turns.ts'

const root = mkdtempSync(join(tmpdir(), 'toolpact-upkeep-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let directories = 0
const opened: Storage[] = []
/** Threads that were started. */
let threads: Worker[] = []
const note = (worker: Worker) => threads.push(worker)
beforeEach(() => {
  threads = []
  process.on('worker', note)
})
afterEach(async () => {
  process.off('worker', note)
  for (const storage of opened.splice(0)) await storage.close()
})

/** More than a process needs to start its thread. */
const many = 1500

test('a process with few records starts no thread', async () => {
  const { storage } = openNew()
  await append(storage, 0, 500)
  expect(await storage.ledger.head()).toMatchObject({ seq: 500 })
  expect(threads).toEqual([])
})

test('a thread imports what is written, in order, and nothing is left in journals', async () => {
  const { storage, journals } = await openTended()
  await append(storage, many, 3000)
  expect(await read(storage)).toEqual(toNames(many + 3000))
  expect(await storage.ledger.verify()).toMatchObject({ intact: true, entries: many + 3000 })
  await expect.poll(journals, { timeout: 30_000 }).toEqual([])
  expect(threads).toHaveLength(1)
})

test('it does so without being read', async () => {
  const { directory, storage, journals } = await openTended()
  await append(storage, many, 10)
  await expect.poll(journals, { timeout: 30_000 }).toEqual([])
  // Another process would otherwise import it itself.
  expect(await read(open(directory, { access: 'read' }))).toEqual(toNames(many + 10))
})

test('it indexes and adds to the tree', async () => {
  const { storage } = await openTended()
  await append(storage, many, 4000)
  await expect.poll(async () => (await storage.proof!.tree()).size, { timeout: 30_000 }).toBeGreaterThanOrEqual(4096)
  expect((await storage.ledger.totals()).length).toBeGreaterThan(0)
})

test('records that wait for the disk keep their place among the others', async () => {
  const { storage } = await openTended()
  const numbers = Array.from({ length: 3000 }, (_, index) => many + index)
  await Promise.all(numbers.map((number) => storage.ledger.append(toIntent(`${number}`), { durable: number % 50 === 7 }))) // biome-ignore format: one line
  expect(await read(storage)).toEqual(toNames(many + 3000))
  expect(await storage.ledger.verify()).toMatchObject({ intact: true, entries: many + 3000 })
})

test('a reader sees every record that was acknowledged, at any time', async () => {
  const { storage } = await openTended()
  let acknowledged = many
  const writing = (async () => {
    for (let number = many; number < many + 1000; number++) {
      await storage.ledger.append(toIntent(`${number}`), { durable: false })
      acknowledged = number + 1
    }
  })()
  for (let look = 0; look < 30; look++) {
    const before = acknowledged
    expect((await storage.ledger.head()).seq).toBeGreaterThanOrEqual(before)
  }
  await writing
  expect((await storage.ledger.head()).seq).toBe(many + 1000)
})

test('more than the thread can import at once waits for it, and gives others a turn', async () => {
  const { storage } = await openTended()
  let turns = 0
  const timer = setInterval(() => turns++, 0)
  const numbers = Array.from({ length: 20_000 }, (_, index) => many + index)
  await Promise.all(numbers.map((number) => storage.ledger.append(toIntent(`${number}`), { durable: false })))
  clearInterval(timer)
  expect(turns).toBeGreaterThan(0)
  expect((await storage.ledger.head()).seq).toBe(many + 20_000)
})

test('closing imports what the thread has not, and ends it', async () => {
  const { directory, storage, journals } = await openTended()
  await append(storage, many, 200)
  const ended = once(threads[0]!, 'exit')
  await storage.close()
  await ended
  expect(journals()).toEqual([])
  expect(await read(open(directory))).toEqual(toNames(many + 200))
})

test('a process that does not close its storage ends nevertheless, since its thread has nothing to do', async () => {
  const directory = newDirectory()
  const { child, said } = startStorageProcess(['leave', directory, 'call', 100])
  const acknowledged = new Set(await said)
  expect(child.exitCode).toBe(0)
  const found = (await readAll(open(directory))).map(({ record }) => `${record.kind} ${record.callId}`)
  expect(found.filter((line) => acknowledged.has(line))).toHaveLength(2200)
})

test('if the thread ends, the process goes on alone and nothing is lost', async () => {
  const { storage, journals } = await openTended()
  await append(storage, many, 100)
  await threads[0]!.terminate()
  await append(storage, many + 100, 2000)
  expect(await read(storage)).toEqual(toNames(many + 2100))
  expect(await storage.ledger.verify()).toMatchObject({ intact: true, entries: many + 2100 })
  expect(journals()).toEqual([])
  expect(threads).toHaveLength(1)
})

test('if the database is moved away, calls are refused, and after its return nothing is lost', async () => {
  const reports: string[] = []
  const { directory, storage } = await openTended({ report: (message) => reports.push(message) })
  await storage.ledger.head()
  for (const name of ['toolpact.db', 'toolpact.db-wal', 'toolpact.db-shm']) move(directory, name, `away-${name}`)
  let acknowledged = many
  await expect(async () => {
    for (; acknowledged < many + 100_000; acknowledged++)
      await storage.ledger.append(toIntent(`${acknowledged}`), { durable: false })
  }).rejects.toThrow(/moved|replaced|deleted/)
  expect(reports.join('\n')).toMatch(/^Calls are refused because they cannot be recorded/)
  for (const name of ['toolpact.db', 'toolpact.db-wal', 'toolpact.db-shm']) move(directory, `away-${name}`, name)
  await storage.ledger.append(toIntent(`${acknowledged}`), { durable: true })
  expect(await read(storage)).toEqual(toNames(acknowledged + 1))
})

test('threads of two processes share a ledger', async () => {
  const directory = newDirectory()
  const [one, other] = [open(directory), open(directory)]
  await Promise.all([append(one, 0, 5000, 'one'), append(other, 0, 5000, 'other')])
  const names = await read(one)
  for (const name of ['one', 'other'])
    expect(names.filter((found) => found.startsWith(name))).toEqual(toNames(5000).map((number) => name + number))
  expect(await other.ledger.verify()).toMatchObject({ intact: true, entries: 10_000 })
  expect(threads).toHaveLength(2)
})

test('the thread reads journals with a secret that is kept elsewhere', async () => {
  const { storage, journals } = await openTended({ journalSecret: async () => Buffer.alloc(32, 7) })
  await append(storage, many, 500)
  await expect.poll(journals, { timeout: 30_000 }).toEqual([])
  expect(await storage.ledger.verify()).toMatchObject({ intact: true, entries: many + 500 })
})

test('a killed process loses nothing that was acknowledged, and keeps nothing twice', async () => {
  for (let round = 0; round < 4; round++) {
    const directory = newDirectory()
    const { child, said } = startStorageProcess(['append-until-killed', directory, 'call', 'not durable'])
    let lines = 0
    child.stdout!.on('data', (text: string) => {
      lines += text.split('\n').length - 1
      // Until well after its thread was started.
      if (lines > 4000 + round * 1111) child.kill('SIGKILL')
    })
    const acknowledged = await said
    const storage = open(directory)
    const found = (await readAll(storage)).map(({ record }) => `${record.kind} ${record.callId}`)
    expect(new Set(found).size).toBe(found.length)
    const kept = new Set(found)
    expect(acknowledged.filter((line) => !kept.has(line))).toEqual([])
    expect(await storage.ledger.verify()).toMatchObject({ intact: true, entries: found.length })
  }
})

test('two threads never write at the same time, and a turn that was never ended is over at last', async () => {
  const turns = shareWriteTurns()
  const counts = new Int32Array(new SharedArrayBuffer(4))
  const script = `
    import { parentPort, workerData } from 'node:worker_threads'
    const { shareWriteTurns } = await import(workerData.module)
    const { take } = shareWriteTurns(workerData.shared)
    for (let count = 0; count < 20000; count++) take(() => { workerData.counts[0] = workerData.counts[0] + 1 })
    workerData.shared[0] = 1
    parentPort.postMessage('done')`
  const module = new URL('write-turns.ts', import.meta.url).href
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`), { workerData: { module, shared: turns.shared, counts }, execArgv: [] }) // biome-ignore format: one line
  const done = once(worker, 'message')
  for (let count = 0; count < 20_000; count++)
    turns.take(() => {
      counts[0] = counts[0]! + 1
    })
  await done
  expect(counts[0]).toBe(40_000)
  // Within a turn, another is part of it.
  expect(turns.take(() => turns.take(() => 'inner'))).toBe('inner')
  await worker.terminate()
})

function newDirectory(): string {
  return join(root, `${directories++}`)
}

function open(directory: string, options: Partial<SqliteStorageOptions> = {}): Storage {
  const storage = openSqliteStorage({ directory, ...options })
  opened.push(storage)
  return storage
}

function openNew(options: Partial<SqliteStorageOptions> = {}) {
  const directory = newDirectory()
  const storage = open(directory, options)
  return { directory, storage, journals: () => readdirSync(directory).filter((name) => name.startsWith('reads-')) }
}

/** With a thread that imports. */
async function openTended(options: Partial<SqliteStorageOptions> = {}) {
  const place = openNew(options)
  await append(place.storage, 0, many)
  expect(threads).toHaveLength(1)
  await once(threads[0]!, 'message')
  return place
}

async function append(storage: Storage, from: number, count: number, prefix = ''): Promise<void> {
  for (let number = from; number < from + count; number++)
    await storage.ledger.append(toIntent(`${prefix}${number}`), { durable: false })
}

async function read(storage: Storage): Promise<string[]> {
  return (await readAll(storage)).map(({ record }) => record.callId)
}

async function readAll({ ledger }: Storage): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = []
  for (;;) {
    const page = await ledger.read({ afterSeq: entries.at(-1)?.seq ?? 0, first: 5000 })
    if (page.length === 0) return entries
    entries.push(...page)
  }
}

function toNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${index}`)
}

function move(directory: string, from: string, to: string): void {
  renameSync(join(directory, from), join(directory, to))
}
