import { findAssigned } from './assigned-secrets.ts'
import { type SecretShape, toSecretShapes } from './secret-shapes.ts'

export interface FoundSecret {
  /** What it is, for a person: `github token`. */
  readonly kind: string
  readonly start: number
  readonly end: number
}

/**
 * Finds text with the shape of a credential, in order and without overlaps. Single pass: a shape is tried only where a word
 * starts with its prefix, and lookahead is bounded. With `goesOn` the text was truncated, and a token at its end counts.
 */
export function findSecrets(text: string, { goesOn = false } = {}): FoundSecret[] {
  const found: FoundSecret[] = []
  let inWord = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    const kind = code < 128 ? kinds[code]! : separator
    if (kind === word) {
      if (inWord) continue
      inWord = true
    } else {
      inWord = false
      if (kind === separator) continue
    }
    const secret: FoundSecret | undefined = findAt(text, index, goesOn)
    if (secret) {
      found.push(secret)
      index = secret.end - 1
      inWord = false
    } else if (kind === escapeSign) {
      index += toEscapeLength(text, index)
    }
  }
  return found
}

function findAt(text: string, index: number, goesOn: boolean): FoundSecret | undefined {
  const candidates = toShapes(toBeginning(text, index))
  if (candidates) {
    for (const shape of candidates) {
      if (!text.startsWith(shape.prefix, index)) continue
      const secret = match(shape, text, index, goesOn)
      if (secret) return secret
    }
  }
  const code = text.charCodeAt(index)
  return code === equals || code === colon ? findAssigned(text, index) : undefined
}

function match({ kind, pattern, cutPattern, check }: SecretShape, text: string, index: number, goesOn: boolean) {
  pattern.lastIndex = index
  let result = pattern.exec(text)
  if (!result && goesOn && cutPattern) {
    cutPattern.lastIndex = index
    result = cutPattern.exec(text)
  }
  if (!result || (check && !check(result[1] ?? result[0]))) return undefined
  const [start, end] = result.indices?.[1] ?? [index, index + result[0].length]
  return { kind, start, end }
}

/** In escapes such as `\n` and `%20`, the word starts after the escape. */
function toEscapeLength(text: string, index: number): number {
  const rest = text.slice(index + 1, index + 3)
  if (text[index] === '%') return /^[0-9A-Fa-f]{2}$/.test(rest) ? 2 : 0
  return /^[nrt]/.test(rest) ? 1 : 0
}

const equals = 61
const colon = 58

/** Classes of ASCII characters. Underscore and hyphen are separators, since a token may follow: `my_ghp_…`. */
const separator = 0
const word = 1
const escapeSign = 2
const sign = 3
const kinds = new Uint8Array(128)
for (const character of 'abcdefghijklmnopqrstuvwxyz') {
  kinds[character.charCodeAt(0)] = word
  kinds[character.toUpperCase().charCodeAt(0)] = word
}
for (const character of '0123456789') kinds[character.charCodeAt(0)] = word
for (const character of '\\%') kinds[character.charCodeAt(0)] = escapeSign
for (const character of '=:-') kinds[character.charCodeAt(0)] = sign

/** Shapes by their first two characters, which few words share. Built lazily. */
let byBeginning: Map<number, SecretShape[]> | undefined

function toShapes(beginning: number): SecretShape[] | undefined {
  byBeginning ??= Map.groupBy(toSecretShapes(), ({ prefix }) => toBeginning(prefix, 0))
  return byBeginning.get(beginning)
}

function toBeginning(text: string, index: number): number {
  const code = text.charCodeAt(index + 1)
  // NaN past the end becomes 0, and no shape starts with two NUL characters.
  return code < 128 ? text.charCodeAt(index) * 128 + code : 0
}
