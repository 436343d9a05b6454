import { expect, test } from 'vitest'
import { EventReader } from './event-reader.ts'

function read(chunks: readonly Buffer[], maxBytes = 1000) {
  const events: string[] = []
  const reader = new EventReader(maxBytes, {
    onEvent: ({ event, data }) => events.push(`${event}: ${data}`),
    onTooLong: () => events.push('too long'),
  })
  for (const chunk of chunks) reader.push(chunk)
  return { events, lastEventId: reader.lastEventId, retryMs: reader.retryMs }
}

const lines = [
  '\ufeffdata: first',
  '',
  ': a comment',
  'data',
  '',
  'event: endpoint',
  'data:/messages',
  'id: 7',
  'retry: 250',
  '',
  'data: one',
  'data:  zwei ü €',
  'unknown: field',
  'retry: soon',
  'id: ümlaut',
  '',
  '',
]
const parsed = {
  events: ['message: first', 'endpoint: /messages', 'message: one\n zwei ü €'],
  lastEventId: '7',
  retryMs: 250,
}

test.each([
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CR', '\r'],
])('lines that end with %s give the same events wherever the stream is split', (_name, lineEnd) => {
  const bytes = Buffer.from(lines.join(lineEnd))
  expect(read([bytes])).toEqual(parsed)
  expect(read(Array.from(bytes, (_byte, index) => bytes.subarray(index, index + 1)))).toEqual(parsed)
  for (let first = 0; first <= bytes.length; first++)
    for (let second = first; second <= bytes.length; second++) {
      const result = read([bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)])
      if (JSON.stringify(result) !== JSON.stringify(parsed)) expect({ first, second, ...result }).toEqual(parsed)
    }
})

test('line ends may differ within a stream', () => {
  expect(read([Buffer.from('data: a\r\rdata: b\n\r\ndata: c\r\ndata: d\n\rdata: e')]).events).toEqual([
    'message: a',
    'message: b',
    'message: c\nd',
  ])
})

test('an event is dispatched with its last byte, even if that is a CR', () => {
  expect(read([Buffer.from('data: x\r'), Buffer.from('\r')]).events).toEqual(['message: x'])
  expect(read([Buffer.from('data: x\r\n\r')]).events).toEqual(['message: x'])
})

test('the limit counts bytes of data, not characters', () => {
  const fits = Buffer.from(`data: ${'ü'.repeat(500)}\n\n`)
  const exceeds = Buffer.from(`data: ${'ü'.repeat(500)}x\n\n`)
  for (const split of [0, 3, 500, 1005, 1006, 1007]) {
    const halves = (bytes: Buffer) => [bytes.subarray(0, split), bytes.subarray(split)]
    expect(read(halves(fits)).events).toEqual([`message: ${'ü'.repeat(500)}`])
    expect(read(halves(exceeds)).events).toEqual(['too long'])
  }
})

test('an event that is too long is reported once, and nothing is read after it', () => {
  expect(read([Buffer.from(`data: ${'x'.repeat(3000)}\n\ndata: later\n\n`)]).events).toEqual(['too long'])
  expect(read(Array.from({ length: 500 }, () => Buffer.from('data: xxxxxxxxxx\n'))).events).toEqual(['too long'])
  expect(read(Array.from({ length: 5000 }, () => Buffer.from('data\r'))).events).toEqual(['too long'])
  expect(read(Array.from({ length: 5000 }, () => Buffer.from('id: x'))).events).toEqual(['too long'])
})

test('keep-alive comments and ignored fields do not count towards the limit', () => {
  for (const line of [': still here\n\n', ': still here\n', ':', 'x', 'ignored: field\r']) {
    const alive = Array.from({ length: 5000 }, () => Buffer.from(line))
    expect(read([...alive, Buffer.from('\n\ndata: x\n\n')]).events).toEqual(['message: x'])
  }
})
