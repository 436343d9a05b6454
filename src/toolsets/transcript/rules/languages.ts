import type { Word } from '../words.ts'
import type { Language } from './language.ts'
import { dutch } from './languages/dutch.ts'
import { english } from './languages/english.ts'
import { french } from './languages/french.ts'
import { german } from './languages/german.ts'
import { hindi } from './languages/hindi.ts'
import { italian } from './languages/italian.ts'
import { portuguese } from './languages/portuguese.ts'
import { spanish } from './languages/spanish.ts'

export const languages: readonly Language[] = [english, german, french, spanish, italian, portuguese, dutch, hindi]

/** A turn is in another language than the talk only if it has this much more of it. */
const minLead = 1.5
const minRatio = 1.6
/** Short of this lead over another language, a talk may be in that one. */
const minRivalLead = 0.8
/** Less than this is one word that many languages share. */
const minRival = 0.3

export interface Spoken {
  readonly language: Language | undefined
  /** Other languages that it may be as well. */
  readonly rivals: readonly Language[]
}

/** The language of each turn: that of the whole talk, unless the turn is clearly in another. */
export function decideLanguages(turns: readonly (readonly Word[])[]): Spoken[] {
  const scores = turns.map(toScores)
  const total = languages.map((_, index) => scores.reduce((sum, turn) => sum + turn[index]!, 0))
  const overall = findBest(total)
  return scores.map((turn) => {
    const own = findBest(turn)
    if (overall === undefined || own === undefined)
      return toSpoken(overall ?? own, overall === undefined ? turn : total)
    const isOther = own !== overall && isFarAhead(turn, own)
    return isOther ? toSpoken(own, turn) : toSpoken(overall, total)
  })
}

function toSpoken(index: number | undefined, scores: readonly number[]): Spoken {
  if (index === undefined) return { language: undefined, rivals: [] }
  const isRival = (other: number) =>
    other !== index && scores[other]! > minRival && !isAhead(scores, [index, other], minRivalLead)
  return { language: languages[index], rivals: languages.filter((_, other) => isRival(other)) }
}

function isFarAhead(scores: readonly number[], index: number): boolean {
  return scores.every((_, other) => other === index || isAhead(scores, [index, other], minLead))
}

function isAhead(scores: readonly number[], [one, other]: readonly [number, number], lead: number): boolean {
  return scores[one]! >= scores[other]! + lead && scores[one]! >= scores[other]! * minRatio
}

/** Index of the highest score; undefined on a tie. */
function findBest(scores: readonly number[]): number | undefined {
  const best = Math.max(...scores)
  const index = scores.indexOf(best)
  return best > 0 && scores.lastIndexOf(best) === index ? index : undefined
}

/** How much each language is suggested: by words that few languages share, and by letters and endings. */
function toScores(words: readonly Word[]): number[] {
  const scores = languages.map(() => 0)
  for (const { key } of words) {
    const known = suggests.get(key)
    if (known) for (const index of known) scores[index]! += 1 / known.length
    else for (const [index, { looks }] of languages.entries()) if (looks.test(key)) scores[index]! += 0.4
  }
  return scores
}

/** Indexes of the languages that each word suggests. */
const suggests = new Map<string, number[]>()
for (const [index, { common, stuttered, numbers, negations, fillers, asides }] of languages.entries()) {
  const said = asides.flatMap((phrase) => (phrase.length === 1 ? phrase : []))
  for (const key of new Set([...common, ...stuttered, ...numbers, ...negations, ...fillers, ...said]))
    suggests.set(key, [...(suggests.get(key) ?? []), index])
}

/** Negations of languages that have no word lists here. */
const furtherNegations =
  'inte ej icke aldrig ingen inget inga ingenting utan nej ikke ikkje aldri ingenting uten nei uden intet nie nigdy nic nikt bez żaden żadna żadne ani nein не нет ни никогда ничего ничто никто нельзя без нигде ні немає ніколи нічого ніхто değil yok hayır asla hiç nu nici niciodată nimic nimeni fără ei en et emme ette eivät nem nincs soha semmi senki nélkül δεν μην όχι ποτέ τίποτα κανείς χωρίς لا ليس لم لن ما بدون לא אין בלי'

const negations = new Set(languages.flatMap((language) => [...language.negations]))
const negationsElsewhere = new Set(furtherNegations.split(' '))
const numbers = new Set(languages.flatMap((language) => [...language.numbers]))

/** Also as part of a word (`shouldn't`, `n'est`) and of another language, unless it is an ordinary word in this one. */
export function isNegation(key: string, language: Language | undefined): boolean {
  if (key.endsWith("n't") || key.startsWith("n'")) return true
  if (!language) return negations.has(key) || negationsElsewhere.has(key)
  return language.negations.has(key) || (negations.has(key) && !isOrdinary(key, language))
}

export function isNumberWord(key: string, language: Language | undefined): boolean {
  if (!language) return numbers.has(key)
  return language.numbers.has(key) || (numbers.has(key) && !isOrdinary(key, language))
}

function isOrdinary(key: string, { common, stuttered, short }: Language): boolean {
  return common.has(key) || stuttered.has(key) || short.has(key)
}

const commonWords = new Set(languages.flatMap(({ common, stuttered }) => [...common, ...stuttered]))

export function isCommonWord(key: string): boolean {
  return commonWords.has(key)
}

const functionWords = new Set(languages.flatMap(({ stuttered }) => [...stuttered]))

/** Whether a language has it as a word that is never doubled on purpose. */
export function isFunctionWord(key: string): boolean {
  return functionWords.has(key)
}

const realDoubles = new Set(
  languages.flatMap(({ emphatic, doubles }) => [...emphatic, ...doubles.flatMap(({ words }) => [...words])]),
)

/** Whether a language doubles it on purpose. */
export function isDoubledAnywhere(key: string): boolean {
  return realDoubles.has(key)
}

/** Whether it is a word, and not the beginning of one, in this language. */
export function isWord(key: string, language: Language | undefined): boolean {
  const { numbers, negations, short } = language ?? languages[0]!
  const isOwn = numbers.has(key) || negations.has(key) || short.has(key)
  return isOwn || (language ? language.common.has(key) || language.stuttered.has(key) : isCommonWord(key))
}

const articles = new Set(languages.flatMap((language) => [...language.articles]))

/** Whether it is a number word and an article, in this language or, if that is unknown, in any. */
export function isArticleWord(key: string, language: Language | undefined): boolean {
  return (language?.articles ?? articles).has(key)
}
