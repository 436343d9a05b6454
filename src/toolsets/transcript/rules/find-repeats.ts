import type { Word } from '../words.ts'
import { isNameAtStart, isProtectedInside } from './is-protected.ts'
import type { Language } from './language.ts'

const longest = 6
const maxPasses = 3

/**
 * Marks what is said again at once, all but the first time: words that nobody doubles on purpose (`the the`), and
 * groups of words (`I think I think`). Words in `without` are looked past.
 */
export function findRepeats(
  words: readonly Word[],
  without: readonly boolean[],
  language: Language | undefined,
): boolean[] {
  const marked = words.map(() => false)
  const traits = words.map(
    (word): Traits => ({ word, stays: isProtectedInside(word), isNameLike: isNameAtStart(word) }),
  )
  // `I I was I was` has a repeat within a repeat.
  for (let pass = 0; pass < maxPasses; pass++) {
    const places = words.flatMap((_, index) => (without[index] || marked[index] ? [] : [index]))
    const found = findAgain(
      places.map((place) => traits[place]!),
      language,
    )
    if (found.length === 0) break
    for (const index of found) marked[places[index]!] = true
  }
  return marked
}

interface Traits {
  readonly word: Word
  readonly stays: boolean
  readonly isNameLike: boolean
}

function findAgain(said: readonly Traits[], language: Language | undefined): number[] {
  const found: number[] = []
  for (let at = 0; at < said.length; ) {
    const length = findUnit(said, at, language)
    let next = at + Math.max(1, length)
    while (length > 0 && isSame(said, at, next, length)) {
      for (let offset = 0; offset < length; offset++) found.push(next + offset)
      next += length
    }
    at = next
  }
  return found
}

/** How many words from here on come again right after. */
function findUnit(said: readonly Traits[], at: number, language: Language | undefined): number {
  for (let length = longest; length > 0; length--) {
    if (isSame(said, at, at + length, length) && isSlip(said, at, length, language)) return length
  }
  return 0
}

function isSame(said: readonly Traits[], at: number, next: number, length: number): boolean {
  if (next + length > said.length) return false
  for (let offset = 0; offset < length; offset++) {
    const one = said[at + offset]!
    const other = said[next + offset]!
    if (one.word.key !== other.word.key || one.stays || other.stays) return false
    // `Maybe maybe`: what is written small is no name.
    if (one.isNameLike && other.isNameLike) return false
  }
  return true
}

function isSlip(said: readonly Traits[], at: number, length: number, language: Language | undefined): boolean {
  const unit = said.slice(at, at + length).map(({ word }) => word)
  // Characters of scripts without spaces double as words do not.
  if (unit.some(({ key, gap }) => gap === '' && [...key].length === 1)) return false
  if (length === 1) return language?.stuttered.has(unit[0]!.key) ?? false
  // The same word over and over is meant, and so is `again and again and again`.
  if (unit.every(({ key }) => key === unit[0]!.key)) return false
  if (length === 2 && unit.some(({ key }) => links.has(key)) && isChain(said, at)) return false
  // A sentence that is said twice is meant.
  return !unit.some(({ gap }) => /[.!?…。！？]/.test(gap))
}

const links = new Set('and or by to after und oder nach für um et ou à sur y o a e su'.split(' '))

/** One word more of the same before or after. */
function isChain(said: readonly Traits[], at: number): boolean {
  const keyAt = (place: number) => said[place]?.word.key
  return keyAt(at + 4) === keyAt(at) || keyAt(at - 1) === keyAt(at + 1)
}
