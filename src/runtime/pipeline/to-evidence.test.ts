import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { createRedactor } from '../../policy/redact.ts'
import { maxEvidenceCharacters, toEvidence } from './to-evidence.ts'

const redact = createRedactor({
  maxCharacters: maxEvidenceCharacters,
  environment: { API_TOKEN: 'correct horse battery' },
})

test('what is JSON is kept as such, whole', () => {
  const raw = { content: [{ type: 'text', text: 'x'.repeat(100_000) }], list: Array.from({ length: 3000 }, () => 1) }
  expect(JSON.parse(toEvidence(raw, redact))).toEqual(raw)
})

test('secrets are left out of it, by name, by value and by shape', () => {
  const raw = {
    password: 'hunter2hunter2',
    text: 'it is correct horse battery',
    more: [{ deep: { token: 'abcdefgh' } }],
  }
  const text = toEvidence(raw, redact)
  expect(text).not.toMatch(/hunter2|correct horse|abcdefgh/)
  const error = Object.assign(new Error('it is correct horse battery'), { code: 5 })
  expect(toEvidence(error, redact)).toMatch(/Error: it is \[redacted: \$API_TOKEN\]/)
})

test('it is cut where it is longer than is kept', () => {
  for (const raw of [
    'é'.repeat(3_000_000),
    { a: 'x'.repeat(20_000_000) },
    Array.from({ length: 200_000 }, () => 'abc'),
  ])
    expect(toEvidence(raw, redact).length).toBeLessThan(maxEvidenceCharacters + 100)
})

test('what is not JSON is shown without running anything of it', () => {
  const ran: string[] = []
  const cycle: { self?: unknown } = {}
  cycle.self = cycle
  const odd = {
    cycle,
    get trap() {
      return ran.push('getter')
    },
    toJSON: () => ran.push('toJSON'),
    [inspect.custom]: () => ran.push('inspect'),
  }
  const text = toEvidence(odd, redact)
  expect(text).toContain('[Circular')
  expect(text).toContain('trap: [Getter]')
  expect(ran).toEqual([])
  expect(toEvidence(undefined, redact)).toBe('undefined')
  expect(toEvidence(5n, redact)).toBe('5n')
})

test('a text of exactly the limit is whole, and one character more is cut', () => {
  const ofLength = (length: number) => toEvidence('x'.repeat(length - 2), (value) => value)
  expect(ofLength(maxEvidenceCharacters)).toHaveLength(maxEvidenceCharacters)
  expect(ofLength(maxEvidenceCharacters).endsWith('"')).toBe(true)
  expect(ofLength(maxEvidenceCharacters + 1).endsWith('…')).toBe(true)
  expect(ofLength(maxEvidenceCharacters + 1)).toHaveLength(maxEvidenceCharacters)
})
