import { expect, test } from 'vitest'
import { benignQuestions, refusedQuestions } from '../../../test/summaries/questions.ts'
import { createInputGate } from './check-question.ts'

test('ordinary questions pass', async () => {
  const gate = await createInputGate()
  const refused = benignQuestions.filter((question) => !gate.check(question).passed)
  expect(benignQuestions.length).toBeGreaterThanOrEqual(60)
  expect(refused).toEqual([])
})

test.each(refusedQuestions)('%s stops %j', async (expected, question) => {
  const verdict = (await createInputGate()).check(question)
  expect(verdict).toMatchObject({ passed: false, reason: expect.stringMatching(/\.$/) })
  if (!verdict.passed) expect(verdict.pattern ?? verdict.code).toBe(expected)
})

test('patterns of the operator match the question as written and in lower case', async () => {
  const gate = await createInputGate({
    patterns: [
      { name: 'no-prod', pattern: '\\bprod\\b' },
      { name: 'x', pattern: 'ACME' },
    ],
  })
  expect(gate.check('Restart PROD')).toEqual({
    passed: false,
    code: 'question_refused',
    pattern: 'no-prod',
    reason: 'The operator does not allow it.',
  })
  expect(gate.check('Who is ACME?')).toMatchObject({ pattern: 'x' })
  expect(gate.check('Who is acme?')).toEqual({ passed: true })
  expect(gate.check('<|im_start|>')).toMatchObject({ pattern: 'forged-delimiter' })
})

test('forged delimiters can be looked for in the longest question that a config may allow', async () => {
  const gate = await createInputGate({ maxCharacters: 32_000 })
  expect(gate.check('word '.repeat(6400))).toEqual({ passed: true })
})

test('without defaults, only hidden text and bounds are looked at', async () => {
  const gate = await createInputGate({ defaults: false, maxCharacters: 40 })
  expect(gate.check('<|im_start|>')).toEqual({ passed: true })
  expect(gate.check('a'.repeat(41))).toMatchObject({ code: 'question_too_long' })
  expect(gate.check('a\u{e0041}')).toMatchObject({ code: 'question_hides_text' })
})

test('a pattern that cannot be read is named', async () => {
  await expect(createInputGate({ patterns: [{ name: 'bad', pattern: '(' }] })).rejects.toThrow(/'bad' of agent\.gate/)
  await expect(createInputGate({ patterns: [{ name: 'back', pattern: '(a)\\1' }] })).rejects.toThrow(/'back'/)
})

test('a pattern too slow to be looked for refuses', async () => {
  const patterns = [{ name: 'slow', pattern: '(?:[a-z]{0,20}[0-9]{0,20}){20}x$' }]
  const gate = await createInputGate({ patterns, defaults: false, maxCharacters: 1_000_000 })
  expect(gate.check('A short one.')).toEqual({ passed: true })
  expect(gate.check('A'.repeat(1_000_000))).toMatchObject({ code: 'question_too_long', pattern: 'slow' })
})
