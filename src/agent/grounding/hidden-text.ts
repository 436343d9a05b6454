import { findHidden } from '../../contract/text/hidden-characters.ts'

/** Text of a model that a person would not see, or would misread. */
export function findUnreadable(written: string, source: string): 'hidden' | 'look_alike' | undefined {
  if (findHidden(written, 'claim') !== undefined) return 'hidden'
  // Only people read spaced letters as a word.
  if (/(?<![\p{L}\p{M}])\p{L}(?:[\s.\-_*]\p{L}){2,}(?![\p{L}\p{M}])/u.test(written) && !source.includes(written)) {
    const spelt = /(?<![\p{L}\p{M}])\p{L}(?:[\s.\-_*]\p{L}){2,}(?![\p{L}\p{M}])/u.exec(written)![0]
    if (!source.includes(spelt)) return 'hidden'
  }
  const words = written.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const hasLatin = /\p{Script=Latin}/u.test(written)
  const isDoubtful = (word: string) => hasLatin && likeLatin.test(word) && !source.includes(word)
  return words.some(isDoubtful) ? 'look_alike' : undefined
}

/** Scripts with letters that look like Latin ones. */
const likeLatin =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}\p{Script=Deseret}]/u
