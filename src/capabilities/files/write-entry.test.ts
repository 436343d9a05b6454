import { appendFileSync, closeSync, fstatSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { countLines, toLineCount } from './count-lines.ts'
import { writeEntry } from './write-entry.ts'

/** A file whose end changes right after it was inspected: the entry changes it when it is copied. */
function open(content: string) {
  const path = join(makeFolder(), 'file')
  writeFileSync(path, content)
  const descriptor = openSync(path, 'a+')
  onTestFinished(() => closeSync(descriptor))
  const write = (text: string, meanwhile: string[], apart = false) => {
    const entry = {
      descriptor,
      apart,
      // Read between inspecting the end of the file and the write.
      get entry() {
        const other = meanwhile.shift()
        if (other !== undefined) appendFileSync(path, other)
        return Buffer.from(text)
      },
    }
    return writeEntry(entry, undefined).result
  }
  return { write, text: () => readFileSync(path, 'utf8') }
}

test('lines that others add between look and write are counted', () => {
  const { write, text } = open('a\n')
  expect(write('mine', ['b\nc\n'])).toEqual({ line: 4, bytes: 5 })
  expect(text()).toBe('a\nb\nc\nmine\n')
})

test('an entry that went on in a line without an end is written again on its own', () => {
  const { write, text } = open('a\n')
  expect(write('mine', ['torn', 'b\n'])).toEqual({ line: 4, bytes: 10, closedLine: 2 })
  expect(text()).toBe('a\ntornmine\nb\nmine\n')
})

test('a separated entry terminates an open line by itself', () => {
  const { write, text } = open('a\n')
  expect(write('mine', ['torn'], true)).toMatchObject({ line: 3 })
  expect(text()).toBe('a\ntorn\nmine\n')
})

test('a line that another program terminated first is followed by a blank one', () => {
  const { write, text } = open('torn')
  expect(write('mine', ['\nb\n'])).toEqual({ line: 4, bytes: 6, closedLine: 1 })
  expect(text()).toBe('torn\nb\n\nmine\n')
})

test('programs that keep writing unterminated lines cannot block it forever', () => {
  const { write } = open('')
  expect(() => write('mine', Array(20).fill('torn'))).toThrow('Other programs keep writing unterminated lines')
})

test.each([
  ['untouched', { size: 1000, next: undefined, isUsed: true }],
  ['of the same size, but changed', { size: 300_000, next: 300_000, isUsed: true }],
  ['that is shorter now', { size: 400_000, next: 399_999, isUsed: false }],
  ['of 262,144 bytes, changed', { size: 262_143, next: 262_144, isUsed: false }],
  ['of 262,145 bytes, changed', { size: 262_143, next: 262_145, isUsed: true }],
])('a stored count of a file %s is trusted only where its end tells', (_which, { size, next, isUsed }) => {
  const path = join(makeFolder(), 'file')
  writeFileSync(path, 'x'.repeat(size))
  const descriptor = openSync(path, 'r+')
  onTestFinished(() => closeSync(descriptor))
  const stats = () => fstatSync(descriptor, { bigint: true })
  // A count that no file has, to tell whether it was used.
  const remembered = toLineCount(descriptor, stats(), size, 7000)
  if (next !== undefined) writeFileSync(path, 'x'.repeat(next))
  expect(countLines(descriptor, stats(), remembered)).toBe(isUsed ? 7000 : 0)
})
