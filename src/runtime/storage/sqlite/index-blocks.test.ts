import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import type { LedgerRecord } from '../storage.ts'
import { toIntent, toOutcome, toRefusal } from '../suite/records.ts'
import { type ImportIndex, indexBlocks, indexImports } from './index-blocks.ts'
import { blockSize } from './ledger-blocks.ts'
import { bringUpToDate } from './schema.ts'
import { cacheStatements } from './statement-cache.ts'

const root = mkdtempSync(join(tmpdir(), 'toolpact-index-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Calls that overlap, some of them for longer than a block. */
const texts = toTexts(2500)

test.each([1, 100, 512, 700, 5000])('indexes while importing %i at a time as it does afterwards', (size) => {
  const afterwards = openNew()
  afterwards.insert(texts)
  afterwards.index()
  const meanwhile = openNew()
  const index = indexImports(meanwhile.sql)
  for (let from = 0; from < texts.length; from += size) meanwhile.insert(texts.slice(from, from + size), index)
  expect(meanwhile.dump()).toEqual(afterwards.dump())
  expect(meanwhile.dump().ledger_blocks).toHaveLength(Math.floor(texts.length / blockSize))
})

test('continues after a transaction that failed', () => {
  const expected = openNew()
  expected.insert(texts)
  expected.index()
  const found = openNew()
  const index = indexImports(found.sql)
  found.insert(texts.slice(0, 300), index)
  expect(() => found.insert([...texts.slice(300, 1500), null as never], index)).toThrow()
  index.forget()
  found.insert(texts.slice(300), index)
  expect(found.dump()).toEqual(expected.dump())
})

test('leaves a block to another process that has indexed it, and continues after it', () => {
  const expected = openNew()
  expected.insert(texts)
  expected.index()
  const found = openNew()
  const index = indexImports(found.sql)
  found.insert(texts.slice(0, 500), index)
  // Another process imports and indexes.
  found.insert(texts.slice(500, 520))
  found.index()
  found.insert(texts.slice(520, 1000), index)
  found.insert(texts.slice(1000, 1700))
  found.insert(texts.slice(1700), index)
  found.index()
  expect(found.dump()).toEqual(expected.dump())
})

test('a block that began before entries were archived is indexed by what is left', () => {
  const found = openNew()
  const index = indexImports(found.sql)
  found.insert(texts.slice(0, 600), index)
  found.sql('UPDATE ledger_origin SET seq = 512').run()
  found.insert(texts.slice(600, 1024), index)
  expect(found.dump().ledger_blocks).toHaveLength(1)
  found.index()
  expect(found.dump().ledger_blocks).toHaveLength(2)
})

function openNew() {
  const path = join(root, `${randomUUID()}.db`)
  const connection = new DatabaseSync(path)
  bringUpToDate(connection, path, () => {})
  const sql = cacheStatements(connection)
  let seq = 0

  function insert(added: readonly string[], index?: ImportIndex) {
    const before = seq
    sql('BEGIN IMMEDIATE').run()
    try {
      for (const text of added) {
        seq += 1
        sql('INSERT INTO ledger VALUES (?, ?, ?)').run(seq, text, '')
        index?.add({ seq, text })
      }
      sql('COMMIT').run()
    } catch (error) {
      seq = before
      sql('ROLLBACK').run()
      throw error
    }
  }

  function dump() {
    const tables = ['ledger_blocks', 'ledger_open', 'ledger_late', 'ledger_spans', 'ledger_tools', 'ledger_callers']
    return Object.fromEntries(tables.map((table) => [table, sql(`SELECT * FROM ${table}`).all()]))
  }

  return { sql, insert, index: () => indexBlocks(sql, 1000), dump }
}

function toTexts(count: number): string[] {
  const records: LedgerRecord[] = []
  const open: string[] = []
  for (let number = 0; records.length < count; number++) {
    const callId = `${number}-${'0'.repeat(20)}`
    const at = new Date(Date.UTC(2026, 0, 1) + number * 7000).toISOString()
    if (number % 11 === 3) records.push(toRefusal(callId, { at, tool: 'web.fetch' }))
    else {
      records.push(toIntent(callId, { at, caller: { name: `caller ${number % 3}` } }))
      open.push(callId)
    }
    // Now and then a call stays open until much later, or for ever.
    if (number % 5 !== 0 && open.length > 3) records.push(toOutcome(open.splice(number % 3, 1)[0]!, { at, success: number % 4 > 0, durationMs: number })) // biome-ignore format: one line
  }
  return records.slice(0, count).map((record) => JSON.stringify(record))
}
