import { isProtected } from '../rules/is-protected.ts'
import type { Language } from '../rules/language.ts'
import type { Word } from '../words.ts'

/** What happens to a word of the original. */
export type WordStatus = 'kept' | 'filler' | 'repeat' | 'restored'

const longest = 12

/** Marks, among the words that a model left out, those that repeat the words right before or after them. */
export function markRepeats(
  words: readonly Word[],
  statuses: readonly WordStatus[],
  language: Language | undefined,
): WordStatus[] {
  const judged = [...statuses]
  for (let start = 0; start < words.length; ) {
    let end = start
    while (end < words.length && statuses[end] !== 'kept') end++
    const run = range(start, end).filter((index) => statuses[index] === 'restored')
    if (run.length > 0 && run.length <= longest && isRepeat(words, statuses, { run, start, end, language }))
      for (const index of run) judged[index] = 'repeat'
    start = end + 1
  }
  return judged
}

interface Run {
  readonly run: readonly number[]
  readonly start: number
  readonly end: number
  readonly language: Language | undefined
}

function isRepeat(
  words: readonly Word[],
  statuses: readonly WordStatus[],
  { run, start, end, language }: Run,
): boolean {
  const again = run.map((index) => words[index]!)
  if (again.some((word) => isProtected(word, language))) return false
  const isKept = (index: number) => statuses[index] === 'kept'
  const reach = longest * 4
  const before = range(Math.max(0, start - reach), start).filter(isKept)
  const after = range(end, Math.min(words.length, end + reach)).filter(isKept)
  const toWords = (indexes: readonly number[]) => indexes.map((index) => words[index]!)
  return (
    isMadeOf(again, (length) => toWords(before.slice(-length))) ||
    isMadeOf(again, (length) => toWords(after.slice(0, length)))
  )
}

/** Whether the words are one or more copies of the adjacent words. */
function isMadeOf(words: readonly Word[], next: (length: number) => readonly Word[]): boolean {
  for (let length = words.length; length > 0; length--) {
    const unit = words.length % length === 0 ? next(length) : []
    if (unit.length === length && words.every(({ key }, index) => key === unit[index % length]!.key)) return true
  }
  return false
}

function range(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, offset) => start + offset)
}
