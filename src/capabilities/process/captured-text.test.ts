import { expect, test } from 'vitest'
import { TextCapture } from './captured-text.ts'

function capture(most: number, ...chunks: (string | Uint8Array)[]) {
  const text = new TextCapture(most)
  for (const chunk of chunks) text.push(Buffer.from(chunk))
  return text.toCaptured()
}

test('keeps short output unchanged', () => {
  expect(capture(10)).toEqual({ text: '', bytes: 0, omittedBytes: 0, lines: 0 })
  expect(capture(10, 'abc', 'de\n', '', 'fg')).toEqual({ text: 'abcde\nfg', bytes: 8, omittedBytes: 0, lines: 2 })
  expect(capture(10, '0123456789')).toMatchObject({ text: '0123456789', omittedBytes: 0 })
  expect(capture(10, '\n\n')).toMatchObject({ lines: 2 })
})

test('cuts the middle and counts it', () => {
  const whole = Array.from({ length: 100 }, (_, index) => String(index).padStart(3, '0')).join('')
  const expected = { text: '00000\n[… 290 bytes left out …]\n98099', bytes: 300, omittedBytes: 290, lines: 1 }
  for (const size of [1, 2, 3, 4, 5, 6, 7, 11, 50, 299, 300]) {
    const starts = Array.from({ length: Math.ceil(300 / size) }, (_, index) => index * size)
    const chunks = starts.map((start) => whole.slice(start, start + size))
    expect(capture(10, ...chunks), `chunks of ${size}`).toEqual(expected)
  }
})

test('cuts between characters', () => {
  expect(capture(14, '€'.repeat(100))).toMatchObject({ text: '€€\n[… 288 bytes left out …]\n€€', omittedBytes: 288 })
  expect(capture(10, '😀'.repeat(100)).text).toBe('😀\n[… 392 bytes left out …]\n😀')
  expect(capture(12, `abcd${'é'.repeat(100)}xyz`).text).toBe('abcdé\n[… 196 bytes left out …]\néxyz')
})

test('shows bytes that are no text as replaced', () => {
  expect(capture(10, new Uint8Array([0x61, 0xff, 0x62])).text).toBe('a\ufffdb')
  // At the cut at most three are dropped: a character has no more after its first byte.
  const [before, after] = capture(10, new Uint8Array(100).fill(0x80)).text.split('\n[… 93 bytes left out …]\n')
  expect([before, after]).toEqual(['\ufffd'.repeat(5), '\ufffd'.repeat(2)])
})
