/** What a text is made of. */
export interface CharacterCounts {
  readonly words: number
  /** Words of at most three small letters: little words hold sentences together in most languages. */
  readonly shortWords: number
  readonly capitals: number
  readonly digits: number
  readonly commas: number
  /** Ends of sentences. */
  readonly stops: number
  /** Signs that menus are fond of. */
  readonly marks: number
}

/** Goes through a text once; what comes after `most` characters adds nothing to what is known. */
export function countCharacters(text: string): CharacterCounts {
  const counts = { words: 0, shortWords: 0, capitals: 0, digits: 0, commas: 0, stops: 0, marks: 0 }
  const end = Math.min(text.length, most)
  let letters = 0
  let small = 0
  for (let at = 0; at <= end; at++) {
    const character = at < end ? text[at]! : ' '
    const isCapital = character !== character.toLowerCase()
    if (isCapital || character !== character.toUpperCase()) {
      letters++
      if (isCapital) counts.capitals++
      else small++
      continue
    }
    if (letters > 0 && letters <= 3 && small === letters) counts.shortWords++
    letters = 0
    small = 0
    if (isSpace(character)) {
      if (at > 0 && !isSpace(text[at - 1]!)) counts.words++
    } else if (character >= '0' && character <= '9') counts.digits++
    else if (commas.includes(character)) counts.commas++
    else if (stops.includes(character) && afterStop.includes(text[at + 1] ?? ' ')) counts.stops++
    else if (marks.includes(character)) counts.marks++
  }
  return counts
}

export const most = 2000
const commas = ',;，、،'
const stops = '.!?…。！？'
const afterStop = ' \n"\'”“»)]'
const marks = '|»«›‹→•·©/'

function isSpace(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\t'
}
