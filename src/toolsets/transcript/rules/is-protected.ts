import { isNumeric, type Word } from '../words.ts'
import { isCommonWord, isNegation, isNumberWord } from './languages.ts'

/** Numbers, names and negations: they are never left out, not even where they are said twice. */
export function isProtected(word: Word): boolean {
  return isProtectedInside(word) || isNameAtStart(word)
}

/** The same where what begins a sentence with a capital is known to be no name. */
export function isProtectedInside(word: Word): boolean {
  return isNumeric(word.text) || isNumberWord(word.key) || isNegation(word.key) || isNameInside(word)
}

/** A capital at the beginning of a sentence, on a word that does not stand in every sentence. */
export function isNameAtStart({ text, key, first }: Word): boolean {
  return first && /^\p{Lu}/u.test(text) && !isCommonWord(key)
}

/** A capital that no beginning of a sentence explains. Where nouns or everything have one, nothing is lost by it. */
function isNameInside({ text, first }: Word): boolean {
  if (/^I(?:['’](?:m|ve|d|ll))?$/.test(text)) return false
  return first ? /^.+\p{Lu}/u.test(text) : /\p{Lu}/u.test(text)
}
