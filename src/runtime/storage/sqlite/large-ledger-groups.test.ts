import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { toVersion20 } from '../../../../test/helpers/state-version-20.ts'
import type { LedgerQuery, Storage } from '../storage.ts'
import { toIntent, toOutcome } from '../suite/records.ts'
import { openSqliteStorage } from './sqlite.ts'

const root = mkdtempSync(join(tmpdir(), 'toolpact-groups-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const calls = 9000
const ids = Array.from({ length: calls }, (_, index) => (index % 1000 === 0 ? `${index}` : randomUUID()))

test('finds a call in groups of blocks, in blocks and after them, also after a migration and after archiving', async () => {
  const directory = join(root, 'groups')
  const storage = openSqliteStorage({ directory })
  for (let from = 0; from < calls; from += 1000)
    await Promise.all(
      ids.slice(from, from + 1000).flatMap((id, index) => {
        const at = new Date(Date.UTC(2026, 0, 1) + (from + index) * 1000).toISOString()
        const tool = toTool(from + index)
        return [toIntent(id, { at, tool }), toOutcome(id, { at, tool })].map((record) => storage.ledger.append(record, { durable: false })) // biome-ignore format: one line
      }),
    )
  await storage.ledger.calls({ limit: 1 })
  await storage.close()
  const path = join(directory, 'toolpact.db')
  expect(read(path, 'SELECT count(*) AS found FROM ledger_groups')).toBe(1)
  expect(read(path, "SELECT count(*) AS found FROM ledger_blocks WHERE ids = ''")).toBe(32)
  expect(read(path, toolBlocks('test.common'))).toBe(32)
  await expectFound(directory, 0)

  // As version 15 left it.
  const database = new DatabaseSync(path)
  database.exec(`
    ${toVersion20}
    UPDATE ledger_blocks SET ids = (SELECT group_concat(char(10) || id, '') FROM ledger_ids WHERE block = first) WHERE ids = '';
    DROP TABLE connections; DROP TABLE runs; DROP TABLE run_texts; DROP TABLE run_steps; DROP TABLE journal_key; DROP TABLE runs_version;
    DROP TABLE sign_ins; DROP TABLE ledger_groups; DROP TABLE ledger_ids; PRAGMA user_version = 15
  `)
  database.close()
  await expectFound(directory, 0)
  const migrated = openSqliteStorage({ directory })
  await migrated.ledger.append(toIntent('one-more'), { durable: true })
  await migrated.close()
  expect(read(path, 'SELECT count(*) AS found FROM ledger_groups')).toBe(1)
  expect(read(path, toolBlocks('test.common'))).toBe(32)
  await expectFound(directory, 0)

  // As version 20 left it.
  const before = new DatabaseSync(path)
  before.exec(toVersion20)
  before.close()
  const old = openSqliteStorage({ directory, access: 'read' })
  expect((await old.ledger.calls({ tool: 'test.first' })).calls).toHaveLength(1)
  await old.close()
  await expectFound(directory, 0)
  expect(read(path, toolBlocks('test.common'))).toBe(32)
  expect(read(path, toolBlocks('test.first'))).toBe(1)

  const archiving = openSqliteStorage({ directory })
  await archiving.ledger.archive({ before: new Date(Date.UTC(2026, 0, 1) + 2000 * 1000) })
  await archiving.close()
  await expectFound(directory, 2000)
  const again = openSqliteStorage({ directory })
  await again.ledger.archive({ before: new Date(Date.UTC(2026, 0, 1) + 8500 * 1000) })
  await again.close()
  expect(read(path, 'SELECT count(*) AS found FROM ledger_ids')).toBe(0)
  expect(read(path, 'SELECT count(*) AS found FROM ledger_tool_blocks')).toBe(0)
  await expectFound(directory, 8500)
})

function toTool(index: number): string {
  return index === 0 ? 'test.first' : index % 1000 === 0 ? 'test.rare' : 'test.common'
}

/** Every call from this one on is found, by its id and by its beginning; earlier ones are archived. */
async function expectFound(directory: string, first: number) {
  const storage = openSqliteStorage({ directory })
  for (const index of [0, 1, 255, 256, 4000, 8191, 8192, 8703, 8704, calls - 1]) {
    const id = ids[index]!
    const expected = index < first ? [] : [id, id]
    expect(await find(storage, { callId: id })).toEqual(expected)
    expect(await find(storage, { callIdPrefix: id.slice(0, 12) })).toEqual(await scan(storage, id.slice(0, 12)))
  }
  expect(await find(storage, { callIdPrefix: '80' })).toEqual(await scan(storage, '80'))
  expect(await find(storage, { callIdPrefix: '' })).toHaveLength((await storage.ledger.read()).length)
  expect(await find(storage, { callId: 'none' })).toEqual([])
  for (const tool of ['test.first', 'test.rare', 'test.none']) {
    const made = ids.filter((_, index) => index >= first && toTool(index) === tool)
    const { calls } = await storage.ledger.calls({ tool })
    expect(calls.map(({ callId }) => callId)).toEqual(made.reverse())
    const [newest] = (await storage.ledger.calls({ tool, limit: 1 })).calls
    const before = newest?.seq ?? 1
    expect((await storage.ledger.calls({ tool, before })).calls).toEqual(calls.slice(1))
  }
  await storage.close()
}

async function find({ ledger }: Storage, query: LedgerQuery): Promise<string[]> {
  return (await ledger.read(query)).map(({ record }) => record.callId)
}

async function scan({ ledger }: Storage, prefix: string): Promise<string[]> {
  return (await ledger.read()).map(({ record }) => record.callId).filter((id) => id.startsWith(prefix))
}

function toolBlocks(tool: string): string {
  return `SELECT count(*) AS found FROM ledger_tool_blocks WHERE tool = '${tool}'`
}

function read(path: string, query: string): number {
  const database = new DatabaseSync(path, { readOnly: true })
  const { found } = database.prepare(query).get() as { found: number }
  database.close()
  return found
}
