import { isNumeric, type Word } from '../words.ts'
import type { Language } from './language.ts'
import { isCommonWord, isFunctionWord, isNegation, isNumberWord } from './languages.ts'

/** Numbers, names and negations are never dropped, not even as repeats. */
export function isProtected(word: Word, language: Language | undefined): boolean {
  return isProtectedInside(word, language) || isNameAtStart(word)
}

/** Like `isProtected`, but a capital at the start of a sentence does not make a name. */
export function isProtectedInside(word: Word, language: Language | undefined): boolean {
  return isNumber(word, language) || isNegation(word.key, language) || isNameInside(word)
}

export function isNumber({ text, key }: Word, language: Language | undefined): boolean {
  return isNumeric(text) || isNumberWord(key, language)
}

/** Whether it may be a name: an uncommon word, capitalized at the start of a sentence. */
export function isNameAtStart({ text, key, first }: Word): boolean {
  return first && /^\p{Lu}/u.test(text) && !isCommonWord(key)
}

/** A capital that is not due to the start of a sentence. Also protects German nouns. */
export function isNameInside({ text, key, first }: Word): boolean {
  if (/^I(?:['’](?:m|ve|d|ll))?$/.test(text)) return false
  if (first) return /^.+\p{Lu}/u.test(text)
  // After a filler, a sentence begins with a capital, too: `um, The the plan`.
  return /^.+\p{Lu}/u.test(text) || (/^\p{Lu}/u.test(text) && !(text.length > 1 && isFunctionWord(key)))
}
