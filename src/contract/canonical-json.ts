import type { JsonValue } from './json.ts'
import { ToolpactError } from './toolpact-error.ts'

/** Deeper values are refused: they could exhaust the stack. */
const maximumDepth = 1000

/**
 * The canonical JSON of a value (RFC 8785): equal values have equal text, whatever the order of their keys. Throws a
 * ToolpactError for values that are not JSON, so that different values never share a text.
 *
 * `canonicalJson({ b: 1e30, a: 'x' })` is `{"a":"x","b":1e+30}`.
 */
export function canonicalJson(value: JsonValue): string {
  return toText(value, 0)
}

function toText(value: JsonValue, depth: number): string {
  switch (typeof value) {
    case 'string':
      return toStringText(value)
    case 'number':
      if (!Number.isFinite(value)) throw refusal(`the number ${value}`)
      return value === 0 ? '0' : String(value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      if (value === null) return 'null'
      if (depth === maximumDepth) throw refusal(`a value nested more than ${maximumDepth} levels deep (or in itself)`)
      return Array.isArray(value) ? toArrayText(value, depth + 1) : toObjectText(value, depth + 1)
    default:
      throw refusal(typeof value)
  }
}

/** Characters that need no escape in JSON. Most strings have no others and only need quotes. */
const plainText = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

/** For short strings a loop is faster than the regular expression. */
const shortText = 32

function isPlainText(text: string): boolean {
  if (text.length > shortText) return plainText.test(text)
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x20 || code > 0x7e || code === 0x22 || code === 0x5c) return false
  }
  return true
}

function toStringText(text: string): string {
  if (isPlainText(text)) return `"${text}"`
  if (!text.isWellFormed()) throw refusal('a string with a lone surrogate')
  return JSON.stringify(text)
}

function toArrayText(array: JsonValue[], depth: number): string {
  let text = '['
  for (let index = 0; index < array.length; index++) {
    if (index > 0) text += ','
    text += toText(array[index]!, depth)
  }
  return `${text}]`
}

function toObjectText(object: { [key: string]: JsonValue }, depth: number): string {
  if (!isPlain(object)) throw refusal('an object with a class, such as Date or Map')
  const keys = Object.keys(object)
  if (!isSorted(keys)) keys.sort()
  let text = '{'
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!
    if (index > 0) text += ','
    text += `${toStringText(key)}:${toText(object[key]!, depth)}`
  }
  return `${text}}`
}

/** `<` and a bare `sort` both compare UTF-16 code units, as the RFC requires. */
function isSorted(keys: string[]): boolean {
  for (let index = 1; index < keys.length; index++) {
    if (keys[index]! < keys[index - 1]!) return false
  }
  return true
}

function isPlain(object: object): boolean {
  const prototype = Object.getPrototypeOf(object)
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null
}

function refusal(what: string): ToolpactError {
  return new ToolpactError('not_json', `Cannot make canonical JSON of ${what}: pass only what JSON can say.`)
}
