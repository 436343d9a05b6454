import { expect, test } from 'vitest'
import { followEntry } from '../follow-calls.ts'
import type { LedgerRecord } from '../storage.ts'
import { toIntent, toOutcome, toRefusal, toStep } from '../suite/records.ts'
import { createTally, toCaller } from '../tally.ts'
import { readIndexed } from './read-indexed.ts'

const tricky = ['a","checks":{"b', ',"contractDigest":', ',"approval":null}', '\\","checks":', '\u{1f600}"}'].join(' ')
const approval = { answer: 'yes', by: 'Ada', waitedMs: 1234 }

const records: [string, LedgerRecord][] = [
  ['an intent', toIntent('1')],
  ['an intent after a question', toIntent('1', { approval })],
  ['an intent of a workflow', toIntent('1', { run: { id: 'r', step: 's' } })],
  ['an intent whose caller has such a name', toIntent('1', { caller: { name: tricky, groups: [tricky] } })],
  ['an intent with such input', toIntent('1', { tool: tricky, input: { contractDigest: tricky, approval: null, checks: {} } })], // biome-ignore format: one line
  ['an outcome', toOutcome('1')],
  ['an outcome that violates', toOutcome('1', { success: false, errorCode: tricky, violation: tricky, durationMs: 0 })],
  ['an outcome that a person told', toOutcome('1', { by: tricky })],
  ['a refusal', toRefusal('1', { approval })],
  ['a step', toStep('1', 'end', { details: { caller: { name: tricky }, durationMs: 5, code: 'denied' } })],
]

test.each(records)('of %s the index learns the same as from the whole record', (_, record) => {
  expect(toLearned(readIndexed(JSON.stringify(record))!)).toEqual(toLearned(record))
})

test.each(records)('of %s with its fields in another order as well', (_, record) => {
  const { kind, ...fields } = record
  const turned = Object.fromEntries([['kind', kind], ...Object.entries(fields).reverse()])
  expect(toLearned(readIndexed(JSON.stringify(turned))!)).toEqual(toLearned(record))
})

test('of a damaged entry the index learns nothing', () => {
  const whole = JSON.stringify(toOutcome('1'))
  for (const text of [
    '',
    '{',
    'null',
    '{"kind":"outcome"}',
    whole.slice(0, 30),
    whole.replace('"callId":"1"', '"callId":1'),
  ])
    expect(readIndexed(text)).toBeUndefined()
})

/** What becomes of an outcome in the index, for a call that began before. */
function toLearned(record: LedgerRecord) {
  const open = new Map([['1', { first: 5, waitedMs: 2, hasFailed: true }]])
  const tally = createTally()
  const progress = followEntry({ seq: 7, record }, open)
  tally.add({ seq: 7, record }, progress)
  const { callId, tool, at } = record
  return { callId, tool, at, caller: toCaller(record), progress, open, spans: tally.spans(60_000), tools: tally.tools }
}
