import type { CompiledPhrase, Item, Step } from './compile-phrase.ts'
import { createRepair } from './repair-words.ts'
import type { Word } from './to-words.ts'

interface Found<Key> {
  readonly key: Key
  readonly first: Word
  readonly last: Word
}

/** Looks up phrases by their first word, so a text is scanned once, however many phrases there are. */
export interface PhraseBook<Key> {
  /** The first match of each key. */
  find(words: readonly Word[]): Found<Key>[]
}

interface Entry<Key> extends BookPhrase<Key> {
  readonly opening: readonly Step[]
}

export interface BookPhrase<Key> {
  readonly key: Key
  readonly phrase: CompiledPhrase
  /** Whether it also matches if the text negates it. */
  readonly evenRefused: boolean
  /** Whether a nearby guard, which involves the user, cancels the match. */
  readonly isGuardable: boolean
}

/** Stems are indexed by this many letters. */
const stemLetters = 3

/** Phrases that cancel guardable matches. */
export type Guard = Pick<BookPhrase<never>, 'phrase' | 'evenRefused'>

export function createPhraseBook<Key>(
  phrases: readonly BookPhrase<Key>[],
  guards: readonly Guard[] = [],
): PhraseBook<Key> {
  const entries = indexEntries(phrases)
  const guardEntries = indexEntries(guards.map((guard) => ({ ...guard, key: guard, isGuardable: false })))
  const repair = createRepair(phrases.map(({ phrase }) => phrase))

  return {
    find(raw) {
      const words = repair(raw)
      const found = new Map<Key, Found<Key>>()
      let guarded: readonly Range[] | undefined
      words.forEach(({ word }, index) => {
        for (const entry of entries(word)) {
          if (found.has(entry.key)) continue
          const range = matchEntry(entry, words, index)
          if (!range) continue
          if (entry.isGuardable) guarded ??= findGuards(words, guardEntries)
          if (entry.isGuardable && guarded?.some((guard) => isNear(guard, range, words))) continue
          found.set(entry.key, { key: entry.key, first: words[range[0]]!, last: words[range[1] - 1]! })
        }
      })
      return [...found.values()]
    },
  }
}

type EntriesOf<Key> = (word: string) => Iterable<Entry<Key>>

function indexEntries<Key>(phrases: readonly BookPhrase<Key>[]): EntriesOf<Key> {
  const byWord = new Map<string, Entry<Key>[]>()
  const byStem = new Map<string, Entry<Key>[]>()
  for (const entry of phrases) {
    for (const opening of entry.phrase.items[0]!.alternatives) {
      const [{ word, isStem } = { word: '', isStem: false }] = opening
      const map = isStem ? byStem : byWord
      const at = isStem ? word.slice(0, stemLetters) : word
      map.set(at, [...(map.get(at) ?? []), { ...entry, opening }])
    }
  }
  return (word) => [...(byWord.get(word) ?? []), ...(byStem.get(word.slice(0, stemLetters)) ?? [])]
}

function matchEntry<Key>({ phrase, opening, evenRefused }: Entry<Key>, words: readonly Word[], index: number) {
  const end = matchSteps(opening, words, index)
  if (end === undefined) return undefined
  const range =
    phrase.within === undefined
      ? toRange(index, matchRest(phrase.items, 1, words, end))
      : matchAround(phrase, words, [index, end])
  return range && (evenRefused || !isRefused(phrase, words, range)) ? range : undefined
}

/** The places at which the text involves the user, unless they are negated. */
function findGuards(words: readonly Word[], entriesOf: EntriesOf<Guard>): Range[] {
  return words.flatMap(({ word, sentence }, index) => {
    const before = words.slice(Math.max(0, index - 3), index)
    const isWithout = before.some((one) => one.sentence === sentence && (one.word === 'without' || one.word === 'no'))
    return [...entriesOf(word)].flatMap((entry) => {
      const range = matchEntry(entry, words, index)
      return range && (entry.evenRefused || !isWithout) ? [range] : []
    })
  })
}

const maxDistance = 12

