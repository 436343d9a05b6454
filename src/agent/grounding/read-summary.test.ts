import { expect, test } from 'vitest'
import { readSummary } from './read-summary.ts'

const bullet = { claim: 'It is free.', evidence: 'It costs nothing.' }
const summary = { type: 'summary', bullets: [bullet] }

test('an answer is read if it is exactly one summary', () => {
  expect(readSummary(` ${JSON.stringify(summary)}\n`)).toEqual({ bullets: [{ ...bullet, isWellFormed: true }] })
})

test.each([
  ['text around it', `Here it is: ${JSON.stringify(summary)}`, 'not one JSON object'],
  ['a list', '[]', 'not a JSON object'],
  ['null', 'null', 'not a JSON object'],
  ['another type', JSON.stringify({ ...summary, type: 'answer' }), 'type "summary"'],
  ['another key', JSON.stringify({ ...summary, note: 'x' }), 'the key "note"'],
  ['no bullets', JSON.stringify({ type: 'summary' }), 'no list of bullets'],
])('an answer with %s is not a summary', (_, answer, fault) => {
  expect(readSummary(answer)).toEqual({ fault: expect.stringContaining(fault) })
})

test.each([
  [{ claim: 'It is free.' }],
  [{ ...bullet, evidence: 1 }],
  [{ ...bullet, note: 'x' }],
  ['It is free.'],
  [null],
])('%j is not a bullet', (written) => {
  const read = readSummary(JSON.stringify({ ...summary, bullets: [written] }))
  expect(read).toMatchObject({ bullets: [{ isWellFormed: false }] })
})
