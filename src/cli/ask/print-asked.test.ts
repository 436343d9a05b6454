import { expect, test } from 'vitest'
import type { Summary } from '../../agent/ask/summarize.ts'
import { type Line, toText } from '../terminal/terminal.ts'
import { toSummaryJson, toSummaryLines } from './print-asked.ts'

const bullet = { claim: 'It met in Rome.', evidence: 'The board\nmet in Rome.', pointer: '/text', start: 8, end: 30 }
const made: Summary = {
  bullets: [{ ...bullet, inValue: { start: 0, end: 22 } }, bullet],
  dropped: [
    { claim: 'a', evidence: 'b', reason: 'spliced' },
    { claim: 'c', evidence: 'd', reason: 'spliced', about: 'x' },
  ],
  droppedCount: 5,
  chunks: 3,
  unusable: [{ start: 40, end: 90, reason: 'the model called a tool' }],
}

function show(summary: Summary): string[] {
  return toSummaryLines(summary).map((line: Line) => toText({ isTTY: false } as NodeJS.WriteStream, line))
}

test('each claim is printed with its quote and location, then dropped claims and missing parts', () => {
  expect(show(made)).toEqual([
    'Summary',
    '  • It met in Rome.',
    '    “The board met in Rome.”',
    '    /text 0–22',
    '  • It met in Rome.',
    '    “The board met in Rome.”',
    '    /text (with its name, 8–30 of the text)',
    '  5 claims were dropped, not grounded in the output:',
    '    2 × the quote is pieced together from several places',
    '    3 × more, not listed',
    '  1 of 3 parts of the output are not in the summary:',
    '    40–90: the model called a tool',
  ])
})

test('in a terminal, claims and quotes wrap at words', () => {
  const lines = toSummaryLines(
    { ...made, bullets: [{ ...bullet, claim: 'It met in Rome again.' }], droppedCount: 0 },
    24,
  )
  expect(lines.map((line) => toText({ isTTY: false } as NodeJS.WriteStream, line).trimEnd())).toEqual(
    ['Summary', '  • It met in Rome', '    again.', '    “The board met', '    in Rome.”', '    /text (with its', '    name, 8–30 of the', '    text)', expect.any(String), expect.any(String)], // biome-ignore format: one line
  )
})

test('without a summary, the reason is printed', () => {
  const none: Summary = {
    none: true,
    reason: 'The model found\u001b[2J nothing.',
    dropped: [],
    droppedCount: 0,
    chunks: 1,
    unusable: [],
  }
  expect(show(none)).toEqual(['No summary: The model found\\x1b[2J nothing.'])
  expect(toSummaryJson(none)).toEqual({
    none: true,
    reason: none.reason,
    dropped: [],
    dropped_count: 0,
    chunks: 1,
    unusable: [],
  })
})

test('programs get the type, and offsets in the text and in the value', () => {
  expect(toSummaryJson(made)).toEqual({
    type: 'summary',
    bullets: [{ ...bullet, value_start: 0, value_end: 22 }, bullet],
    dropped: made.dropped,
    dropped_count: 5,
    chunks: 3,
    unusable: made.unusable,
  })
})
