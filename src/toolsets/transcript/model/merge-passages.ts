import { isNumber, isProtected } from '../rules/is-protected.ts'
import type { Language } from '../rules/language.ts'
import { isCommonWord, isFunctionWord } from '../rules/languages.ts'
import { type Passage, toCapital, type Word } from '../words.ts'
import type { WordStatus } from './mark-repeats.ts'

/** Punctuation that a model may add and remove. Not colons (they mark speakers) and not brackets (they mark remarks). */
const free = /[\s.,;!?…"“”„‟'‘’‚‛«»‹›¿¡—–‐‑\-。，、；！？「」『』]/gu

const maxMarks = 6

/** Words that are others with a capital: `polish` and `Polish`, `will` and `Will`, German `sie` and `Sie`. */
const homographs = new Set(
  'polish turkey china march may august nice reading job mobile bath cork lima will mark bill rob sue pat hope rose grace jack frank us it who cook baker brown young king price stone hill ford bush ray drew chase miles joy ruby amber faith penny lily olive robin drake wade lance chuck pierce nick cliff dale sandy candy cherry catholic liberal democrat conservative weg arm laut dank kraft statt trotz floh genossen sie ihr ihre ihnen ihrem ihren ihrer ihres'.split(
    ' ',
  ),
)

/** Words inside numbers: `one hundred and twenty`, `two and a half`, `three point five`, `from nine to five`. */
const numberLinks = new Set('and a point comma to und komma bis et virgule à y coma e virgola vírgula en'.split(' '))
/** Words that belong to the number after them or before them. */
const signs = new Set('minus plus moins menos meno min'.split(' '))
const units = new Set('percent per prozent pour por procent प्रतिशत'.split(' '))

interface Alignment {
  /** For each word of the answer, its index in the original. */
  readonly places: readonly number[]
  readonly statuses: readonly WordStatus[]
  readonly language: Language | undefined
}

/**
 * The original words with the capitals and punctuation of the model. Undefined if the model added or dropped signs other
 * than punctuation.
 */
export function mergePassages(said: Passage, written: Passage, alignment: Alignment): Passage | undefined {
  const { places, statuses, language } = alignment
  const words: Word[] = []
  let lead = said.lead
  let before = ''
  // -1 is the stretch before the first word of the answer; then one stretch from each word to the next.
  for (let index = -1; index < places.length; index++) {
    const gap = index === -1 ? written.lead : written.words[index]!.gap
    const from = index === -1 ? 0 : places[index]!
    const stretch = said.words.slice(from, places[index + 1] ?? said.words.length)
    const opening = index === -1 ? said.lead : ''
    const spoken = opening + stretch.map((word) => word.gap).join('')
    if (!isSoundGap(gap, spoken)) return undefined
    const kept = stretch.filter(
      (_, offset) => statuses[from + offset] === 'kept' || statuses[from + offset] === 'restored',
    )
    const isWhole = kept.length === (index === -1 ? 0 : 1)
    if (!isWhole && toSigns(spoken) !== '') return undefined
    const near = [said.words[from - 1], kept.at(-1), ...[1, 2, 3].map((more) => said.words[places[index + more] ?? -1])]
    const shown = kept.map((word, offset): Word => {
      // Words restored before the first word of the answer keep their original form.
      const isLast = index >= 0 && offset === kept.length - 1
      const isWritten = index >= 0 && offset === 0
      const starts = words.length === 0 || /[.!?…。！？"“”„«»]/.test(before)
      const text = isWritten ? toSpelling(word, written.words[index]!.text, { starts, language }) : word.text
      return { ...word, text, gap: isLast ? toLastGap(gap, kept, { near, language }) : toGap(word.gap) || ' ' }
    })
    if (index === -1 && isWhole) lead = toGap(gap)
    words.push(...shown)
    before = shown.at(-1)?.gap ?? before
  }
  return { lead, words }
}

/** How many words have punctuation after them. */
export function countMarks({ words }: Passage): number {
  return words.filter(({ gap }) => gap.trim() !== '').length
}

interface Near {
  /** The word before the last one, the last one, and the next three. */
  readonly near: readonly (Word | undefined)[]
  readonly language: Language | undefined
}

/** The model's gap, unless it is the gap before the restored words, or would change how a number or a word reads. */
function toLastGap(gap: string, kept: readonly Word[], { near, language }: Near): string {
  const [first, last, next] = [kept[0]!, kept.at(-1)!, near[2]]
  if (first !== last && gap.trim() === first.gap.trim()) return toGap(last.gap)
  const isBesideNumber = [last, next].some((word) => word && isCount(word, language))
  const isJoined = next !== undefined && /\s/.test(last.gap) && !/[\s—–]/.test(gap)
  // `3-5`, `3. cats`, `5"`: beside a number only plain marks with a space.
  const isUnclear = isBesideNumber && !/^[,.;!?…]*(?:\s+|$)[¿¡"“„«]*$/u.test(gap)
  return isInNumber(near, language) || isJoined || isUnclear ? toGap(last.gap) : toGap(gap)
}

/** Whether the gap after the second of these words is inside a number. */
function isInNumber([before, last, next, second, third]: Near['near'], language: Language | undefined): boolean {
  const isCounted = (word: Word | undefined) => word !== undefined && isCount(word, language)
  const isLink = (word: Word | undefined) => word !== undefined && numberLinks.has(word.key)
  if (isCounted(last)) {
    if (isCounted(next) || units.has(next?.key ?? '')) return true
    return isLink(next) && (isCounted(second) || (isLink(second) && isCounted(third)))
  }
  if (signs.has(last?.key ?? '')) return isCounted(next)
  return isLink(last) && isCounted(before) && (isCounted(next) || (isLink(next) && isCounted(second)))
}

function isCount(word: Word, language: Language | undefined): boolean {
  return isNumber(word, language) && !language?.articles.has(word.key)
}

interface Spelling {
  /** Whether a sentence begins with it, by the punctuation of the model. */
  readonly starts: boolean
  readonly language: Language | undefined
}

/** A model may add a first capital, unless it makes another word, and remove it where a sentence no longer begins. */
function toSpelling(word: Word, written: string, { starts, language }: Spelling): string {
  const { text, key } = word
  if (written.toLowerCase() !== text.toLowerCase()) return text
  const [is, was] = [written, text].map((spelling) => /^\p{Lu}/u.test(spelling))
  if (is === was) return text
  // All capitals may make another word, too: `AIDS`.
  const isShort = /^.+\p{Lu}/u.test(written)
  const isFixed = isShort || homographs.has(key) || units.has(key) || isFunctionWord(key) || isNumber(word, language)
  if (is) return starts || !isFixed || isPronounI(key, language) ? toCapital(text) : text
  if (starts || isProtected(word, language) || isPronounI(key, language) || homographs.has(key)) return text
  return isCommonWord(key) ? text.toLowerCase() : text
}

function isPronounI(key: string, language: Language | undefined): boolean {
  return /^i(?:'\p{L}+)?$/u.test(key) && (language?.subjects.has('i') ?? true)
}

/** The characters of a gap that are not plain punctuation. */
function toSigns(gap: string): string {
  return gap.replace(free, '')
}

/** Whether a model's gap keeps exactly the signs of the original and adds only a little punctuation. */
function isSoundGap(written: string, said: string): boolean {
  return toSigns(written) === toSigns(said) && written.replace(/\s/g, '').length <= toSigns(said).length + maxMarks
}

/** Folds line breaks into spaces: a new line could look like a new speaker. */
function toGap(written: string): string {
  return written.replace(/\s+/g, ' ')
}
