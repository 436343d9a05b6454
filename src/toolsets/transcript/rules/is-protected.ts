import { isNumeric, type Word } from '../words.ts'
import { isCommonWord, isNegation, isNumberWord } from './languages.ts'

/** Numbers, names and negations are never dropped, not even as repeats. */
export function isProtected(word: Word): boolean {
  return isProtectedInside(word) || isNameAtStart(word)
}

/** Like `isProtected`, but a capital at the start of a sentence does not make a name. */
export function isProtectedInside(word: Word): boolean {
  return isNumeric(word.text) || isNumberWord(word.key) || isNegation(word.key) || isNameInside(word)
}

/** Whether it may be a name: an uncommon word, capitalized at the start of a sentence. */
export function isNameAtStart({ text, key, first }: Word): boolean {
  return first && /^\p{Lu}/u.test(text) && !isCommonWord(key)
}

/** A capital that is not due to the start of a sentence. Also protects German nouns, which only means fewer repeats go. */
function isNameInside({ text, first }: Word): boolean {
  if (/^I(?:['’](?:m|ve|d|ll))?$/.test(text)) return false
  return first ? /^.+\p{Lu}/u.test(text) : /\p{Lu}/u.test(text)
}
