import { decideAim } from './noise.ts'
import type { About, Table } from './table.ts'
import { development } from './transcripts/development.ts'
import { heldOut } from './transcripts/held-out.ts'
import { type Kind, makePairs, type Speech } from './transcripts/make-pairs.ts'
import { type PairScore, scorePairs } from './transcripts/score-pairs.ts'

export const about: About = {
  compares:
    'What the rules of `transcript.clean` drop, on pairs of our own making: clean sentences, and the same with fillers, repeats, cut-off words, asides, corrections and false starts inserted at random. It is no measurement of real speech.',
}

const aims: Record<string, number> = { English: 0.85, German: 0.75, French: 0.8 }
const kinds: readonly Kind[] = ['filler', 'repeat', 'phrase', 'cut-off', 'aside', 'correction', 'false start']

export async function* bench(): AsyncGenerator<Table> {
  yield showSet('Development: sentences that the rules were tuned on', development, 'development')
  const held = scoreSet(heldOut, 'held out')
  yield showSet('Held out: other sentences, spellings and phrases', heldOut, 'held out', [
    ...held
      .filter(([language]) => aims[language] !== undefined)
      .map(([language, { f1 }]) => decideAim({ what: `F1 in ${language}`, least: aims[language]!, unit: '' }, [f1])),
    decideAim({ what: 'Share of fluent words lost, in any language', most: 0.001, unit: '' }, [
      Math.max(...held.map(([, { lost }]) => lost)),
    ]),
    decideAim({ what: 'Numbers, negations and names lost', most: 0, unit: '' }, [
      held.reduce((sum, [, { protectedLost }]) => sum + protectedLost, 0),
    ]),
    'Half of the pairs have neither capitals nor punctuation, so that their asides stay: an aside needs a break on both sides. A repeated number, name or negation stays by promise, and is counted as missed. False starts without a common beginning are not recognised.',
  ])
}

function showSet(title: string, set: readonly Speech[], seed: string, notes?: readonly string[]): Table {
  return {
    title: `${title}: words dropped`,
    heading: ['', 'pairs', 'F1', 'precision', 'recall', 'fluent lost', ...kinds.map((kind) => `${kind}s`)],
    rows: scoreSet(set, seed).map(([language, score, pairs]) => [
      language,
      String(pairs),
      score.f1.toFixed(3),
      score.precision.toFixed(3),
      score.recall.toFixed(3),
      `${(score.lost * 100).toFixed(2)} %`,
      ...kinds.map((kind) => score.recalls.get(kind)?.toFixed(2) ?? ''),
    ]),
    ...(notes && { notes }),
  }
}

function scoreSet(set: readonly Speech[], seed: string): (readonly [string, PairScore, number])[] {
  return set.map((speech) => {
    const pairs = makePairs(speech, { seed, variants: 40 })
    return [speech.language, scorePairs(pairs), pairs.length] as const
  })
}
