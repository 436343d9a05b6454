import { expect, test } from 'vitest'
import { decideGrounded } from './decide-grounded.ts'
import { toSourceText } from './source-text.ts'

const source = toSourceText({
  title: 'Notes',
  text: 'It was “good”\n  and  ﬁne. It was not free. It was “good” again.',
})

test('the offsets are those of the original text, however it was quoted', () => {
  const verdict = decideGrounded('It was good and fine.', 'It was "good" and fine.', source)
  expect(verdict).toEqual({ grounded: true, start: 20, end: 45, pointer: '/text' })
  expect(source.text.slice(20, 45)).toBe('It was “good”\n  and  ﬁne.')
})

test('of several places the first that holds is taken', () => {
  const text = 'It is not safe to use it here. Really, it is safe to use it here.'
  const verdict = decideGrounded('It is safe to use.', 'safe to use it here', { text })
  expect(verdict).toMatchObject({ grounded: true, start: text.lastIndexOf('safe') })
})

test('a negation before a quote counts in the same statement, and not outside of parentheses', () => {
  const quote = 'the board approved the whole budget'
  for (const [before, isKept] of [['It is not true that ', false], ['The plan was not popular (', true]] as const) // biome-ignore format: one line
    expect(decideGrounded('The board approved the budget.', quote, { text: `${before}${quote}).` }).grounded).toBe(
      isKept,
    )
})

test.each([
  [500, 1000, undefined],
  [501, 1000, 'claim_too_long'],
  [500, 1001, 'evidence_too_long'],
])('a claim of %i characters with a quote of %i: %s', (claim, evidence, reason) => {
  const text = `${'tea and milk '.repeat(100).slice(0, evidence - 1)}a`
  const said = `${text.slice(0, claim - 1)}a`
  expect(decideGrounded(said, text, { text })).toMatchObject(reason ? { grounded: false, reason } : { start: 0 })
})

test('evidence must lie in the part of the source that the model was given', () => {
  const text = 'Alpha is very large. Beta is very small.'
  const range = { start: 0, end: 20 }
  expect(decideGrounded('Alpha is large.', 'Alpha is very large.', { text }, range)).toMatchObject({ grounded: true })
  expect(decideGrounded('Beta is small.', 'Beta is very small.', { text }, range)).toEqual({
    grounded: false,
    reason: 'outside_part',
  })
})

test('a refusal names what is missing', () => {
  const text = 'The meeting in Rome lasts 3 hours.'
  const about = (claim: string) => decideGrounded(claim, text, { text })
  expect(about('The meeting lasts 4 hours.')).toEqual({
    grounded: false,
    reason: 'number_not_in_evidence',
    about: '4 hours',
  })
  expect(about('The meeting in Oslo lasts 3 hours.')).toMatchObject({ reason: 'name_not_in_evidence', about: 'Oslo' })
  expect(about('The meeting lasts 3 hours in May.')).toMatchObject({ reason: 'date_not_in_evidence', about: 'May' })
})

test.each([
  ['1,234,567', '1 234 567'],
  ['1.234.567', '1234567'],
  ['1.5 million', '1,500,000'],
  ['12 %', '12 percent'],
  ['12,5 %', '12.5%'],
  ['$5', 'USD 5'],
  ['$5m', '5 million dollars'],
  ['twenty-one', '21'],
  ['a million', '1,000,000'],
  ['12-hour', '12 hours'],
  ['3rd', 'third'],
  ['٣', '3'],
  ['12 May 2024', '2024-05-12'],
  ['May 12, 2024', '12.05.2024'],
  ['12 May 2024', 'May 2024'],
  ['12 May 2024', '2024'],
])('%s may be written as %s', (evidence, claim) => {
  const text = `The long meeting had ${evidence} in it.`
  expect(decideGrounded(`The meeting had ${claim} in it.`, text, { text })).toMatchObject({ grounded: true })
})

test.each([
  ['1,234', '1.234'],
  ['12', '12 %'],
  ['12 %', '12'],
  ['5 GB', '5 MB'],
  ['-5', '5'],
  ['5 million', '5 billion'],
  ['May 2024', '12 May 2024'],
  ['2024', 'May 2024'],
  ['05/12/2024', '12/05/2024'],
  ['3 pm', '3 am'],
  ['10²', '102'],
  ['5G', '5'],
  ['v1.2.3', 'v1.2.4'],
  ['12345678901234567890', '12345678901234567891'],
])('%s may not become %s', (evidence, claim) => {
  const text = `The long meeting had ${evidence} in it.`
  expect(decideGrounded(`The meeting had ${claim} in it.`, text, { text })).toMatchObject({ grounded: false })
})

test('a claim with a great many facts is not compared', () => {
  const text = 'Ab 5 Cd 6 '.repeat(90).trim()
  expect(decideGrounded(text.slice(0, 400), text, { text })).toEqual({ grounded: false, reason: 'claim_too_long' })
})

test('a megabyte of anything is judged without going through it again and again', () => {
  const sources = ['a'.repeat(1_000_000), 'not safe to use it. '.repeat(10_000), '😀\u0301'.repeat(20_000)]
  for (const text of sources) {
    const big = { text }
    for (const evidence of [`${'a'.repeat(900)}b`, text.slice(0, 900), 'safe to use it.', `${'ab '.repeat(300)}c`])
      expect(decideGrounded('It is safe to use.', evidence, big).grounded).toBe(false)
  }
})

test('a claim that says the opposite of its evidence is refused, and one whose word the evidence has is not', () => {
  const text = 'Sales of the shop fell in May. Prices in the shop rose in May and fell in June.'
  const decide = (claim: string, evidence: string) => decideGrounded(claim, evidence, { text })
  const opposite = { grounded: false, reason: 'says_opposite' }
  expect(decide('Sales of the shop rose in May.', 'Sales of the shop fell in May.')).toMatchObject(opposite)
  expect(decide('Sales of the shop fell in May.', 'Sales of the shop fell in May.')).toMatchObject({ grounded: true })
  const both = 'Prices in the shop rose in May and fell in June.'
  expect(decide('Prices in the shop rose in May.', both)).toMatchObject({ grounded: true })
  expect(decide('Sales of the shop fell or rose in May.', 'Sales of the shop fell in May.')).not.toMatchObject(opposite)
})
