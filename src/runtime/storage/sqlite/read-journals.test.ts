import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { findJournals } from '../../../../test/helpers/leave-journal.ts'
import { type Database, openDatabase } from './database.ts'
import { openJournal } from './journal.ts'
import { openJournalKeys } from './journal-key.ts'

const root = mkdtempSync(join(tmpdir(), 'toolpact-read-journals-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const opened: Database[] = []
afterEach(() => {
  for (const database of opened.splice(0)) database.close()
})

test('a file is continued where the last look ended: lines are read once', () => {
  const { writer, read, edit } = openTwo()
  writer.write(['"1"', '"2"'])
  expect(read()).toMatchObject({ records: ['0 "1"', '1 "2"'], refused: 0 })
  // Read again, this line would be refused.
  edit((text) => text.replace('"1"', '"x"'))
  writer.write(['"3"'])
  expect(read()).toMatchObject({ records: ['0 "1"', '1 "2"', '2 "3"'], refused: 0 })
  expect(read(2)).toMatchObject({ records: ['2 "3"'], refused: 0 })
  writer.turn()
  writer.write(['"4"'])
  expect(read(2)).toMatchObject({ records: ['2 "3"', '3 "4"'], refused: 0 })
  expect(read(4)).toMatchObject({ records: [], refused: 0 })
})

test('an incomplete line is read once it is complete', () => {
  const { writer, read, edit } = openTwo()
  writer.write(['"1"'])
  writer.write(['"2é"'])
  let whole = ''
  edit((text) => {
    whole = text
    return text.slice(0, -5)
  })
  expect(read()).toMatchObject({ records: ['0 "1"'], refused: 0 })
  edit(() => whole)
  expect(read()).toMatchObject({ records: ['0 "1"', '1 "2é"'], refused: 0 })
})

test('a file that became shorter, or whose lines moved, is read as a whole', () => {
  const { writer, read, edit } = openTwo()
  writer.write(['"1"'])
  writer.write(['"2"'])
  expect(read(1)).toMatchObject({ records: ['1 "2"'], refused: 0 })
  const withoutFirst = (text: string) => text.slice(text.indexOf('\n') + 1)
  edit(withoutFirst)
  expect(read(1)).toMatchObject({ records: ['1 "2"'], refused: 0 })
  writer.write(['"3 is longer than the one before"'])
  expect(read(1)).toMatchObject({ records: ['1 "2"', '2 "3 is longer than the one before"'], refused: 0 })
  edit(withoutFirst)
  writer.write(['"4 is longer than both of them, so that the file is as long as it was, or longer"'])
  expect(read(2).records).toHaveLength(2)
  expect(read(2).refused).toBe(0)
})

test('a line that is refused is named at every look', () => {
  const { writer, read, edit } = openTwo()
  writer.write(['"1"'])
  expect(read()).toMatchObject({ records: ['0 "1"'], refused: 0 })
  edit((text) => `${text}forged\n`)
  for (let look = 0; look < 2; look++) expect(read()).toMatchObject({ records: ['0 "1"'], refused: 1 })
})

test('what does not fit into one look is read by the next ones, in order, and no orphan before its end', () => {
  const { writer, read, age } = openTwo()
  const long = (letter: string, length: number) => JSON.stringify(letter.repeat(length))
  const texts = [long('a', 300_000), long('b', 300_000), long('c', 2_000_000), long('d', 10)]
  for (const text of texts) writer.write([text])
  writer.turn()
  writer.write(['"5"'])
  age()
  const found = []
  for (let taken = 0, hasMore = true; hasMore; taken = found.length) {
    const look = read(taken)
    found.push(...look.records)
    hasMore = look.hasMore
    expect(look).toMatchObject({ refused: 0, isLeft: !hasMore })
  }
  expect(found).toEqual([...texts, '"5"'].map((text, number) => `${number} ${text}`))
})

test('after an import that failed, what it read is read again', () => {
  const { writer, read, rewind } = openTwo()
  writer.write(['"1"', '"2"'])
  expect(read(2)).toMatchObject({ records: [] })
  rewind()
  expect(read(0)).toMatchObject({ records: ['0 "1"', '1 "2"'] })
})

/** The journals of two processes. */
function openTwo() {
  const directory = mkdtempSync(join(root, 'state-'))
  const database = openDatabase({ directory, lockTimeoutMs: 5000, report() {} })
  opened.push(database)
  const [writer, reader] = [1, 2].map(() => openJournal(directory, openJournalKeys(database))) as [ReturnType<typeof openJournal>, ReturnType<typeof openJournal>] // biome-ignore format: one line
  return {
    writer,
    read(taken = 0) {
      const found = reader.others(() => taken)
      return {
        records: found.flatMap(({ records }) => records.map(({ number, text }) => `${number} ${text}`)),
        refused: found.flatMap(({ refused }) => refused).length,
        isLeft: found.every(({ isLeft }) => isLeft),
        hasMore: found.some(({ hasMore }) => hasMore),
      }
    },
    rewind: () => reader.rewind(),
    age() {
      const before = new Date(Date.now() - 120_000)
      for (const name of findJournals(directory)) utimesSync(join(directory, name), before, before)
    },
    edit(change: (text: string) => string) {
      const path = join(directory, findJournals(directory)[0]!)
      writeFileSync(path, change(readFileSync(path, 'utf8')))
    },
  }
}
