import { findHidden, hiddenClass, toEscape } from '../../../contract/text/hidden-characters.ts'
import { toLetterTwin, toSignTwin } from '../../../contract/text/look-alikes.ts'
import type { Painted, Part } from '../../../contract/text/painted.ts'

export interface Revealed {
  readonly parts: readonly Part[]
  /** What had to be written out, in words, each once: `\x1b`, `\u{430} like a`. */
  readonly marks: readonly string[]
}

/** So many spaces in a row are written as their number: padding must not push anything out of sight. */
const maxSpaces = 40

/**
 * Text from elsewhere for a person who decides by it. What is hidden, moves the cursor, turns text around or looks like
 * something else is written out and painted, so that it cannot be taken for text that says the same.
 */
export function reveal(text: string, longestGap: number = maxSpaces): Revealed {
  if (/^[\x20-\x7e]*$/.test(text) && !text.includes(' '.repeat(longestGap + 1))) return { parts: [text], marks: [] }
  const parts: Part[] = []
  const marks = new Set<string>()
  let plain = ''

  function mark(shown: string, meaning = shown) {
    if (plain) parts.push(plain)
    plain = ''
    parts.push({ style: markStyle, text: shown })
    marks.add(meaning)
  }

  const isForeign = foreignLetter.test(text)
  for (const [token] of text.matchAll(tokens)) {
    if (isAscii.test(token)) plain += token
    else if (token.startsWith(' ')) {
      if (token.length <= longestGap) plain += token
      else mark(`[${token.length} spaces]`)
    } else if (isWord.test(token)) {
      if (isForeign && isUsual(token)) plain += token
      else
        for (const character of token) {
          const twin = toTwin(character, token, isForeign)
          if (twin === undefined) plain += character
          else mark(toEscape(character), twin ? `${toEscape(character)} like ${twin}` : toEscape(character))
        }
    } else if (isHidden(token)) mark(toEscape(token))
    else {
      const twin = toSignTwin(token)
      if (twin === undefined) plain += token
      else mark(toEscape(token), `${toEscape(token)} like ${twin}`)
    }
  }
  if (plain) parts.push(plain)
  return { parts, marks: [...marks] }
}

const markStyle: Painted['style'] = ['black', 'bgYellow']

const letter = `[[\\p{L}\\p{N}]--${hiddenClass}]`
/** The fourth mark on a letter would tower above its line. */
const marks = `[\\p{M}--${hiddenClass}]{1,3}(?!\\p{M})`
/** Runs of spaces and of signs, words, emoji with their selector, single others. */
const tokens = new RegExp(
  ` +|[!-\\/:-@\\[-\`\\{-~]+|${letter}(?:${letter}|${marks})*|\\p{Extended_Pictographic}[\\ufe0e\\ufe0f]|.`,
  'gsv',
)
const isAscii = /^[!-~]+$/
const isWord = new RegExp(`^${letter}`, 'v')

/** Marks alone, and spaces other than the usual one, cannot be seen either. */
function isHidden(token: string): boolean {
  // Others are an emoji and its selector.
  const isOne = token.length === String.fromCodePoint(token.codePointAt(0)!).length
  return isOne && (/^[\p{M}\p{Z}]$/u.test(token) || findHidden(token, 'exact') !== undefined)
}

/** Scripts whose letters can be taken for Latin ones. */
const likeLatin =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/u
/** Letters of those that no one takes for Latin: where they stand, so may the others. */
const foreignLetter = /[бвджзилмнптфцчшщъыэюяБГДЖЗИЛПУФЦЧШЩЪЫЭЮЯβδεζηθλμξπςτφχψωΓΔΘΛΞΠΣΦΨΩա-զթ-ժլ-խծ-կձ-մշ-չպ-ռվ-տք-ֆ]/u

/** What a letter looks like, or '' where it only does not belong in its word; undefined where nothing is wrong. */
function toTwin(character: string, word: string, isForeign: boolean): string | undefined {
  if (character <= '\x7f') return undefined
  const dressed = toSignTwin(character)
  if (dressed !== undefined) return dressed
  const twin = toLetterTwin(character)
  if (/[a-z]/i.test(word)) return likeLatin.test(character) ? (twin ?? '') : twin
  return isForeign ? undefined : twin
}

/** A word of one script, in a text of that script. Not needed, but ten times as fast. */
function isUsual(word: string): boolean {
  return !/[a-z]/i.test(word) && word.normalize('NFKC') === word
}
