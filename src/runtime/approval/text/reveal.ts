import { findHidden, hiddenClass, toEscape } from '../../../contract/text/hidden-characters.ts'
import { toLetterTwin, toSignTwin } from '../../../contract/text/look-alikes.ts'
import type { Painted, Part } from '../../../contract/text/painted.ts'

export interface Revealed {
  readonly parts: readonly Part[]
  /** The escapes that were needed, each once: `\x1b`, `\u{430} like a`. */
  readonly marks: readonly string[]
}

/** Longer runs of spaces are replaced by their count: padding must not push text out of sight. */
const maxSpaces = 40

/**
 * Untrusted text for a person who decides by it. Characters that are invisible, move the cursor, reverse text or imitate
 * others are escaped and highlighted, so that they cannot pass for ordinary text.
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
  const { tokens, isWord } = toForms()
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

const isAscii = /^[!-~]+$/

let forms: { readonly tokens: RegExp; readonly isWord: RegExp } | undefined

/** Made with the first text that needs them, since that takes a millisecond. */
function toForms() {
  const letter = `[[\\p{L}\\p{N}]--${hiddenClass}]`
  // A fourth combining mark would overlap the line above.
  const marks = `[\\p{M}--${hiddenClass}]{1,3}(?!\\p{M})`
  forms ??= {
    // Runs of spaces and of punctuation, words, emoji with their selector, and single characters.
    tokens: new RegExp(
      ` +|[!-\\/:-@\\[-\`\\{-~]+|${letter}(?:${letter}|${marks})*|\\p{Extended_Pictographic}[\\ufe0e\\ufe0f]|.`,
      'gsv',
    ),
    isWord: new RegExp(`^${letter}`, 'v'),
  }
  return forms
}

/** Lone combining marks, and spaces other than U+0020, are invisible too. */
function isHidden(token: string): boolean {
  // Anything else is an emoji with its selector.
  const isOne = token.length === String.fromCodePoint(token.codePointAt(0)!).length
  return isOne && (/^[\p{M}\p{Z}]$/u.test(token) || findHidden(token, 'exact') !== undefined)
}

/** Whether it is of a script with letters that look Latin. Looking up scripts takes 0.4 ms, which no start should pay. */
const isLikeLatin = (character: string) =>
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/u.test(character) // biome-ignore format: one line
/** Letters of these scripts that do not look Latin: a word with one of them is taken as that script. */
const foreignLetter = /[бвджзилмнптфцчшщъыэюяБГДЖЗИЛПУФЦЧШЩЪЫЭЮЯβδεζηθλμξπςτφχψωΓΔΘΛΞΠΣΦΨΩա-զթ-ժլ-խծ-կձ-մշ-չպ-ռվ-տք-ֆ]/u

/** The letter that it imitates; '' if it merely does not belong in its word; undefined if it is fine. */
function toTwin(character: string, word: string, isForeign: boolean): string | undefined {
  if (character <= '\x7f') return undefined
  const dressed = toSignTwin(character)
  if (dressed !== undefined) return dressed
  const twin = toLetterTwin(character)
  if (/[a-z]/i.test(word)) return isLikeLatin(character) ? (twin ?? '') : twin
  return isForeign ? undefined : twin
}

/** Fast path (ten times as fast): a word of one script in a text of that script. */
function isUsual(word: string): boolean {
  return !/[a-z]/i.test(word) && word.normalize('NFKC') === word
}
