import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventReader } from './event-reader.ts'

function read(chunks: readonly Uint8Array[], most = 1000) {
  const events: string[] = []
  const reader = new EventReader(most, {
    onEvent: ({ event, data }) => events.push(`${event}: ${data}`),
    onTooLong: () => events.push('too long'),
  })
  for (const chunk of chunks) reader.push(Buffer.from(chunk))
  return { events, reader }
}

const text = [
  '\ufeffdata: first\n\n',
  ': a comment\ndata\n\n',
  'event: endpoint\r\ndata:/messages\r\nid: 7\r\nretry: 250\r\n\r\n',
  'data: one\ndata:  two\nunknown: field\nretry: soon\nid: ümlaut\n\n',
  'data: never ended',
].join('')

test('events are the same however their bytes arrive', () => {
  const bytes = Buffer.from(text)
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: bytes.length })), (cuts) => {
      const ends = [...cuts.sort((one, other) => one - other), bytes.length]
      const { events, reader } = read(ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end)))
      expect(events).toEqual(['message: first', 'endpoint: /messages', 'message: one\n two'])
      expect(reader.lastEventId).toBe('7')
      expect(reader.retryMs).toBe(250)
    }),
  )
})

test('an event that is too long is told once, and nothing is read after it', () => {
  const long = Buffer.from(`data: ${'x'.repeat(3000)}\n\ndata: later\n\n`)
  expect(read([long]).events).toEqual(['too long'])
  const parts = Array.from({ length: 500 }, () => Buffer.from('data: xxxxxxxxxx\n'))
  expect(read(parts).events).toEqual(['too long'])
})

test('a stream that only says that it is alive may do so for ever', () => {
  const alive = Array.from({ length: 5000 }, () => Buffer.from(': still here\n\n'))
  expect(read([...alive, Buffer.from('data: x\n\n')]).events).toEqual(['message: x'])
  const comments = Array.from({ length: 5000 }, () => Buffer.from(': still here\n'))
  expect(read([...comments, Buffer.from('data: x\n\n')]).events).toEqual(['message: x'])
})
