import type { Place } from '../../contract/diff/document.ts'
import type { Kind } from '../../contract/diff/kind.ts'
import type { JsonValue } from '../../contract/json.ts'
import { listValues } from '../../contract/schema/describe-schema.ts'
import { showText, showValue } from '../../contract/text/show-value.ts'
import type { Types } from './type.ts'

/** The values of a type, for people: `a string or null`. */
export function describeType(place: Place, types: Types, depth = 0): string {
  const values = types.values(place)
  if (values && values.length > 0 && values.length <= 20 && !areBooleans(values))
    return values.length === 1 ? listValues(values) : `one of ${listValues(values, 8)}`
  const kinds = types.kinds(place)
  if (kinds.size === 0) return 'nothing'
  const branches = types.branches(place)
  if (branches && depth < 3 && branches.length <= 8)
    return joinWords([...new Set(branches.map((branch) => describeType(branch, types, depth + 1)))])
  if (kinds.size === 7) return 'anything'
  return joinWords(
    toNames(kinds).map((name) => {
      if (name === 'a string') return describeText(place, types)
      return name === 'an object' ? name + describeFixed(place, types) : name
    }),
  )
}

function areBooleans(values: readonly JsonValue[]): boolean {
  return values.length > 1 && values.every((value) => typeof value === 'boolean')
}

const kindWords: readonly (readonly [Kind, string])[] = [
  ['string', 'a string'],
  ['fraction', 'a number'],
  ['integer', 'an integer'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['null', 'null'],
]

function toNames(kinds: ReadonlySet<Kind>): string[] {
  const isNumber = kinds.has('fraction')
  return kindWords.filter(([kind]) => kinds.has(kind) && !(kind === 'integer' && isNumber)).map(([, word]) => word)
}

const formatWords: { readonly [format: string]: string } = {
  uri: 'a URI',
  'uri-reference': 'a URI reference',
  'date-time': 'a date-time',
  date: 'a date',
  time: 'a time',
  email: 'an email address',
  hostname: 'a host name',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  uuid: 'a UUID',
  duration: 'a duration',
}

export function describeFormat(format: JsonValue): string {
  return (Object.hasOwn(formatWords, String(format)) && formatWords[String(format)]) || `a string of the format ${showText(String(format), 30)}` // biome-ignore format: one line
}

function describeText(place: Place, types: Types): string {
  const owns = types.partsOf(place).map(({ own }) => own)
  const format = owns.find(({ format }) => format !== undefined)?.format
  if (format !== undefined) return describeFormat(format)
  const pattern = owns.find(({ pattern }) => pattern !== undefined)?.pattern
  return pattern === undefined ? 'a string' : `a string that matches ${showText(String(pattern), 100)}`
}

/** The properties that have one possible value, which tell objects apart. */
function describeFixed(place: Place, types: Types): string {
  const names = types.names(place) ?? []
  const pairs = names.slice(0, 30).flatMap((name) => {
    const { missing, place: inner } = types.at({ place, missing: 'never' }, name)
    const values = missing === 'never' ? types.values(inner) : undefined
    return values?.length === 1 ? [`${showValue(name)}: ${showValue(values[0], 40)}`] : []
  })
  return pairs.length > 0 ? ` with ${pairs.slice(0, 3).join(', ')}` : ''
}

function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
