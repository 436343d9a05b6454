import type { Word } from '../words.ts'
import { isNameAtStart, isProtectedInside } from './is-protected.ts'
import type { Language } from './language.ts'

/** Words in a repeated group. */
const maxUnit = 6
const maxPasses = 3

/**
 * Marks immediate repeats, except the first occurrence: single words that are never doubled on purpose (`the the`) and
 * groups of words (`I think I think`). Ignores words marked in `without`.
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
  // Repeats can nest: `I I was I was`.
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

/** The length of the unit at `at` that repeats right after itself; 0 if there is none. */
function findUnit(said: readonly Traits[], at: number, language: Language | undefined): number {
  for (let length = maxUnit; length > 0; length--) {
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
    // In `Maybe maybe` the second is lower case, so it is not a name.
    if (one.isNameLike && other.isNameLike) return false
  }
  return true
}

function isSlip(said: readonly Traits[], at: number, length: number, language: Language | undefined): boolean {
  const unit = said.slice(at, at + length).map(({ word }) => word)
  // In scripts without spaces, doubled characters are normal.
  if (unit.some(({ key, gap }) => gap === '' && [...key].length === 1)) return false
  if (length === 1) return language?.stuttered.has(unit[0]!.key) ?? false
  // `very very very` and `again and again and again` are deliberate.
  if (unit.every(({ key }) => key === unit[0]!.key)) return false
  if (length === 2 && unit.some(({ key }) => links.has(key)) && isChain(said, at)) return false
  // A repeated whole sentence is deliberate.
  return !unit.some(({ gap }) => /[.!?…。！？]/.test(gap))
}

const links = new Set('and or by to after und oder nach für um et ou à sur y o a e su'.split(' '))

/** Whether the pattern continues by one more word before or after. */
function isChain(said: readonly Traits[], at: number): boolean {
  const keyAt = (place: number) => said[place]?.word.key
  return keyAt(at + 4) === keyAt(at) || keyAt(at - 1) === keyAt(at + 1)
}
