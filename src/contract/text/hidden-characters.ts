/**
 * The only table of characters that hide, reorder or steer text, and the functions that find, strip and escape them.
 * Which of them are allowed depends only on the kind of text; every caller names a kind, and no other module has its
 * own pattern.
 *
 * Hard part: some scripts and emoji need some of these characters. Whether one is visible depends on its neighbours,
 * which are characters that are never removed. Stripping is therefore idempotent.
 */

/** The characters of the table that a kind of text may contain. */
interface Allowed {
  /** Tabs and line breaks. A carriage return only before a line feed: alone, it overwrites its line. */
  readonly lines: boolean
  /** Selectors, joiners and flags where emoji and scripts need them. See `visibleInContext`. */
  readonly scripts: boolean
  /** Characters whose appearance depends on the font: private use, unassigned, the blank Braille cell. */
  readonly fonts: boolean
}

const kinds = {
  /** Names, paths, keys and values that are compared or executed. */
  exact: { lines: false, scripts: false, fonts: false },
  /** The same with several lines: file contents, commands. */
  code: { lines: true, scripts: false, fonts: false },
  /** One line for people to read: titles, messages. */
  line: { lines: false, scripts: true, fonts: true },
  /** Text for people and models to read. */
  prose: { lines: true, scripts: true, fonts: true },
  /** Text that a model wrote and that people will rely on. */
  claim: { lines: true, scripts: true, fonts: false },
} satisfies Record<string, Allowed>

export type TextKind = keyof typeof kinds

/** The first hidden character of a text. */
export function findHidden(text: string, kind: TextKind): string | undefined {
  return mayHide(text, kind) ? hiddenIn(kind).first.exec(text)?.[0] : undefined
}

/**
 * Removes hidden characters. Line breaks become a line feed, or a space if the kind has no lines; terminal escape
 * sequences are removed completely.
 */
export function stripHidden(text: string, kind: TextKind): string {
  if (findHidden(text, kind) === undefined) return text
  const { lines } = kinds[kind]
  const plain = text.toWellFormed().replace(escapeSequence, '')
  const toReplacement = (character: string) => (lineBreaks.test(character) ? (lines ? '\n' : ' ') : '')
  return replaceHidden(lines ? plain : plain.replaceAll('\r\n', '\n'), kind, toReplacement)
}

/** Escapes hidden characters, by default as `\n`, `\x1b` or `\u{200b}`. */
export function escapeHidden(text: string, kind: TextKind, write: (character: string) => string = toEscape): string {
  return findHidden(text, kind) === undefined ? text : replaceHidden(text, kind, write)
}

/** The escape of a character: `\n`, `\x1b`, `\u{200b}`. */
export function toEscape(character: string): string {
  const code = character.codePointAt(0)!
  const hex = code.toString(16)
  return shortEscapes[character] ?? (code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`)
}

const shortEscapes: { readonly [character: string]: string } = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** The JSON escape of a character: `\u200b`, or a surrogate pair. */
export function toJsonEscape(character: string): string {
  let text = ''
  for (let at = 0; at < character.length; at++) {
    text += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`
  }
  return text
}

/** `U+200B, a zero-width or ignorable character`. */
export function nameHidden(character: string): string {
  const code = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
  return `${code}, ${table.find(([set]) => new RegExp(`[${set}]`, 'v').test(character))![1]}`
}

/** Characters that depend on the font. */
const byFont = '\\p{Co}[\\p{Cn}--[\\p{Noncharacter_Code_Point}\\p{DI}]]\\u2800'

/** Zero-width characters. The object replacement character and a musical note without a head are blank in every font. */
export const ignorableClass = '[\\p{Cf}\\p{DI}\\ufffc\\u{1d159}]'

/** Sets of characters and their names. The first match names a character. */
const table: readonly (readonly [set: string, name: string])[] = [
  ['\\x1b\\x9b', 'which begins an escape sequence for terminals'],
  ['\\p{Cc}', 'a control character'],
  ['\\p{Bidi_Control}', 'which turns text around (bidirectional)'],
  ['\\u{e0000}-\\u{e007f}', 'a tag character'],
  ['\\p{Variation_Selector}', 'a variation selector where none belongs'],
  ['\\p{Zl}\\p{Zp}', 'a line or paragraph separator'],
  ['\\p{Cs}', 'half of a character'],
  ['\\p{Noncharacter_Code_Point}', 'which is not a character'],
  [ignorableClass, 'a zero-width or ignorable character'],
  [byFont, 'which looks different, or blank, in each font'],
]

/** Format characters by class that are visible: signs around numbers and those that arrange hieroglyphs. */
const visibleSigns = '\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}\\u{13430}-\\u{1343f}'

/** All characters of the table, as a regular expression class (flag `v`). */
export const hiddenClass = `[[${table.map(([set]) => set).join('')}]--[${visibleSigns}]]`

/** Scripts whose words need joiners. */
const joiningScripts =
  'Arabic Syriac Nko Mongolian Mandaic Adlam Hanifi_Rohingya Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar Tibetan Thai Lao'

/** The flags of England, Scotland and Wales: the only tag sequences that Unicode recommends. */
const taggedFlags = ['gbeng', 'gbsct', 'gbwls']

