import type { Word } from '../words.ts'
import { isProtectedInside } from './is-protected.ts'

/** Marks beginnings of words that were broken off and said anew: `th- the`. */
export function findCutOffs(words: readonly Word[]): boolean[] {
  return words.map((word, index) => {
    const next = words[index + 1]
    if (!next || !/^[-–—]+\s/.test(word.gap) || isProtectedInside(word)) return false
    return next.key.length > word.key.length && next.key.startsWith(word.key) && !/['’]/.test(word.key)
  })
}
