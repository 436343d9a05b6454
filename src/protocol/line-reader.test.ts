import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LineReader } from './line-reader.ts'

function read(chunks: readonly Uint8Array[], most = 1000): string[] {
  const lines: string[] = []
  const reader = new LineReader(most, {
    onLine: (line) => lines.push(line.toString('latin1')),
    onTooLong: () => lines.push('too long'),
  })
  for (const chunk of chunks) reader.push(Buffer.from(chunk))
  reader.end()
  return lines
}

test('lines are the same however their bytes arrive', () => {
  const bytes = fc.array(fc.constantFrom(0x0a, 0x0d, 0x41, 0xc3, 0xa9))
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(5)), (all, cuts) => {
      const chunks: Uint8Array[] = []
      let start = 0
      for (const cut of cuts) {
        chunks.push(Uint8Array.from(all.slice(start, start + cut)))
        start += cut
      }
      chunks.push(Uint8Array.from(all.slice(start)))
      const expected = Buffer.from(all).toString('latin1').split('\n').map((line) => line.replace(/\r$/, '')).filter(Boolean) // biome-ignore format: one line
      expect(read(chunks)).toEqual(expected)
    }),
  )
})

test('a line that is too long is reported once, and the next one is read', () => {
  const text = (line: string) => Buffer.from(line)
  expect(read([text('aaaa'), text('aaaa'), text('aa\nb\n')], 5)).toEqual(['too long', 'b'])
  expect(read([text('aaaaa\nb')], 5)).toEqual(['aaaaa', 'b'])
  expect(read([text('aaaaaa')], 5)).toEqual(['too long'])
})

test('a line that never ends is reported too', () => {
  let told = 0
  const reader = new LineReader(5, { onLine: () => {}, onTooLong: () => told++ })
  for (let count = 0; count < 10; count++) reader.push(Buffer.from('aaaa'))
  expect(told).toBe(1)
})
