export interface CharacterCounts {
  readonly words: number
  /** Words of at most three lower-case letters, such as articles and prepositions: a sign of prose in most languages. */
  readonly shortWords: number
  readonly capitals: number
  readonly digits: number
  readonly commas: number
  /** Ends of sentences. */
  readonly stops: number
  /** Separators that are typical of menus. */
  readonly marks: number
}

/** Counts in a single pass, up to `maxCounted` characters. */
export function countCharacters(text: string): CharacterCounts {
  const counts = { words: 0, shortWords: 0, capitals: 0, digits: 0, commas: 0, stops: 0, marks: 0 }
  const end = Math.min(text.length, maxCounted)
  let letters = 0
  let small = 0
  let before: number = kinds.space
  for (let at = 0; at <= end; at++) {
    const kind = at < end ? kindOf(text.charCodeAt(at)) : kinds.space
    if (kind === kinds.capital || kind === kinds.small) {
      letters++
      if (kind === kinds.capital) counts.capitals++
      else small++
    } else {
      if (letters > 0 && letters <= 3 && small === letters) counts.shortWords++
      letters = 0
      small = 0
      if (kind === kinds.space) {
        if (before !== kinds.space) counts.words++
      } else if (kind === kinds.digit) counts.digits++
      else if (kind === kinds.comma) counts.commas++
      else if (kind === kinds.stop) {
        if (afterStop.includes(text[at + 1] ?? ' ')) counts.stops++
      } else if (kind === kinds.mark) counts.marks++
    }
    before = kind
  }
  return counts
}

export const maxCounted = 2000
const commas = ',;，、،'
const stops = '.!?…。！？'
const afterStop = ' \n"\'”“»)]'
const marks = '|»«›‹→•·©/'

const kinds = { unknown: 0, other: 1, capital: 2, small: 3, space: 4, digit: 5, comma: 6, stop: 7, mark: 8 } as const

/** Cache of character classes: comparing a character with its lower case allocates two strings. */
const known = new Uint8Array(0x10000)

function kindOf(code: number): number {
  if (known[code] === kinds.unknown) known[code] = toKind(String.fromCharCode(code))
  return known[code]!
}

function toKind(character: string): number {
  if (character !== character.toLowerCase()) return kinds.capital
  if (character !== character.toUpperCase()) return kinds.small
  if (character === ' ' || character === '\n' || character === '\t') return kinds.space
  if (character >= '0' && character <= '9') return kinds.digit
  if (commas.includes(character)) return kinds.comma
  if (stops.includes(character)) return kinds.stop
  return marks.includes(character) ? kinds.mark : kinds.other
}
