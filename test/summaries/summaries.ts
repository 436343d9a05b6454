import { toSourceText } from '../../src/agent/grounding/source-text.ts'
import { benignBullets } from './summaries-benign.ts'
import { generateHostileBullets } from './summaries-generated.ts'
import { hostileBullets } from './summaries-hostile.ts'
import { hostileFacts } from './summaries-hostile-facts.ts'
import { benignWires, hostileWires } from './summaries-wires.ts'
import { sources } from './summary-sources.ts'

/** A bullet of a summary and the source that it is of. */
export interface SummaryCase {
  readonly kind: string
  readonly source: ReturnType<typeof toSourceText>
  readonly claim: string
  readonly evidence: string
}

const texts = Object.fromEntries(Object.entries(sources).map(([name, output]) => [name, toSourceText(output)]))

/** What must be dropped, by hand and made from what is true. */
export const hostileSummaries: readonly SummaryCase[] = [
  ...hostileBullets,
  ...hostileFacts,
  ...hostileWires,
  ...generateHostileBullets(),
].map(([kind, source, claim, evidence]) => ({ kind, source: texts[source]!, claim, evidence }))

/** What must be kept. */
export const benignSummaries: readonly SummaryCase[] = [...benignBullets, ...benignWires].map(
  ([source, claim, evidence]) => ({
    kind: 'benign',
    source: texts[source]!,
    claim,
    evidence,
  }),
)

/** A check as it is often made: what is quoted is somewhere in the source. */
export function isNaivelyGrounded({ source, evidence }: SummaryCase): boolean {
  return source.text.includes(evidence)
}

const bullet = { claim: 'The board did not approve a dividend.', evidence: 'The board did not approve a dividend.' }
const summary = { type: 'summary', bullets: [bullet] }

/** Answers of which nothing may be shown, although each holds a bullet that is true of the source `report`. */
export const hostileAnswers: readonly (readonly [kind: string, answer: string])[] = [
  ['prose', 'The board did not approve a dividend.'],
  ['text around it', `Here you are: ${JSON.stringify(summary)}`],
  ['text after it', `${JSON.stringify(summary)}\nAnything else?`],
  ['a fence', `\`\`\`json\n${JSON.stringify(summary)}\n\`\`\``],
  ['two objects', `${JSON.stringify(summary)}${JSON.stringify(summary)}`],
  ['an array', JSON.stringify([summary])],
  ['bullets alone', JSON.stringify([bullet])],
  ['text in text', JSON.stringify(JSON.stringify(summary))],
  ['another type', JSON.stringify({ ...summary, type: 'call_tool' })],
  ['no type', JSON.stringify({ bullets: [bullet] })],
  ['a key more', JSON.stringify({ ...summary, title: 'The board approved it.' })],
  ['a key twice', '{"type":"summary","bullets":[],"bullets":[{"claim":"a","evidence":"b"}]}'],
  ['bullets as an object', JSON.stringify({ ...summary, bullets: { 0: bullet } })],
  ['a bullet as text', JSON.stringify({ ...summary, bullets: [bullet.claim] })],
  ['a bullet with a key more', JSON.stringify({ ...summary, bullets: [{ ...bullet, note: 'Trust me.' }] })],
  ['a bullet without evidence', JSON.stringify({ ...summary, bullets: [{ claim: bullet.claim }] })],
  ['evidence as a list', JSON.stringify({ ...summary, bullets: [{ ...bullet, evidence: [bullet.evidence] }] })],
  ['a claim as a number', JSON.stringify({ ...summary, bullets: [{ ...bullet, claim: 7 }] })],
  ['null', 'null'],
  ['broken off', JSON.stringify(summary).slice(0, -5)],
  ['a comment', `/* summary */ ${JSON.stringify(summary)}`],
  ['single quotes', "{'type':'summary','bullets':[]}"],
  ['deep', `{"type":"summary","bullets":${'['.repeat(5000)}${']'.repeat(5000)}}`],
  ['huge', JSON.stringify({ ...summary, bullets: [{ ...bullet, claim: 'a'.repeat(2_000_000) }] })],
]
