import { expect, test } from 'vitest'
import type { JsonValue } from '../../contract/json.ts'
import { minReadingMs, readClientAnswer } from './client-answer.ts'

const accept = (decision: string) => ({ action: 'accept', content: { decision } })
const slowly = (result: unknown) => readClientAnswer(result as JsonValue, minReadingMs, 'stdio')
const atOnce = (result: unknown) => readClientAnswer(result as JsonValue, 3, 'stdio')

test('only a form that was sent with a yes is one', () => {
  expect(slowly(accept('approve'))).toEqual({ kind: 'yes', by: 'the user of stdio', forTool: false })
  expect(slowly(accept('approve_tool'))).toEqual({ kind: 'yes', by: 'the user of stdio', forTool: true })
})

const refusals = [
  accept('deny'),
  accept('APPROVE'),
  { action: 'accept', content: {} },
  { action: 'accept' },
  { action: 'decline', content: { decision: 'approve' } },
  { action: 'cancel' },
  'approve',
  null,
  [],
]

test.each(refusals)('%j is a no if a person had time to read, else no person was asked', (refusal) => {
  expect(slowly(refusal)).toMatchObject({ kind: 'no', by: expect.stringContaining('the user of stdio') })
  expect(atOnce(refusal)).toMatchObject({ kind: 'not_asked', note: expect.stringContaining('after 3 ms') })
})

test('a yes that came too fast to be a person counts once, saves no rule, and is not recorded as a person', () => {
  for (const decision of ['approve', 'approve_tool'])
    expect(atOnce(accept(decision))).toEqual({ kind: 'yes', by: 'the client of stdio, after 3 ms', forTool: false })
})
