import { ignorableClass, stripHidden } from '../../contract/text/hidden-characters.ts'
import { toLetterTwin } from '../../contract/text/look-alikes.ts'

/** A text of a definition, with its JSON pointer. */
export interface Passage {
  readonly text: string
  readonly pointer: string
}

export interface Word {
  /** Lower case, without accents, look-alike characters replaced. */
  readonly word: string
  /** The number of the sentence. */
  readonly sentence: number
  readonly passage: Passage
  readonly start: number
  readonly end: number
}

/** Placeholders for any address or name. */
const urlWord = 'anurl'
const mailWord = 'anemail'
const hostWord = 'ahost'
const nameWord = 'aname'

/**
 * The normalized words of a text: case, accents, punctuation, line breaks, comment markers, and full-width or foreign
 * letters that look Latin make no difference. Each Chinese or Japanese character is a word.
 */
export function toWords(passages: readonly Passage[]): Word[] {
  const words: Word[] = []
  let sentence = 0
  for (const passage of passages) {
    sentence++
    let length = 0
    let end = 0
    for (const match of passage.text.matchAll(runs)) {
      const start = match.index
      if (end > 0 && ending.test(passage.text.slice(end, Math.min(start, end + 40)))) {
        // A shorter sentence does not end here: the punctuation may have been inserted to break up a phrase.
        if (length > 2) sentence++
        length = 0
      }
      end = start + match[0].length
      for (const word of fromRun(match)) {
        words.push({ word, sentence, passage, start, end })
        length++
      }
    }
  }
  return words
}

const longestWord = 120

/** Tags, link targets, addresses, names, characters of scripts without spaces, words. Repetitions are bounded, so matching is linear. */
const runs = new RegExp(
  String.raw`(?<eg>\be\.g\.)|(?<link>\]\([^\)\s]{1,1000}\))|(?<=\x60)(?<code>[A-Za-z][A-Za-z0-9]{0,40}(?:_[A-Za-z0-9]{1,40}){1,3})(?=\x60)|(?<=^|[\s"'\`\(\[,:])(?<name>[A-Za-z][A-Za-z0-9]{0,40}(?:_[A-Za-z0-9]{1,40}){1,2}|[a-z][a-z0-9]{1,40}(?:[A-Z][a-z0-9]{1,40}){1,2})(?=$|[\s"'\`\)\],.:;!?])|(?<tag></?(?:br|BR|b|B|i|I|em|strong|span|div|p|u|s|small|wbr|font|a|li|ul|ol|hr)\b[^<>]{0,80}>)|(?<url>[Hh][Tt][Tt][Pp][Ss]?://[^\s"'<>\)\]]{1,1000})|(?<mail>[\w.+\-]{1,64}@[\w\-]{1,63}(?:\.[\w\-]{1,63}){1,5})|(?<host>(?:[a-zA-Z0-9][a-zA-Z0-9\-]{0,62}\.){1,4}(?:com|net|org|io|dev|ai|xyz|biz|zone|example|ru|cn)\b(?![.\w]*[\w\/]))|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]|(?<word>[\p{Alphabetic}\p{N}][[\p{Alphabetic}\p{M}\p{N}'’ʼ\`´@$${ignorableClass}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]]*)`,
  'gv',
)

const ending = /[.!?;]["'”’)\]*_`]*\s|[。！？；]|\n\s*\n|\n\s*[-*•#>]\s/

function fromRun({ 0: text, groups }: RegExpExecArray): string[] {
  if (groups?.tag !== undefined || groups?.link !== undefined) return []
  if (groups?.eg !== undefined) return ['example']
  if (groups?.name !== undefined || groups?.code !== undefined) return [nameWord]
  if (groups?.host !== undefined) return [hostWord]
  if (groups?.url !== undefined) return [urlWord]
  if (groups?.mail !== undefined) return [mailWord]
  if (groups?.word === undefined) return [text]
  if (/^[a-z]+$/i.test(text)) return expand(text.toLowerCase())
  const plain = normalize(text.slice(0, longestWord))
  // l'utilisateur and all'utente are two words; don't and user's are one.
  return plain.split(/['`´](?=[^'`´]{3})/).flatMap((part) => expand(part.replaceAll(/['`´]/g, '')))
}

/** The normal form in which words of phrases and texts are compared. */
export function normalize(word: string): string {
  const composed = stripHidden(word.replaceAll(/[’ʼ]/g, "'").normalize('NFKC'), 'code')
  // A foreign capital counts as its Latin look-alike only in a word with Latin letters.
  const letters = /[a-z]/i.test(composed) ? composed : composed.toLowerCase()
  let plain = ''
  for (const letter of letters) plain += letter < '\x7f' ? letter : (toLetterTwin(letter) ?? letter)
  return plain.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ß', 'ss')
}

/** "Don't" becomes "do not". */
function expand(word: string): string[] {
  if (word === '') return []
  const verb = contractions.get(word)
  return verb === undefined ? [word] : [verb, 'not']
}

const contractions = new Map([
  ...[
    ...['do', 'does', 'did', 'must', 'should', 'need', 'would', 'could', 'is', 'are', 'was', 'were', 'has', 'have'],
    'dare',
  ].map((verb) => [`${verb}nt`, verb] as const),
  ['cant', 'can'],
  ['cannot', 'can'],
  ['wont', 'will'],
  ['shant', 'shall'],
])
