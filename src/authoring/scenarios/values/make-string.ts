import type { JsonObject, JsonValue } from '../../../contract/json.ts'
import type { SchemaObject } from '../../../contract/lint/walk-schema.ts'
import { atLeast, atMost, impossible, valuesOf } from './demands.ts'
import type { Making, Size } from './make-value.ts'
import { samplePattern } from './sample-pattern.ts'

/** Assumed max length if none is specified. */
const usualLength = 40
const longest = 10_000

export function makeString(making: Making, list: readonly SchemaObject[], size: Size): string {
  const least = atLeast(list, 'minLength', 0)
  const most = Math.min(atMost(list, 'maxLength', Math.max(usualLength, least)), Math.max(longest, least))
  if (least > most || least > making.left.characters) throw impossible
  const length = toLength(making, { size, least, most: Math.min(most, Math.max(least, making.left.characters)) })
  const text = shape(making, list, { length, least, most })
  making.left.characters -= text.length
  return text
}

interface Lengths {
  readonly length: number
  readonly least: number
  readonly most: number
}

function shape(making: Making, list: readonly SchemaObject[], lengths: Lengths): string {
  const { random, size } = making
  const patterns = valuesOf<string>(list, 'pattern')
  if (patterns.length > 0) return shapePattern(making, random.pick(patterns), lengths)
  for (const format of valuesOf<string>(list, 'format')) {
    const samples = Object.hasOwn(formatSamples, format) ? formatSamples[format]! : []
    const fitting = samples.filter(({ length }) => length >= lengths.least && length <= lengths.most)
    if (fitting.length > 0) return size === 'any' ? random.pick(fitting) : fitting[0]!
  }
  const characters = size === 'any' ? random.pick(alphabets) : alphabets[0]!
  return Array.from({ length: lengths.length }, () => random.pick(characters)).join('')
}

const maxTurns = 6

function shapePattern({ random }: Making, pattern: string, { length, least, most }: Lengths): string {
  let extra = length > least ? 3 : 0
  for (let turn = 0; turn < maxTurns; turn++) {
    const text = samplePattern(pattern, { random, extra, maxLength: most })
    const count = text === undefined ? Infinity : [...text].length
    if (count >= least && count <= most) return text!
    // Repeat more if too short, less if too long; otherwise resize.
    if (count < least && random.chance(0.5)) return random.pick(resizeText(text!, length))
    extra = count < least ? extra * 2 + 1 : Math.floor(extra / 2)
  }
  throw impossible
}

function toLength({ random }: Making, { size, least, most }: { size: Size; least: number; most: number }): number {
  if (size === 'small') return least
  return size === 'large' ? most : least + random.below(Math.min(most - least, usualLength) + 1)
}

/** Simple strings first, then ones that break careless code. */
const alphabets: readonly (readonly string[])[] = [
  [...'abcdefghijklmnopqrstuvwxyz'],
  [...'abcXYZ0123456789_-. '],
  [...'aZ9 \t\n"\'`\\/$%&*?[](){}<>|;:,#=+~^!@'],
  [...'aé ßΩЯא漢字あ한😀\u{301}'],
]

/** Samples of each validated format. */
const formatSamples: { readonly [format: string]: readonly string[] } = {
  date: ['2024-02-29', '1999-12-31'],
  time: ['12:30:00Z', '23:59:59.999+02:00'],
  'date-time': ['2024-02-29T12:30:00Z', '1999-12-31T23:59:59.999+02:00'],
  duration: ['P1D', 'PT36H', 'P1Y2M3DT4H5M6S'],
  email: ['a@example.com', 'first.last+tag@sub.example.org'],
  hostname: ['example.com', 'a-1.example.org'],
  ipv4: ['192.0.2.1', '198.51.100.255'],
  ipv6: ['2001:db8::1', '::1'],
  uri: ['https://example.com/', 'https://example.org:8443/a/b?c=d#e', 'urn:example:a'],
  'uri-reference': ['a/b', 'https://example.com/', '#part'],
  'uri-template': ['https://example.com/{name}', '/a{?b,c}'],
  uuid: ['123e4567-e89b-42d3-a456-426614174000', '00000000-0000-4000-8000-000000000000'],
  'json-pointer': ['/a/0', '', '/a~1b/c~0d'],
  'relative-json-pointer': ['0', '1/a', '2#'],
  regex: ['^a+$', '[a-z]*'],
}

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
