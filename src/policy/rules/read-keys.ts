import { PatternFault } from '../../contract/schema/pattern-fault.ts'
import { isFixed, type Token } from './read-pattern.ts'

/** The part of a pattern for the value of one key. */
export interface KeyPattern {
  readonly key: string
  readonly value: readonly Token[]
  /** Written `"key"?:…`: the input need not have the key. */
  readonly optional?: boolean
}

/**
 * Splits a pattern for a JSON object, `{"a":…,"b":…}`, into parts by its literal keys. Each part is matched against the value of
 * its own key only, so that a `.*` cannot reach into other values. A pattern that cannot be split is rejected.
 */
export function readKeys(tokens: readonly Token[]): KeyPattern[] {
  const inside = withoutAnchors(tokens)
  const odd = inside.find(({ kind, depth }) => depth === 0 && (kind === 'or' || kind === 'anchor'))
  if (odd?.kind === 'or') throw new PatternFault("has a '|' between whole inputs; make a rule of each, or write (?:a|b) inside a value") // biome-ignore format: one line
  if (odd) throw new PatternFault(`has a '${odd.source}' in the middle; write \\${odd.source} for the character`)
  if (!isLiteral(inside[0], '{') || !isLiteral(inside.at(-1), '}')) throw notAnObject()
  const keys: KeyPattern[] = []
  const end = inside.length - 1
  for (let at = 1; at < end; ) {
    const { key, next, optional } = readKey(inside, at)
    const stop = findEnd(inside, next, end)
    if (stop === next) throw new PatternFault(`has nothing for the value of '${key}'`)
    if (isLiteral(inside[next], ' ')) throw new PatternFault(`has a space before the value of '${key}'; canonical JSON has none`) // biome-ignore format: one line
    keys.push({ key, value: inside.slice(next, stop), ...(optional && { optional }) })
    at = stop + 1
    if (stop < end && at === end) throw notAnObject()
  }
  checkTwice(keys.map(({ key }) => key))
  return keys
}

/** Anchors are implied: an allow rule always matches the whole input. */
export function withoutAnchors(tokens: readonly Token[]): readonly Token[] {
  const first = tokens[0]?.source === '^' ? 1 : 0
  const last = tokens.length > first && tokens.at(-1)!.source === '$' ? tokens.length - 1 : tokens.length
  return tokens.slice(first, last)
}

/** `"key":` or `"key"?:`, every character of it literal. */
function readKey(tokens: readonly Token[], start: number): { key: string; next: number; optional: boolean } {
  if (!isLiteral(tokens[start], '"')) throw notAnObject()
  let text = '"'
  for (let at = start + 1; at < tokens.length; at++) {
    const optional = isOptionalEnd(tokens[at])
    const literal = optional ? '"' : mustBeFixed(tokens[at], text).literal
    text += literal
    if (literal === '\\') text += mustBeFixed(tokens[++at], text).literal
    else if (literal === '"') {
      if (!isLiteral(tokens[at + 1], ':')) throw new PatternFault(`has no ':' right after ${text}`)
      return { key: toKey(text), next: at + 2, optional }
    }
  }
  throw notAnObject()
}

function isOptionalEnd(token: Token | undefined): boolean {
  return token?.source === '"?' && token.depth === 0
}

function mustBeFixed(token: Token | undefined, before: string): Token {
  if (token && isFixed(token)) return token
  throw new PatternFault(`leaves open which key is meant after ${before}; write every key out`)
}

function toKey(text: string): string {
  try {
    return JSON.parse(text)
  } catch {
    throw new PatternFault(`has ${text} instead of a key, which is not a JSON string`)
  }
}

/** The comma after a value, or the last brace. Skips commas and braces inside strings and nested values. */
function findEnd(tokens: readonly Token[], start: number, end: number): number {
  let nested = 0
  let inString = false
  for (let at = start; at < end; at++) {
    const token = tokens[at]!
    if (!isFixed(token)) continue
    const { literal } = token
    if (inString) {
      if (literal === '\\') at++
      else if (literal === '"') inString = false
    } else if (literal === '"') inString = true
    else if (literal === '{' || literal === '[') nested++
    else if (literal === '}' || literal === ']') nested--
    else if (literal === ',' && nested === 0) return at
    if (nested < 0) throw new PatternFault(`has an unmatched ${literal}`)
  }
  if (inString) throw new PatternFault('has a string that is not closed: put the quote after the value')
  if (nested > 0) throw new PatternFault('has a { or [ that is not closed; both belong inside the value')
  return end
}

/** Order does not matter: each part is matched against its own key. */
function checkTwice(keys: readonly string[]) {
  const twice = keys.find((key, index) => keys.indexOf(key) < index)
  if (twice !== undefined) throw new PatternFault(`names '${twice}' twice`)
}

function isLiteral(token: Token | undefined, literal: string): boolean {
  return token !== undefined && isFixed(token) && token.literal === literal
}

function notAnObject(): PatternFault {
  return new PatternFault('does not name the keys of an input: write {"key":"…"} with every key, without spaces')
}
