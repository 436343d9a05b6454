import { isSecretName } from './secret-name.ts'
import { looksMade, type SecretShape, toSecretShapes } from './secret-shapes.ts'

/** A quoted value, possibly with escaped quotes (JSON within JSON) or truncated. Not a placeholder or template. */
const literal = /[:=]\s{0,4}\\?["']([^"'\\\r\n$<{*][^"'\\\r\n]{3,})(?:\\?["']|$)/dy

/** An unquoted value, terminated as in a shell, a URL or a line; other terminators indicate source code. May contain a few `=`. */
const bare = /(?:=|: {0,4})([^\s"'`&;|,(){}[\]<>$\\*=]*(?:=[^\s"'`&;|,(){}[\]<>$\\*=]*){0,3})(?=$|[\s"'`&;|\\])/dy

const any = () => true
const maxName = 64
const minValue = 4

export interface FoundSecret {
  /** What it is, for a person: `github token`. */
  readonly kind: string
  readonly start: number
  readonly end: number
}

/**
 * Finds text with the shape of a credential, in order and without overlaps. Single pass: a shape is tried only where a word
 * starts with its prefix, and lookahead is bounded. With `isTruncated` the text was truncated, and a token at its end counts.
 */
export function findSecrets(text: string, { isTruncated = false } = {}): FoundSecret[] {
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
    const secret: FoundSecret | undefined = findAt(text, index, isTruncated)
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

function findAt(text: string, index: number, isTruncated: boolean): FoundSecret | undefined {
  const candidates = toShapes(toBeginning(text, index))
  if (candidates) {
    for (const shape of candidates) {
      if (!text.startsWith(shape.prefix, index)) continue
      const secret = match(shape, text, index, isTruncated)
      if (secret) return secret
    }
  }
  const code = text.charCodeAt(index)
  return code === equals || code === colon ? findAssigned(text, index) : undefined
}

function match({ kind, pattern, cutPattern, check }: SecretShape, text: string, index: number, isTruncated: boolean) {
  pattern.lastIndex = index
  let result = pattern.exec(text)
  if (!result && isTruncated && cutPattern) {
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

/**
 * Finds the value assigned to a secret's name at this `=` or `:`, in a command, a query, JSON or a header: `DB_PASSWORD=…`,
 * `&api_key=…`, `"token": "…"`, `X-Api-Key: …`. Source code such as `token=readToken()` or `token: string` is not a secret.
 */
function findAssigned(text: string, index: number): FoundSecret | undefined {
  const { name, quoted } = readNameBefore(text, index)
  if (name.length < 3 || !isSecretName(name)) return undefined
  if (quoted) return find(literal, text, index)
  if (text[index] === '=')
    return find(literal, text, index) ?? find(bare, text, index, isShouted(name) ? any : looksMade)
  return name.includes('-') ? find(bare, text, index, looksMade) : undefined
}

function find(pattern: RegExp, text: string, index: number, check: (value: string) => boolean = any) {
  pattern.lastIndex = index
  const result = pattern.exec(text)
  if (!result || result[1]!.length < minValue || !check(result[1]!)) return undefined
  const [start, end] = result.indices![1]!
  return { kind: 'named secret', start, end }
}

/** Written like an environment variable. */
function isShouted(name: string): boolean {
  return name === name.toUpperCase()
}

function readNameBefore(text: string, index: number): { name: string; quoted: boolean } {
  let end = index
  const quoted = isQuote(text.charCodeAt(end - 1))
  if (quoted) end -= text[end - 2] === '\\' ? 2 : 1
  let start = end
  while (start > 0 && end - start < maxName && isNameCode(text.charCodeAt(start - 1))) start -= 1
  return { name: text.slice(start, end), quoted }
}

function isQuote(code: number): boolean {
  return code === 34 || code === 39
}

/** Letters, digits, `_`, `-` and `.`. */
function isNameCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45 ||
    code === 46
  )
}