/** Characters that are visible through their effect where one of these patterns matches, and hidden elsewhere. */
function visibleInContext(): string[] {
  const lettersOf = (scripts: string) =>
    `[[${scripts
      .split(' ')
      .map((script) => `\\p{Script=${script}}`)
      .join('')}]--${ignorableClass}]`
  const emoji = '[\\p{Extended_Pictographic}--\\p{Cn}]'
  return [
    // One selector after an emoji; long runs of them could carry a message. Keycaps.
    `[\\ufe0e\\ufe0f](?<=${emoji}.)(?![\\ufe00-\\ufe0f])`,
    '\\ufe0f(?<=[0-9#*].)(?=\\u20e3)',
    // Joined emoji, such as families.
    `\\u200d(?<=${emoji}(?:\\ufe0f|\\p{Emoji_Modifier})?.)(?=${emoji})`,
    // One joiner after a letter of a joining script, one selector after a Mongolian letter.
    `[\\u200c\\u200d](?<=${lettersOf(joiningScripts)}.)(?!${ignorableClass})`,
    `[\\u180b-\\u180f](?<=${lettersOf('Mongolian')}.)(?!${ignorableClass})`,
    ...taggedFlags.flatMap((name) => {
      const tags = [...[...name].map((letter) => `\\u{e00${letter.charCodeAt(0).toString(16)}}`), '\\u{e007f}']
      return tags.map((tag, at) => `${tag}(?<=\\u{1f3f4}${tags.slice(0, at + 1).join('')})(?=${tags.slice(at + 1).join('')})`) // biome-ignore format: one line
    }),
  ]
}

/** Every character of `visibleInContext`. */
const contextual = '\\u200c\\u200d\\ufe0e\\ufe0f\\u180b-\\u180f\\u{e0061}-\\u{e007a}\\u{e007f}'

interface Patterns {
  readonly first: RegExp
  /** Matches a contextual character at `lastIndex`. */
  readonly visible: RegExp
  /** What to do with each code point, filled on first use. */
  readonly actions: Uint8Array
}

const compiled = new Map<TextKind, Patterns>()

/** Compiled on first use, which takes longer than a small command. */
function hiddenIn(kind: TextKind): Patterns {
  let patterns = compiled.get(kind)
  if (!patterns) {
    const { lines, scripts, fonts } = kinds[kind]
    const passes = [lines && '\\t\\n\\r', scripts && contextual, fonts && byFont].filter((set) => set !== false)
    const source = [
      passes.length > 0 ? `[${hiddenClass}--[${passes.join('')}]]` : hiddenClass,
      lines && '\\r(?!\\n)',
      scripts && `(?!${visibleInContext().join('|')})[${contextual}]`,
    ]
      .filter((part) => part !== false)
      .join('|')
    patterns = {
      first: new RegExp(source, 'sv'),
      visible: new RegExp(visibleInContext().join('|'), 'syv'),
      actions: new Uint8Array(0x110000),
    }
    compiled.set(kind, patterns)
  }
  return patterns
}

/** Fast path: nearly every text consists of ranges without hidden characters. */
function mayHide(text: string, kind: TextKind): boolean {
  return (kinds[kind].lines ? unusualInLines : unusual).test(text)
}

const usual =
  '\\x20-\\x7e\\xa1-\\xac\\xae-\\u02ff\\u0400-\\u052f\\u2010-\\u2027\\u2190-\\u2426\\u2460-\\u27bf\\u3001-\\u3029\\u3041-\\u3096\\u30a0-\\u30ff\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff9f'
const unusual = new RegExp(`[^${usual}]`)
const unusualInLines = new RegExp(`[^\\t\\n\\r${usual}]|\\r(?!\\n)`)

/** Colors, cursor movement, titles and links. Each part ends at the next escape, so matching is linear. */
const escapeSequence = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)/g

/** What to do with a code point. 0: not determined yet. */
const [keep, hide, inspect] = [1, 2, 3]

/**
 * Replaces every hidden character in one pass, with a table of what to do with each code point. `String.replace` with a
 * callback took 1.0 to 1.6 s of CPU time to escape 10 MB of hidden characters; this takes 0.3 to 0.4 s.
 */
function replaceHidden(text: string, kind: TextKind, toReplacement: (character: string) => string): string {
  const { visible, actions } = hiddenIn(kind)
  const replacements = new Map<number, string>()
  const pieces: string[] = []
  const buffer = new Uint16Array(Math.min(text.length * 2, 32_768) + maxReplacementLength)
  const full = buffer.length - maxReplacementLength
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at)!
    if (actions[code] === 0) actions[code] = toAction(code, kind)
    const action = actions[code]
    if (action === keep || (action === inspect && isVisible(at, code))) {
      buffer[length++] = text.charCodeAt(at)
      if (code > 0xffff) buffer[length++] = text.charCodeAt(at + 1)
    } else {
      let replacement = replacements.get(code)
      if (replacement === undefined) {
        replacement = toReplacement(String.fromCodePoint(code))
        replacements.set(code, replacement)
      }
      for (let index = 0; index < replacement.length; index++) buffer[length++] = replacement.charCodeAt(index)
    }
    if (code > 0xffff) at++
    if (length >= full) flush()
  }
  flush()
  return pieces.join('')

  function isVisible(at: number, code: number): boolean {
    if (code === 0x0d) return text.charCodeAt(at + 1) === 0x0a
    visible.lastIndex = at
    return visible.test(text)
  }

  function flush(): void {
    pieces.push(utf16.decode(buffer.subarray(0, length)))
    length = 0
  }
}

const maxReplacementLength = 16
/** Not `Buffer`: the console uses this in a browser. Halves of characters are hidden, so it replaces none. */
const utf16 = new TextDecoder('utf-16le', { ignoreBOM: true })

function toAction(code: number, kind: TextKind): number {
  const character = String.fromCodePoint(code)
  const { lines, scripts } = kinds[kind]
  if ((scripts && isContextual.test(character)) || (lines && character === '\r')) return inspect
  return hiddenIn(kind).first.test(character) ? hide : keep
}

const lineBreaks = /[\t\n\v\f\r\x85\u2028\u2029]/
const isContextual = new RegExp(`[${contextual}]`, 'v')
