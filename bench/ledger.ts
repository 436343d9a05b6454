import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openSqliteStorage } from '../src/runtime/storage/sqlite/sqlite.ts'
import type { IntentRecord } from '../src/runtime/storage/storage.ts'
import { compare } from './compare.ts'
import type { About, Table } from './table.ts'

const record: IntentRecord = {
  kind: 'intent',
  callId: '6f1f2a3e-6a53-4c0f-9f62-0b3f3c3f9a10',
  at: '2026-01-09T10:30:00.000Z',
  caller: { name: 'bench' },
  tool: 'learning.hello',
  contractDigest: `sha256:${'0'.repeat(64)}`,
  inputDigest: `sha256:${'1'.repeat(64)}`,
  input: { name: 'Ada' },
  checks: {
    resolve: 'passed',
    bound: 'passed',
    input: 'passed',
    single_step: 'not_needed',
    rate: 'not_needed',
    decide: 'passed',
  },
  decision: { action: 'allow', rule: 'contract', reason: 'The contract asks for no approval.' },
  approval: null,
}
const text = JSON.stringify(record)
const batch = 64

export const about: About = {
  compares: 'Appends to the ledger beside bare inserts of the same text into SQLite, with the same durability.',
}

export async function* bench(): AsyncGenerator<Table> {
  for (const durable of [false, true]) {
    const folder = mkdtempSync(join(tmpdir(), 'toolpact-bench-'))
    const storage = await openSqliteStorage({ directory: join(folder, 'state') })
    const bare = openBare(join(folder, 'bare.db'), durable)
    const append = () => storage.ledger.append(record, { durable })
    const how = durable ? 'on disk (fsync)' : 'safe from a killed process'
    const rounds = durable ? { rounds: 10, samples: 20 } : { rounds: 20, samples: 100 }
    yield await compare(
      `Ledger, one append at a time, ${how}`,
      [
        { name: 'bare insert', run: () => bare.insert() },
        { name: 'ledger append', run: append },
      ],
      rounds,
    )
    yield await compare(
      `Ledger, ${batch} appends at once, ${how}`,
      [
        { name: `bare transaction of ${batch} inserts`, run: () => bare.insertMany() },
        { name: `${batch} ledger appends`, run: () => Promise.all(Array.from({ length: batch }, append)) },
      ],
      { ...rounds, operations: batch },
    )
    bare.close()
    await storage.close()
    rmSync(folder, { recursive: true })
  }
}

function openBare(path: string, durable: boolean) {
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}`)
  database.exec('CREATE TABLE entries (seq INTEGER PRIMARY KEY, text TEXT NOT NULL)')
  const insert = database.prepare('INSERT INTO entries (text) VALUES (?)')
  return {
    insert: () => insert.run(text),
    insertMany() {
      database.exec('BEGIN IMMEDIATE')
      for (let count = 0; count < batch; count++) insert.run(text)
      database.exec('COMMIT')
    },
    close: () => database.close(),
  }
}
