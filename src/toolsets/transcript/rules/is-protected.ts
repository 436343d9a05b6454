import { isNumeric, type Word } from '../words.ts'
import { isNegation, isNumberWord } from './languages.ts'

/** Numbers, names and negations: they are never left out, not even where they are said twice. */
export function isProtected(word: Word): boolean {
  return isNumeric(word.text) || isNumberWord(word.key) || isNegation(word.key) || isName(word)
}

/** A capital that no beginning of a sentence explains. Where nouns or everything have one, nothing is lost by it. */
function isName({ text, first }: Word): boolean {
  if (/^I(?:['’](?:m|ve|d|ll))?$/.test(text)) return false
  return first ? /^.+\p{Lu}/u.test(text) : /\p{Lu}/u.test(text)
}
