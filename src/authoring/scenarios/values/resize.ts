import type { JsonObject, JsonValue } from '../../../contract/json.ts'

const maxCharacters = 5_000_000
const maxParts = 5000

/** Candidates of the text cut or extended to a length in characters, because a pattern may accept only some. */
export function resizeText(text: string, length: number): string[] {
  if (length > maxCharacters) return []
  const characters = [...text]
  if (characters.length >= length) {
    return [characters.slice(0, length).join(''), characters.slice(characters.length - length).join('')]
  }
  const middle = characters.length >> 1
  const missing = length - characters.length
  const stretch = (at: number, filling: string) => characters.toSpliced(at, 0, filling.repeat(missing)).join('')
  const fillings = new Set([characters[middle], characters.at(-1), characters[0], 'a', '0'])
  return [...fillings].filter((filling) => filling !== undefined).flatMap((one) => [stretch(middle, one), stretch(characters.length, one)]) // biome-ignore format: one line
}

/** The list cut or extended to a length, by repeating an item or adding distinct ones. */
export function resizeList(list: readonly JsonValue[], length: number): JsonValue[][] {
  if (list.length >= length) return [list.slice(0, length)]
  const last = list.at(-1)
  if (last === undefined || length > maxParts) return []
  const more = Array.from({ length: length - list.length }, (_, index) => index + 1)
  return [
    [...list, ...more.map((number) => vary(last, number))],
    [...list, ...more.map(() => last)],
  ]
}

function vary(value: JsonValue, number: number): JsonValue {
  if (typeof value === 'string') return `${value}${number}`
  return typeof value === 'number' ? value + number : value
}

export function resizeObject(object: JsonObject, length: number): JsonObject[] {
  const entries = Object.entries(object)
  if (entries.length >= length) return [Object.fromEntries(entries.slice(0, length))]
  if (length > maxParts) return []
  const [, last = true] = entries.at(-1) ?? []
  const more = Array.from({ length: length - entries.length }, (_, index) => [`more_${index + 1}`, last])
  return [{ ...object, ...Object.fromEntries(more) }]
}
