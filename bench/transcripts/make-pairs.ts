import { createRandom, type Random } from '../../src/authoring/scenarios/values/random.ts'

/** Clean sentences of a language, and what speakers of it insert. */
export interface Speech {
  readonly language: string
  /** One to a line. */
  readonly sentences: string
  readonly fillers: string
  /** Phrases between two breaks, separated by commas. */
  readonly asides: string
  /** Phrases that announce a correction. */
  readonly edits: string
  /** Beginnings of sentences that are given up. */
  readonly starts: string
  /** Words that are said first in place of another one. */
  readonly articles: string
}

export type Kind = 'filler' | 'repeat' | 'phrase' | 'cut-off' | 'aside' | 'false start' | 'correction'

/** A sentence as it was said, and as it was meant. */
export interface Pair {
  readonly language: string
  readonly said: string
  readonly meant: string
  readonly kinds: readonly Kind[]
}

/** Roughly how often each occurs in speech. */
const shares: readonly (readonly [Kind, number])[] = [
  ['filler', 0.38],
  ['repeat', 0.27],
  ['phrase', 0.12],
  ['cut-off', 0.07],
  ['aside', 0.06],
  ['false start', 0.06],
  ['correction', 0.04],
]

/** Inserts one to three disfluencies into each sentence, `variants` times; half of the pairs have neither capitals nor punctuation. */
export function makePairs(speech: Speech, { seed, variants }: { seed: string; variants: number }): Pair[] {
  const random = createRandom(`${seed} ${speech.language}`)
  return speech.sentences.split('\n').flatMap((meant) =>
    Array.from({ length: variants }, () => {
      const kinds = Array.from({ length: random.pick([1, 1, 1, 2, 2, 3]) }, () => chooseKind(random))
      const said = kinds.reduce((text, kind) => insert(text.split(' '), kind, { speech, random }).join(' '), meant)
      const isBare = random.chance(0.5)
      const show = (text: string) => (isBare ? toBare(text) : text)
      return { language: speech.language, said: show(said), meant: show(meant), kinds }
    }),
  )
}

function chooseKind(random: Random): Kind {
  let rest = random.below(1000) / 1000
  for (const [kind, share] of shares) {
    rest -= share
    if (rest < 0) return kind
  }
  return 'filler'
}

/** As speech recognition writes without punctuation. */
function toBare(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/\.{3}|[.,?!¿¡;।—]|-(?= )/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

interface Options {
  readonly speech: Speech
  readonly random: Random
}

function insert(words: readonly string[], kind: Kind, { speech, random }: Options): string[] {
  const choose = (list: string) => random.pick(list.split(', '))
  const at = random.below(words.length)
  const [before, after] = [words.slice(0, at), words.slice(at)]
  // The second time, the capital of the start of the sentence is gone.
  const again = at === 0 ? [toLower(after[0]!), ...after.slice(1)] : after
  const setOff = (phrase: string) =>
    at === 0
      ? [`${toUpper(phrase)},`, ...again]
      : [...before.slice(0, -1), `${toBareWord(before.at(-1)!)},`, `${phrase},`, ...after]
  switch (kind) {
    case 'filler': {
      const filler = random.pick(speech.fillers.split(' '))
      return at === 0 || random.chance(0.5) ? setOff(filler) : [...before, filler, ...after]
    }
    case 'repeat': {
      const copies = Array.from({ length: random.pick([1, 1, 1, 1, 1, 2]) }, (_, index) =>
        index === 0 ? after[0]! : again[0]!,
      )
      return [...before, ...copies.map((word) => toBareWord(word) + random.pick(['', '', '', ',', '...'])), ...again]
    }
    case 'phrase': {
      const unit = after.slice(0, 2 + random.below(3))
      return [
        ...before,
        ...unit.slice(0, -1),
        toBareWord(unit.at(-1)!) + random.pick(['', '', ',', ',', '...', ' —']),
        ...again,
      ]
    }
    case 'cut-off': {
      const letters = [...toBareWord(after[0]!)]
      if (letters.length < 4) return insert(words, 'repeat', { speech, random })
      const part = letters.slice(0, 1 + random.below(Math.min(4, letters.length - 2))).join('')
      return [...before, part + random.pick(['-', '-', '...', '', ' —']), ...again]
    }
    case 'aside':
      return setOff(choose(speech.asides))
    case 'false start':
      return [`${toUpper(choose(speech.starts))}...`, toLower(words[0]!), ...words.slice(1)]
    case 'correction': {
      const spot = words.findIndex((word) => speech.articles.split(' ').includes(word))
      if (spot === -1) return insert(words, 'repeat', { speech, random })
      const others = speech.sentences.split(/\s+/).filter((word) => /^[\p{Ll}\p{Lo}\p{M}]{4,}/u.test(word))
      return [
        ...words.slice(0, spot + 1),
        `${toBareWord(random.pick(others))},`,
        `${choose(speech.edits)},`,
        ...words.slice(spot),
      ]
    }
  }
}

function toBareWord(word: string): string {
  return word.replace(/[.,?!।]+$/u, '')
}

function toLower(word: string): string {
  return word === 'I' ? word : word.replace(/^\p{Lu}/u, (letter) => letter.toLowerCase())
}

function toUpper(text: string): string {
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
}
