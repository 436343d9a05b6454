import type { Word } from '../words.ts'
import type { Language } from './language.ts'
import { english } from './languages/english.ts'
import { french } from './languages/french.ts'
import { german } from './languages/german.ts'
import { italian } from './languages/italian.ts'
import { portuguese } from './languages/portuguese.ts'
import { spanish } from './languages/spanish.ts'

export const languages: readonly Language[] = [english, german, french, spanish, italian, portuguese]

/** The language with the most matching words; undefined on a tie. */
export function decideLanguage(words: readonly Word[]): Language | undefined {
  const scores = languages.map((language) => ({ language, score: 0 }))
  for (const { key } of words) {
    for (const index of suggests.get(key) ?? []) scores[index]!.score++
  }
  const [best, next] = scores.sort((a, b) => b.score - a.score)
  return best!.score > next!.score ? best!.language : undefined
}

/** Indexes of the languages that each word suggests. */
const suggests = new Map<string, number[]>()
for (const [index, { common, numbers, negations }] of languages.entries()) {
  for (const key of new Set([...common, ...numbers, ...negations]))
    suggests.set(key, [...(suggests.get(key) ?? []), index])
}

/** Negations of languages that have no word lists here. */
const furtherNegations =
  'niet geen nooit niets niemand zonder nee noch inte ej icke aldrig ingen inget inga ingenting utan nej ikke ikkje aldri ingenting uten nei uden intet nie nigdy nic nikt bez żaden żadna żadne ani nein не нет ни никогда ничего ничто никто нельзя без нигде ні немає ніколи нічого ніхто değil yok hayır asla hiç nu nici niciodată nimic nimeni fără ei en et emme ette eivät nem nincs soha semmi senki nélkül δεν μην όχι ποτέ τίποτα κανείς χωρίς لا ليس لم لن ما بدون לא אין בלי'

const negations = new Set([...furtherNegations.split(' '), ...languages.flatMap((language) => [...language.negations])])
const numbers = new Set(languages.flatMap((language) => [...language.numbers]))

/** In any language, also as part of a word: `shouldn't`, `n'est`. */
export function isNegation(key: string): boolean {
  return negations.has(key) || key.endsWith("n't") || key.startsWith("n'")
}

export function isNumberWord(key: string): boolean {
  return numbers.has(key)
}

const commonWords = new Set(languages.flatMap(({ common, stuttered }) => [...common, ...stuttered]))

export function isCommonWord(key: string): boolean {
  return commonWords.has(key)
}
