import { expect, test } from 'vitest'
import { isSameCall, toDifference, toQuestionState } from './question-state.ts'
import type { ApprovalBinding } from './storage.ts'

const now = 1_000_000

test.each([
  ['pending', { expiresAt: now + 1, isUsed: 0, isOver: 0 }],
  ['expired', { expiresAt: now, isUsed: 0, isOver: 0 }],
  ['expired', { expiresAt: now - 1, isUsed: 0, isOver: 0 }],
  ['expired', { expiresAt: now + 1, isUsed: 0, isOver: 1 }],
  ['expired', undefined],
])('a question is %s: %j', (state, question) => {
  expect(toQuestionState(question, now)).toEqual({ state })
})

test('an answer stays known after the question has expired', () => {
  const question = { expiresAt: now - 1, answer: 'no', by: 'ada', isUsed: 1, isOver: 1 } as const
  expect(toQuestionState(question, now)).toEqual({ state: 'answered', answer: 'no', by: 'ada', isUsed: true })
})

const binding: ApprovalBinding = {
  tool: 'notes.add',
  inputDigest: 'i',
  caller: 'ada',
  workspace: '/w',
  contractDigest: 'c',
  policyDigest: 'p',
  previewDigest: 'v',
}

test.each([
  ['workspace', 'workspace'],
  ['contractDigest', 'contract'],
  ['policyDigest', 'policy'],
  ['previewDigest', 'preview'],
] as const)('an approval with another %s does not count', (part, difference) => {
  expect(toDifference({ ...binding, [part]: 'other', isOver: 0 }, binding)).toBe(difference)
  expect(isSameCall({ ...binding, [part]: 'other' }, binding)).toBe(true)
})

test('an approval of the very same call counts until it is over', () => {
  expect(toDifference({ ...binding, isOver: 0 }, binding)).toBeUndefined()
  expect(toDifference({ ...binding, isOver: 1 }, binding)).toBe('expired')
})

test.each(['tool', 'inputDigest', 'caller'] as const)('another %s makes it another call', (part) => {
  expect(isSameCall(binding, binding)).toBe(true)
  expect(isSameCall({ ...binding, [part]: 'other' }, binding)).toBe(false)
})
