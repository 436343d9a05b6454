import type { Element } from './tree.ts'

/** An open list. */
export interface List {
  /** The next item's number; undefined if the items have none. */
  number: number | undefined
  readonly step: 1 | -1
  readonly style: string
}

export function toList(element: Element): List {
  const { start, reversed, type = '1' } = element.attributes
  if (element.tag !== 'ol') return { number: undefined, step: 1, style: '' }
  const isReversed = reversed !== undefined
  const first = readNumber(start) ?? (isReversed ? countItems(element) : 1)
  return { number: first, step: isReversed ? -1 : 1, style: type }
}

/** What is before the text of the next item: `-`, `3.` or `c.`; takes its number. */
export function takeMarker(list: List | undefined, item: Element): string {
  if (list?.number === undefined) return '-'
  const number = readNumber(item.attributes.value) ?? list.number
  list.number = number + list.step
  return `${toLabel(number, list.style)}.`
}

function readNumber(text: string | undefined): number | undefined {
  const [digits] = /^\s{0,9}[+-]?\d{1,9}/.exec(text ?? '') ?? []
  return digits === undefined ? undefined : Number(digits)
}

function countItems({ children }: Element): number {
  return children.filter((child) => typeof child !== 'string' && child.tag === 'li').length
}

function toLabel(number: number, style: string): string {
  if (number < 1 || number > 3999) return String(number)
  if (style === 'a') return toLetters(number)
  if (style === 'A') return toLetters(number).toUpperCase()
  if (style === 'i') return toRoman(number)
  if (style === 'I') return toRoman(number).toUpperCase()
  return String(number)
}

/** a, b, …, z, aa. */
function toLetters(number: number): string {
  let letters = ''
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(97 + ((rest - 1) % 26)) + letters
  return letters
}

const romans: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
]

function toRoman(number: number): string {
  let [rest, text] = [number, '']
  for (const [value, letters] of romans) {
    text += letters.repeat(Math.floor(rest / value))
    rest %= value
  }
  return text
}
