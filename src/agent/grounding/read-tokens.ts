import { units } from './units.ts'
import { toSet } from './word-lists.ts'

/** A word, a number, an identifier (`main.ts`, `GPT-4`, `v1.2.3`), a date or time in digits, or a sign. */
export interface Token {
  readonly kind: 'word' | 'code' | 'number' | 'date' | 'sign'
  readonly text: string
  readonly lower: string
  /** Offsets in the folded text. */
  readonly start: number
  readonly end: number
  /** Whether white space, or the start of the text, is right before it. */
  readonly spaced: boolean
}

/** Tokenizes folded text. */
export function readTokens(text: string): Token[] {
  const tokens: Token[] = []
  for (const { 0: whole, index, groups = {} } of text.matchAll(lexer)) {
    const add = (kind: Token['kind'], part: string, at = 0) => {
      const start = index + at
      const spaced = start === 0 || text[start - 1] === ' '
      tokens.push({ kind, text: part, lower: part.toLowerCase(), start, end: start + part.length, spaced })
    }
    if (groups.date) add('date', whole)
    else if (groups.number) {
      add('number', groups.number)
      if (groups.suffix) add('word', groups.suffix, groups.number.length)
    } else if (groups.run) add('word', whole)
    else if (groups.lump) {
      if (/^\p{Nd}+$/u.test(whole)) add('number', whole)
      else if (isRate(whole, tokens.at(-1))) {
        const at = whole.indexOf('/')
        if (at > 0) add('word', whole.slice(0, at))
        add('sign', '/', at)
        add('word', whole.slice(at + 1), at + 1)
      } else if (isCode(whole)) add('code', whole)
      else for (const part of whole.matchAll(/[^-]+/g)) add('word', part[0], part.index)
    } else if (whole !== ' ') add('sign', whole)
  }
  return tokens
}

/** Scripts without spaces between words. */
export const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー'
export const isUnspaced = new RegExp(`[${unspaced}]`, 'v')

/** What may directly follow a number: a scale, a unit, an ordinal ending. Anything else makes it a name: 5G. */
const suffix =
  'k|m|mn|bn|b|tn|x|st|nd|rd|th|s|er|e|am|pm|h|hrs?|min|mins|sec|ms|[kmgt]i?b|g|kg|mg|t|km|cm|mm|mi|mph|kmh|kph|hp|oz|lbs?|ft|in|l|ml|[kmg]?w|[kmg]wh|v|[kmg]?hz|px|usd|eur|gbp|chf|jpy'
const letter = `[[\\p{L}\\p{M}]--[${unspaced}]]`
const part = `[[\\p{L}\\p{M}\\p{N}_]--[${unspaced}]]+`

const lexer = new RegExp(
  [
    `(?<date>\\d{4}-\\d{2}-\\d{2}(?:[Tt ]\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?(?:[Zz]|[+\\-]\\d{2}:?\\d{2})?)?(?!${letter}|\\d)`,
    '|\\d{1,2}\\.\\d{1,2}\\.\\d{4}(?!\\d)|\\d{1,2}\\/\\d{1,2}\\/(?:\\d{4}|\\d{2})(?!\\d)|\\d{1,2}:\\d{2}(?::\\d{2})?(?!\\d))',
    // Thousands use one separator throughout, then optionally a decimal part. Otherwise a third dotted part makes it a
    // version.
    "|(?<number>\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d{1,3}(?:\\.\\d{3}){2,}(?:,\\d+)?|\\d{1,3}\\.\\d{3},\\d+|\\d{1,3}(?:[ '_]\\d{3})+(?:[.,]\\d+)?|\\d+(?:[.,]\\d+)?)",
    `(?:(?<suffix>${suffix})(?!${letter}|[\\d_])|(?!\\.\\d|,\\d|${letter}|[_\\d@]))`,
    `|(?<run>[${unspaced}]+)`,
    // Anything that starts like a path, a hidden file or an option is one, whatever its letters.
    `|(?<lump>(?<![^\\s\\(\\["'])(?:~?\\/\\.?|\\.{1,2}\\/|\\.|--)${part}(?:[.\\/@\\-]${part})*|${part}(?:(?:['.\\/@\\&+#\\-]|::)${part})*)`,
    '|[^]',
  ].join(''),
  'giv',
)

/** Whether an apparent path is a rate after a number: 72 kWh/month, $52 /kg. */
function isRate(lump: string, before: Token | undefined): boolean {
  const [, unit, per] = /^(\p{L}*)\/(\p{L}+)$/u.exec(lump.toLowerCase()) ?? []
  return before?.kind === 'number' && per !== undefined && units.has(per) && (unit === '' || units.has(unit!))
}

function isCode(lump: string): boolean {
  return /[\p{N}_/@&+#]|::|^\.|^--/u.test(lump) || (lump.includes('.') && !/^(?:\p{L}\.)+\p{L}$/u.test(lump))
}

/** Words that start another statement. */
const joints = toSet(
  'but and while although though whereas because which who yet aber und sondern während weil obwohl mais et tandis pero sino mientras y ma e mentre mas maar en men och og но а и',
)

/** The statement around a token: up to the next punctuation mark or conjunction on either side. */
export function toClause(tokens: readonly Token[], at: number): { readonly start: number; readonly end: number } {
  let start = at
  while (start > 0 && !isJoint(tokens, start - 1)) start--
  let end = at + 1
  while (end < tokens.length && !isJoint(tokens, end)) end++
  return { start, end }
}

/**
 * A comma or colon separates statements only if both sides have room for one: "it does not, however, run" is a single
 * statement.
 */
export function isJoint(tokens: readonly Token[], index: number): boolean {
  const { kind, lower, text } = tokens[index]!
  if (kind === 'word') return joints.has(lower)
  // A dot in a file name ends nothing.
  if (text === '.' && /^(?:\p{L}\.)+\p{L}$/u.test(tokens[index - 1]?.text ?? '') && /^[\p{Ll}\d]/u.test(tokens[index + 1]?.text ?? '')) return false // biome-ignore format: one line
  if (/^[.!?;]$/.test(text)) return tokens[index + 1]?.spaced ?? true
  if (text === '。') return true
  if (!/^[,:、()]$/u.test(text)) return false
  const isSpoken = (step: number) => (tokens[index + step]?.kind ?? 'sign') !== 'sign'
  return [1, 2, 3].every(isSpoken) && [-1, -2, -3].every(isSpoken)
}
