import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, test } from 'vitest'
import { toEntryHash } from '../ledger-chain.ts'
import { toIntent } from '../suite/records.ts'
import { openSqliteStorage } from './sqlite.ts'

const root = mkdtempSync(join(tmpdir(), 'toolpact-ledger-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let directories = 0

describe('verification finds what was done to the file', () => {
  const forged = "'forged', 'f'"
  const moveUp = (from: number) =>
    `UPDATE ledger SET seq = -seq WHERE seq >= ${from}; UPDATE ledger SET seq = 1 - seq WHERE seq < 0;`
  test.each([
    ['a changed text', "UPDATE ledger SET text = replace(text, 'Ada', 'Eve') WHERE seq = 5", 5, /^Entry 5 .* changed/],
    ['a changed character', "UPDATE ledger SET text = text || ' ' WHERE seq = 1", 1, /^Entry 1 .* changed/],
    ['a changed last text', "UPDATE ledger SET text = '{}' WHERE seq = 10", 10, /^Entry 10 .* changed/],
    ['a changed hash', "UPDATE ledger SET hash = 'f' WHERE seq = 5", 5, /^Entry 5 .* changed/],
    ['a removed first entry', 'DELETE FROM ledger WHERE seq = 1', 1, 'Missing: entry 1.'],
    ['a removed entry', 'DELETE FROM ledger WHERE seq = 5', 5, 'Missing: entry 5.'],
    ['a removed last entry', 'DELETE FROM ledger WHERE seq = 10', 10, 'Missing at the end: entry 10.'],
    ['all entries removed', 'DELETE FROM ledger', 1, 'Missing at the end: entries 1 to 10.'],
    [
      'two swapped entries',
      'UPDATE ledger SET seq = -1 WHERE seq = 5; UPDATE ledger SET seq = 5 WHERE seq = 6; UPDATE ledger SET seq = 6 WHERE seq = -1',
      5,
      /^Entry 5 was added or moved/,
    ],
    [
      'an entry put between',
      `${moveUp(5)} INSERT INTO ledger VALUES (5, ${forged}); UPDATE head SET seq = 11`,
      5,
      /^Entry 5 was added or moved/,
    ],
    ['an entry put before the first', `INSERT INTO ledger VALUES (0, ${forged})`, 0, /numbered 0/],
    ['an entry put far before the first', `INSERT INTO ledger VALUES (-99, ${forged})`, -99, /numbered -99/],
    ['an entry put after the last', `INSERT INTO ledger VALUES (11, ${forged})`, 11, /^Entry 11 does not follow/],
    ['an entry put far after the last', `INSERT INTO ledger VALUES (99, ${forged})`, 11, /^Missing: entries 11 to 98/],
    ['a head moved back', 'UPDATE head SET seq = 8', 9, /Beyond the ledger's head/],
    ['a head moved on', 'UPDATE head SET seq = 12', 11, 'Missing at the end: entries 11 to 12.'],
    ['a changed head', "UPDATE head SET hash = 'f'", 10, /head does not match entry 10/],
    ['a removed head', 'DELETE FROM head', 1, /Beyond the ledger's head/],
  ])('%s', async (_, sql, brokenAtSeq, reason) => {
    const { ledger, edit, close } = await openLedger(10)
    expect(await ledger.verify()).toMatchObject({ intact: true, entries: 10 })
    edit(sql)
    expect(await ledger.verify()).toMatchObject({
      intact: false,
      brokenAtSeq,
      reason: typeof reason === 'string' ? reason : expect.stringMatching(reason),
    })
    await close()
  })

  test('an entry added with a right hash, as far as that goes', async () => {
    const { ledger, edit, close } = await openLedger(10)
    const last = (await ledger.read({ last: 1 }))[0]!
    edit(`INSERT INTO ledger VALUES (11, 'forged', '${toEntryHash(last.hash, 'forged')}')`)
    expect(await ledger.verify()).toMatchObject({ intact: false, brokenAtSeq: 11 })
    await close()
  })

  test('in a ledger of many pages, at their edges too', async () => {
    const { ledger, edit, close } = await openLedger(3001)
    expect(await ledger.verify()).toMatchObject({ intact: true, entries: 3001 })
    for (const seq of [999, 1000, 1001, 2000, 3000, 3001]) {
      edit(`UPDATE ledger SET text = 'x' || text WHERE seq = ${seq}`)
      expect(await ledger.verify()).toMatchObject({ intact: false, brokenAtSeq: seq })
      edit(`UPDATE ledger SET text = substr(text, 2) WHERE seq = ${seq}`)
    }
    for (const seq of [1000, 1001, 3001]) {
      edit(`CREATE TABLE kept AS SELECT * FROM ledger WHERE seq = ${seq}; DELETE FROM ledger WHERE seq = ${seq}`)
      expect(await ledger.verify()).toMatchObject({ intact: false, brokenAtSeq: seq })
      edit('INSERT INTO ledger SELECT * FROM kept; DROP TABLE kept')
    }
    expect(await ledger.verify()).toMatchObject({ intact: true, entries: 3001 })
    await close()
  })
})

test('a ledger that was tampered with takes no entry in a place that is taken', async () => {
  const { ledger, edit, close } = await openLedger(3)
  edit("INSERT INTO ledger VALUES (4, 'forged', 'f')")
  await expect(ledger.append(toIntent('4'), { durable: true })).rejects.toThrow(/run toolpact ledger --verify/)
  await expect(ledger.append(toIntent('4'), { durable: false })).rejects.toThrow(/run toolpact ledger --verify/)
  edit('DELETE FROM ledger WHERE seq = 4')
  await ledger.append(toIntent('4'), { durable: false })
  expect(await ledger.verify()).toMatchObject({ intact: true, entries: 4 })
  await close()
})

test('an entry that is no longer JSON is reported by its number', async () => {
  const { ledger, edit, close } = await openLedger(3)
  edit("UPDATE ledger SET text = 'not json' WHERE seq = 2")
  await expect(ledger.read()).rejects.toThrow('Entry 2 of the ledger was damaged. Run toolpact ledger --verify.')
  await expect(ledger.read({ tool: 'learning.hello' })).rejects.toThrow('toolpact.db failed')
  expect(await ledger.read({ last: 1 })).toHaveLength(1)
  await close()
})

async function openLedger(length: number) {
  const directory = join(root, `${directories++}`)
  const { ledger, close } = openSqliteStorage({ directory })
  await Promise.all(Array.from({ length }, (_, index) => ledger.append(toIntent(`${index}`), { durable: true })))
  return {
    ledger,
    close,
    /** From outside, as somebody with another program would. */
    edit(sql: string) {
      const database = new DatabaseSync(join(directory, 'toolpact.db'))
      database.exec(sql)
      database.close()
    },
  }
}
