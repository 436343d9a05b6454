import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChatEntry } from './chat-entry.ts'
import { interrupted, toFailed } from './faults.ts'
import { toMessages } from './to-messages.ts'

const at = '2026-01-01T00:00:00Z'
const user = (text: string): ChatEntry => ({ kind: 'user', at, text })
const answer = (step: number, text: string, ...ids: string[]): ChatEntry => {
  return { kind: 'answer', at, step, text, calls: ids.map((id) => ({ id, name: 'read', arguments: '{}' })) }
}
const result = (step: number, id: string): ChatEntry =>
  toFailed(step, { id, name: 'read', arguments: '{}' }, interrupted)

test('a session that fits is sent whole, in order', () => {
  const entries: ChatEntry[] = [
    user('one'),
    answer(1, '', 'a', 'b'),
    result(1, 'a'),
    result(1, 'b'),
    answer(2, 'done'),
    { kind: 'end', at, outcome: 'answered', code: null },
    { kind: 'undo', at, step: 1, files: [{ path: 'x', outcome: 'restored' }] },
  ]
  const { messages, folded } = toMessages(entries, 10_000)
  expect(folded).toBe(0)
  expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'tool', 'assistant', 'user'])
})

test('each call has one result, even where two processes wrote at once', () => {
  const entries = [user('one'), answer(1, '', 'a', 'a'), answer(1, '', 'b'), result(1, 'a'), result(1, 'z')]
  const { messages } = toMessages(entries, 10_000)
  expect(messages.map((message) => ('toolCallId' in message ? message.toolCallId : message.role))).toEqual([
    ...['system', 'user', 'assistant', 'a', 'a', 'assistant', 'b'],
  ])
})

test('whatever the length, the last question and the last group stay, and calls keep their results', () => {
  const groups = fc.array(fc.record({ size: fc.nat(400), calls: fc.nat(2), asks: fc.boolean() }), { maxLength: 12 })
  fc.assert(
    fc.property(groups, fc.integer({ min: 0, max: 6000 }), (made, most) => {
      const entries = made.flatMap(({ size, calls, asks }, step): ChatEntry[] => {
        const ids = Array.from({ length: calls }, (_, index) => `${step}-${index}`)
        const text = `${step} ${'x'.repeat(size)}`
        return asks ? [user(text)] : [answer(step, text, ...ids), ...ids.map((id) => result(step, id))]
      })
      const { messages, folded } = toMessages([user('first'), ...entries, user('last question')], most)
      expect(messages.at(-1)).toEqual({ role: 'user', content: 'last question' })
      const all = toMessages([user('first'), ...entries, user('last question')], 1_000_000).messages.length
      expect(messages.length + folded).toBe(all)
      const open: string[] = []
      for (const message of messages) {
        if (message.role === 'assistant') open.push(...(message.toolCalls ?? []).map(({ id }) => id))
        if (message.role === 'tool') expect(open.shift()).toBe(message.toolCallId)
        else if (message.role === 'user') expect(open).toEqual([])
      }
      expect(JSON.stringify(messages.slice(1)).length).toBeLessThan(most + 3000)
    }),
    { numRuns: 60 },
  )
})
