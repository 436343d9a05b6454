import { expect, test } from 'vitest'
import { decideGrounded } from '../src/agent/grounding/decide-grounded.ts'
import { reasons } from '../src/agent/grounding/reasons.ts'
import { summarize } from '../src/agent/summarize.ts'
import type { Model } from '../src/capabilities/model.ts'
import {
  benignSummaries,
  hostileAnswers,
  hostileSummaries,
  isNaivelyGrounded,
  type SummaryCase,
} from './gates/summaries.ts'

test('no bullet that says something else than its source passes, and a naive check lets many through', () => {
  const judged = hostileSummaries.map((one) => ({ ...one, verdict: judge(one), naive: isNaivelyGrounded(one) }))
  expect(judged.filter(({ verdict }) => verdict === 'grounded').map(toWords)).toEqual([])
  expect(judged.length).toBeGreaterThan(500)
  expect(new Set(judged.map(toWords)).size).toBeGreaterThan(450)
  expect(judged.filter(({ naive }) => naive).length).toBeGreaterThan(200)

  const rows = Object.keys(reasons).map((reason): Row => {
    const cases = judged.filter(({ verdict }) => verdict === reason)
    return [reason, cases.length, 0, cases.filter(({ naive }) => naive).length]
  })
  rows.push([
    'benign',
    benignSummaries.length,
    benignSummaries.filter((one) => judge(one) === 'grounded').length,
    benignSummaries.filter(isNaivelyGrounded).length,
  ])
  console.log(toTable(rows.filter(([, count]) => count > 0)))
})

test('every bullet that says what its source says passes', () => {
  const refused = benignSummaries
    .map((one) => [toWords(one), judge(one)])
    .filter(([, verdict]) => verdict !== 'grounded')
  expect(refused).toEqual([])
  expect(benignSummaries.length).toBeGreaterThanOrEqual(40)
})

test.each(hostileAnswers)('of an answer that is no summary (%s) nothing is shown', async (_, answer) => {
  const model: Model = { name: 'one answer', complete: async () => ({ text: answer, toolCalls: [], finish: 'stop' }) }
  const summary = await summarize(hostileSummaries[0]!.source, { model })
  expect(summary).toMatchObject({ none: true, reason: expect.stringMatching(/\S/) })
})

function judge({ claim, evidence, source }: SummaryCase): string {
  const verdict = decideGrounded(claim, evidence, source)
  return verdict.grounded ? 'grounded' : verdict.reason
}

function toWords({ kind, claim, evidence }: SummaryCase): string {
  return `${kind}: ${claim} <- ${evidence}`
}

type Row = readonly [reason: string, cases: number, passed: number, passedNaively: number]

function toTable(rows: readonly Row[]): string {
  const lines = [['dropped as', 'cases', 'passed', 'naively'], ...rows.map((row) => row.map(String))]
  return lines
    .map(([name, ...counts]) => name!.padEnd(26) + counts.map((count) => count.padStart(8)).join(''))
    .join('\n')
}
