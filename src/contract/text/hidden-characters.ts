import type { JsonValue } from '../json.ts'
import { pointerTo } from '../schema/json-pointer.ts'

export interface HiddenCharacter {
  /** JSON pointer to the string, or to the value whose key it is. */
  readonly pointer: string
  /** `U+200B, a zero-width or ignorable character`. */
  readonly what: string
}

/** Finds characters that hide, turn around or steer text, in every string and key. At most `most` of them. */
export function findHidden(value: JsonValue, most = 3): HiddenCharacter[] {
  const found: HiddenCharacter[] = []
  // Its own stack, and in the order of the document.
  const open: { value: JsonValue; pointer: string }[] = [{ value, pointer: '' }]
  for (let part = open.pop(); part && found.length < most; part = open.pop()) {
    const { value, pointer } = part
    if (typeof value === 'string') report(value, pointer, pointer === '/name')
    if (typeof value !== 'object' || value === null) continue
    const entries = Object.entries(value)
    if (!Array.isArray(value)) for (const [key] of entries) report(key, pointerTo(pointer, key), true)
    for (const [key, item] of entries.reverse()) open.push({ value: item, pointer: pointerTo(pointer, key) })
  }
  return found.slice(0, most)

  function report(text: string, pointer: string, isName: boolean): void {
    const character = findHiddenIn(text, isName)
    if (character !== undefined) found.push({ pointer, what: nameHidden(character) })
  }
}

/** The first hidden character of a text. A name has no line breaks or tabs either. */
export function findHiddenIn(text: string, isName = false): string | undefined {
  if (plain.test(text)) return undefined
  const rest = text.replace(harmless, '')
  return suspicious.exec(isName ? rest : rest.replace(layout, ''))?.[0]
}

/**
 * Text without any of them. What separates words or lines is replaced by a line break, and escape sequences for terminals
 * go as a whole. What `findHiddenIn` accepts stays as it is.
 */
export function stripHidden(text: string): string {
  if (!needsLook.test(text)) return text
  return text
    .toWellFormed()
    .replace(escapeSequence, '')
    .replace(keptOrHidden, (found, kept?: string) => kept ?? (breaksLine.test(found) ? '\n' : ''))
}

/** Text without any of them, and much faster to see. */
const plain = /^[\x20-\x7e\xa1-\xac\xae-\u02ff]*$/

const needsLook = /[^\t\n\r\x20-\x7e\xa1-\xac\xae-\u02ff]|\r(?!\n)/

/** Colours, cursor movement, titles and links. Each part ends at the next escape, so that matching stays linear. */
const escapeSequence = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)/g

const breaksLine = /[\r\v\f\x85\u2028\u2029]/

/** Control, format and ignorable characters, line separators, noncharacters. Every script can be written without them. */
const suspects = '\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}'
const suspicious = new RegExp(`[${suspects}]`, 'u')

/** Line breaks and tabs; a carriage return only as part of a line break, since alone it writes over its line. */
const layout = /[\t\n]|\r\n/g

/** Scripts that shape or break words by joiners. */
const joining = [
  ...[
    'Arabic',
    'Syriac',
    'Nko',
    'Mongolian',
    'Mandaic',
    'Adlam',
    'Hanifi_Rohingya',
    'Devanagari',
    'Bengali',
    'Gurmukhi',
  ],
  ...[
    'Gujarati',
    'Oriya',
    'Tamil',
    'Telugu',
    'Kannada',
    'Malayalam',
    'Sinhala',
    'Khmer',
    'Myanmar',
    'Tibetan',
    'Thai',
    'Lao',
  ],
].map((script) => `\\p{Script=${script}}`)

const ignorable = '\\p{Cf}\\p{Default_Ignorable_Code_Point}'

/** Signs around numbers, and those that arrange hieroglyphs: visible, and format characters by class alone. */
const signs = '\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}\\u{13430}-\\u{1343f}'

/**
 * What needs one of them and shows it: emoji with one variation selector, joined emoji, keycaps; a joiner after a letter
 * of a script that joins; a variation selector or vowel separator after a Mongolian letter; signs that stand around
 * numbers (format characters by class alone); hieroglyphs. Long runs of selectors, which can carry a message, stay.
 */
const harmless = new RegExp(
  [
    '\\p{Extended_Pictographic}(?:[\\ufe0e\\ufe0f]|\\p{Emoji_Modifier})?(?:\\u200d\\p{Extended_Pictographic}(?:\\ufe0f|\\p{Emoji_Modifier})?){0,7}(?![\\ufe00-\\ufe0f])',
    '[0-9#*]\\ufe0f\\u20e3',
    `(?<=[${joining.join('')}])[\\u200c\\u200d](?![${ignorable}])`,
    `(?<=\\p{Script=Mongolian})[\\u180b-\\u180f](?![${ignorable}])`,
    `[${signs}]`,
  ].join('|'),
  'gu',
)

/** Runs of hidden characters are one match, as a callback for each is slow; bounded, as the engine recurses over them. */
const keptOrHidden = new RegExp(`(${harmless.source}|\\r\\n)|\\r|[[${suspects}]--[\\t\\n\\r${signs}]]{1,64}`, 'gv')

const kinds: readonly (readonly [RegExp, string])[] = [
  [/[\x1b\x9b]/, 'which begins an escape sequence for terminals'],
  [/\p{Cc}/u, 'a control character'],
  [/\p{Bidi_Control}/u, 'which turns text around (bidirectional)'],
  [/[\u{e0000}-\u{e007f}]/u, 'a tag character'],
  [/\p{Variation_Selector}/u, 'a variation selector where none belongs'],
  [/[\p{Zl}\p{Zp}]/u, 'a line or paragraph separator'],
]

/** `U+200B, a zero-width or ignorable character`. */
export function nameHidden(character: string): string {
  const code = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
  return `${code}, ${kinds.find(([kind]) => kind.test(character))?.[1] ?? 'a zero-width or ignorable character'}`
}
