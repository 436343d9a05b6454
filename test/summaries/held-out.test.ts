import { expect, test } from 'vitest'
import { summarize } from '../../src/agent/ask/summarize.ts'
import { decideGrounded } from '../../src/agent/grounding/decide-grounded.ts'
import { reasons } from '../../src/agent/grounding/reasons.ts'
import { openModel } from '../../src/capabilities/model.ts'
import { openScriptedModel } from '../helpers/scripted-model.ts'
import { benignSummaries, hostileAnswers, hostileSummaries, isNaivelyGrounded, type SummaryCase } from './summaries.ts'
import { pairedClaims } from './summaries-pairs.ts'
import { falseButKept, trueButDropped } from './summaries-wires.ts'

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

test('every claim of the corpus gets the recorded verdict (update with npx vitest run -u)', async () => {
  const bullets = [...hostileSummaries, ...benignSummaries]
  const pairs = pairedClaims.flatMap(({ quote, holds, fails }) =>
    [...holds, ...fails].map((claim) => ({ kind: 'pair', claim, evidence: quote, source: { text: quote } })),
  )
  const lines = [...bullets, ...pairs].map((one) => {
    const verdict = decideGrounded(one.claim, one.evidence, one.source)
    const words = verdict.grounded ? ['grounded', `${verdict.start}-${verdict.end}`] : [verdict.reason, verdict.about]
    return JSON.stringify([...words, one.claim])
  })
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./verdicts.jsonl')
})

test.each(trueButDropped)('what is true may be dropped too, here as %s: %s', (reason, claim, evidence) => {
  expect(decideGrounded(claim, evidence, { text: evidence })).toMatchObject({ grounded: false, reason })
})

test.each(falseButKept)('what only a reader can tell is kept, with its quote beside it: %s', (claim, evidence) => {
  expect(decideGrounded(claim, evidence, { text: evidence })).toMatchObject({ grounded: true })
})

test('nothing is shown of an answer that is not a summary', async () => {
  await using server = await openScriptedModel(hostileAnswers.map(([, answer]) => answer))
  const model = openModel({ url: server.url, model: 'scripted', timeoutMs: 30_000 })
  for (const [kind] of hostileAnswers) {
    const summary = await summarize(hostileSummaries[0]!.source, { model })
    expect(summary, kind).toMatchObject({ none: true, reason: expect.stringMatching(/\S/) })
  }
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
