import { expect, test } from 'vitest'
import { development } from './development.ts'
import { heldOut } from './held-out.ts'
import { makePairs } from './make-pairs.ts'
import { scorePairs } from './score-pairs.ts'

const pair = (said: string, meant: string) => ({ language: 'English', said, meant, kinds: ['repeat'] as const })

test('words that go and should stay cost precision; words that stay and should go cost recall', () => {
  const found = pair('I think the the boat left', 'I think the boat left')
  const missed = pair('we sold six six boats', 'we sold six boats')
  const lost = pair('Um, the boat left', 'Um, the boat left')
  expect(scorePairs([found, missed])).toMatchObject({ precision: 1, recall: 0.5, lost: 0, protectedLost: 0 })
  expect(scorePairs([found, lost])).toMatchObject({ precision: 0.5, recall: 1, lost: 1 / 9 })
})

test('pairs contain every word that is meant, in order, and are the same for the same seed', () => {
  const [speech] = development
  const pairs = makePairs(speech!, { seed: 'a', variants: 3 })
  expect(makePairs(speech!, { seed: 'a', variants: 3 })).toEqual(pairs)
  for (const { said, meant } of pairs) {
    const left = said.toLowerCase().match(/[\w']+/g)!
    for (const word of meant.toLowerCase().match(/[\w']+/g)!) {
      const at = left.indexOf(word)
      expect(at, said).toBeGreaterThanOrEqual(0)
      left.splice(0, at + 1)
    }
  }
})

test('no sentence is both tuned on and held out', () => {
  const sentences = (set: typeof heldOut) => set.flatMap((speech) => speech.sentences.split('\n'))
  const tuned = new Set(sentences(development))
  expect(sentences(heldOut).filter((sentence) => tuned.has(sentence))).toEqual([])
})
