import type { CompiledPhrase } from './compile-phrase.ts'
import type { Word } from './to-words.ts'

/** Function words, needed to split words that were written together. */
const glue =
  'a an and any about all are as at be by call before after do for from if in is it its must of on or our result so step that the then there these this to tool use when which will with you your yes no not user'

/**
 * Undoes disguises of words: `t3ll`, `t e l l`, `donottell`. Changes only text that becomes words of the phrases, so
 * ordinary text stays as it is.
 */
export function createRepair(phrases: readonly CompiledPhrase[]): (words: readonly Word[]) => readonly Word[] {
  const steps = phrases.flatMap(({ items }) => items.flatMap(({ alternatives }) => alternatives.flat()))
  const known = new Set([...glue.split(' '), ...steps.filter(({ isStem }) => !isStem).map(({ word }) => word)])
  const stems = Map.groupBy(
    steps.filter(({ isStem }) => isStem).map(({ word }) => word),
    (stem) => stem.slice(0, 3),
  )
  const isKnown = (word: string) =>
    known.has(word) || stems.get(word.slice(0, 3))?.some((stem) => word.startsWith(stem)) === true

  return (words) => {
    if (!words.some(isOdd)) return words
    const repaired: Word[] = []
    for (let index = 0; index < words.length; index++) {
      const letters = spelledFrom(words, index)
      const parts = letters >= minLetters ? fromLetters(words.slice(index, index + letters), known) : undefined
      if (parts) {
        const last = words[index + letters - 1]!
        for (const word of parts) repaired.push({ ...words[index]!, word, end: endIn(words[index]!, last) })
        index += letters - 1
      } else if (letters >= minLetters) {
        // Skips the whole run if it contains no words, to stay linear.
        repaired.push(...words.slice(index, index + letters))
        index += letters - 1
      } else repaired.push(...repairOne(words[index]!, known, isKnown))
    }
    return repaired
  }
}

const minLetters = 4
const shortestGlued = 9
const longestGlued = 200
const longestKnown = 16
/** Many ordinary words consist of two known ones: under + lying. */
const minParts = 3

function isOdd({ word }: Word): boolean {
  return word.length === 1 || word.length >= shortestGlued || /[\d@$]/.test(word)
}

function repairOne(word: Word, known: ReadonlySet<string>, isKnown: (word: string) => boolean): Word[] {
  const text = word.word
  if (/[\d@$]/.test(text) && /[a-z]/.test(text)) {
    const meant = ['i', 'l'].map((one) => toLetters(text, one)).find(isKnown)
    return [meant === undefined ? word : { ...word, word: meant }]
  }
  if (text.length < shortestGlued || isKnown(text)) return [word]
  const parts = cut(text, known)
  return parts && parts.length >= minParts ? parts.map((part) => ({ ...word, word: part })) : [word]
}

const digits: { readonly [digit: string]: string } = {
  0: 'o',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  8: 'b',
  '@': 'a',
  $: 's',
}

function toLetters(text: string, one: string): string {
  return text.replaceAll(/[\d@$]/g, (digit) => (digit === '1' ? one : (digits[digit] ?? digit)))
}

/** The length of the run of single letters. */
function spelledFrom(words: readonly Word[], index: number): number {
  let count = 0
  while (count < longestGlued && isLetter(words[index + count], words[index]!)) count++
  return count
}

function isLetter(word: Word | undefined, first: Word): boolean {
  return word !== undefined && word.passage === first.passage && /^[a-z]$/.test(word.word)
}

/** Reads `t*e*l*l t*h*e*m`: a different separator marks the end of a word. Otherwise all letters are split as one text. */
function fromLetters(letters: readonly Word[], known: ReadonlySet<string>): string[] | undefined {
  const signs = letters.slice(1).map(({ start, passage }, index) => passage.text.slice(letters[index]!.end, start))
  const groups = [letters[0]!.word]
  signs.forEach((sign, index) => {
    if (sign === signs[0]) groups[groups.length - 1] += letters[index + 1]!.word
    else groups.push(letters[index + 1]!.word)
  })
  const parts = groups.map((group) => (known.has(group) ? [group] : cut(group, known)))
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined
}

function endIn(first: Word, last: Word): number {
  return first.passage === last.passage ? last.end : first.end
}

/** Splits the whole text into as few known words as possible; undefined if that is not possible. */
function cut(text: string, known: ReadonlySet<string>): string[] | undefined {
  if (text.length > longestGlued) return undefined
  const best: (string[] | undefined)[] = [[]]
  for (let start = 0; start < text.length; start++) {
    const before = best[start]
    if (!before) continue
    for (let end = start + 1; end <= Math.min(text.length, start + longestKnown); end++) {
      if (before.length + 1 >= (best[end]?.length ?? Number.POSITIVE_INFINITY)) continue
      const word = text.slice(start, end)
      if (known.has(word)) best[end] = [...before, word]
    }
  }
  return best[text.length]
}
