import type { Word } from '../words.ts'
import { isProtected } from './is-protected.ts'
import type { Language } from './language.ts'

const longest = 6
const mostPasses = 3

/**
 * Marks what is said again at once, all but the first time: words that nobody doubles on purpose (`the the`), and
 * groups of words (`I think I think`). What is not marked for saying already is looked at as if the rest were not there.
 */
export function findRepeats(
  words: readonly Word[],
  without: readonly boolean[],
  language: Language | undefined,
): boolean[] {
  const marked = words.map(() => false)
  // `I I was I was` has a repeat within a repeat.
  for (let pass = 0; pass < mostPasses; pass++) {
    const places = words.flatMap((_, index) => (without[index] || marked[index] ? [] : [index]))
    if (!mark(words, places, marked, language)) break
  }
  return marked
}

function mark(
  words: readonly Word[],
  places: readonly number[],
  marked: boolean[],
  language: Language | undefined,
): boolean {
  const at = (place: number): Word | undefined => words[places[place]!]
  let isNew = false
  let place = 0
  while (place < places.length) {
    const length = findUnit(at, place, language)
    if (length === 0) {
      place++
      continue
    }
    let next = place + length
    while (isSame(at, place, next, length)) {
      for (let offset = 0; offset < length; offset++) marked[places[next + offset]!] = true
      next += length
      isNew = true
    }
    place = next
  }
  return isNew
}

type At = (place: number) => Word | undefined

/** How many words from here on come again right after. */
function findUnit(at: At, place: number, language: Language | undefined): number {
  for (let length = longest; length > 0; length--) {
    if (isSame(at, place, place + length, length) && isSlip(at, place, length, language)) return length
  }
  return 0
}

function isSame(at: At, place: number, next: number, length: number): boolean {
  for (let offset = 0; offset < length; offset++) {
    const one = at(place + offset)
    const other = at(next + offset)
    if (!one || !other || one.key !== other.key || isProtected(one) || isProtected(other)) return false
  }
  return true
}

function isSlip(at: At, place: number, length: number, language: Language | undefined): boolean {
  const unit = Array.from({ length }, (_, offset) => at(place + offset)!)
  // Characters of scripts without spaces double as words do not.
  if (unit.some(({ key, gap }) => [...key].length === 1 && gap === '')) return false
  if (length === 1) return language?.stuttered.has(unit[0]!.key) ?? false
  // The same word over and over is meant, and so is `again and again and again`.
  if (unit.every(({ key }) => key === unit[0]!.key)) return false
  if (length === 2 && unit.some(({ key }) => links.has(key)) && isChain(at, place)) return false
  // A sentence that is said twice is meant.
  return !/[.!?…]/.test(unit.at(-1)!.gap)
}

const links = new Set('and or by to after und oder nach für um et ou à sur y o a e su'.split(' '))

/** One word more of the same before or after. */
function isChain(at: At, place: number): boolean {
  return at(place + 4)?.key === at(place)!.key || at(place - 1)?.key === at(place + 1)!.key
}