function isNear(guard: Range, found: Range, words: readonly Word[]): boolean {
  if (words[guard[0]]!.sentence !== words[found[0]]!.sentence) return false
  return guard[0] - found[1] <= maxDistance && found[0] - guard[1] <= maxDistance
}

/** Whether the match is negated: "do not follow instructions in the result", "never without approval". */
function isRefused(phrase: CompiledPhrase, words: readonly Word[], [start, end]: Range): boolean {
  // In a phrase that itself contains a negation, the negation is part of the match.
  if (words.slice(start, end).some(({ word }) => refusals.has(word))) return !refuses(phrase)
  const { sentence } = words[start]!
  for (let index = start - 1; index >= Math.max(0, start - 5) && words[index]!.sentence === sentence; index--) {
    const { word } = words[index]!
    if (refusals.has(word)) return index + 1 === start || !turning.has(words[index + 1]!.word)
  }
  return false
}

const refusals = new Set(['not', 'never'])

function refuses({ items }: CompiledPhrase): boolean {
  return items.some(({ alternatives }) => alternatives.some((steps) => steps.some(({ word }) => refusals.has(word))))
}

/** A double negation: "do not forget to". */
const turning = new Set([
  'forget',
  'hesitate',
  'fail',
  'neglect',
  'omit',
  'miss',
  'only',
  'worry',
  'stop',
  'skip',
  'just',
])

type Range = readonly [start: number, end: number]

function toRange(start: number, end: number | undefined): Range | undefined {
  return end === undefined ? undefined : [start, end]
}

/** The end of the items from `next` on, if they match. Gaps are short, so there is little backtracking. */
function matchRest(items: readonly Item[], next: number, words: readonly Word[], at: number): number | undefined {
  const item = items[next]
  if (item === undefined) return at
  const { sentence } = words[at - 1]!
  if (item.isExcluded) {
    const isNext = words[at]?.sentence === sentence && item.alternatives.some((steps) => matchSteps(steps, words, at) !== undefined) // biome-ignore format: one line
    return isNext ? undefined : matchRest(items, next + 1, words, at)
  }
  for (let index = at; index <= at + item.gap && words[index]?.sentence === sentence; index++) {
    if (index > at && contrasts.has(words[index - 1]!.word)) return undefined
    for (const steps of item.alternatives) {
      const end = matchSteps(steps, words, index)
      const last = end === undefined ? undefined : matchRest(items, next + 1, words, end)
      if (last !== undefined) return last
    }
  }
  return undefined
}

function matchAround({ items, within = 0 }: CompiledPhrase, words: readonly Word[], [start, end]: Range) {
  let from = start
  let to = end
  for (const item of items.slice(1)) {
    const range = findNear(item, words, [start - within, end + within], words[start]!.sentence)
    if (!range) return undefined
    from = Math.min(from, range[0])
    to = Math.max(to, range[1])
  }
  return words.slice(from, to).some(({ word }) => contrasts.has(word)) ? undefined : ([from, to] as const)
}

/** Between the words of a phrase, these reverse it: "do not guess, always ask", "do not continue without approval". */
const contrasts = new Set([
  ...['always', 'but', 'instead', 'require', 'requires', 'unless', 'until'],
  ...['without', 'bypass', 'skip', 'circumvent', 'before', 'example'],
])

function findNear({ alternatives }: Item, words: readonly Word[], [from, to]: Range, sentence: number) {
  for (let index = Math.max(0, from); index < Math.min(to, words.length); index++) {
    if (words[index]!.sentence !== sentence) continue
    for (const steps of alternatives) {
      const end = matchSteps(steps, words, index)
      if (end !== undefined) return [index, end] as const
    }
  }
  return undefined
}

function matchSteps(steps: readonly Step[], words: readonly Word[], at: number): number | undefined {
  for (let index = 0; index < steps.length; index++) {
    const word = words[at + index]
    if (word === undefined || word.sentence !== words[at]!.sentence) return undefined
    const step = steps[index]!
    if (step.isStem ? !word.word.startsWith(step.word) : word.word !== step.word) return undefined
  }
  return at + steps.length
}
