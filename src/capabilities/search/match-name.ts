import { findClassEnd } from './expand-braces.ts'

/** One name of a path, or `**`. */
export interface NameMatcher {
  readonly matches: (name: string) => boolean
  /** Starts with a literal dot, as required to match hidden names. */
  readonly dotted: boolean
  /** The text itself if it has no wildcard. */
  readonly literal: string | undefined
}

type Token = string | typeof any | typeof star | ((character: string) => boolean)

const any = Symbol('?')
const star = Symbol('*')

/** Compiles one name of a glob. Undefined if a class is not closed or it ends with a backslash. */
export function compileName(pattern: string): NameMatcher | undefined {
  const tokens = tokenise(pattern)
  if (!tokens) return undefined
  const literal = tokens.every((token) => typeof token === 'string') ? tokens.join('') : undefined
  return { matches: toMatches(tokens, literal), dotted: tokens[0] === '.', literal }
}

function toMatches(tokens: Token[], literal: string | undefined): (name: string) => boolean {
  if (literal !== undefined) return (name) => name === literal
  const [first, ...rest] = tokens
  if (first === star && rest.every((token) => typeof token === 'string')) {
    const ending = rest.join('')
    return (name) => name.endsWith(ending)
  }
  return (name) => matchTokens(tokens, name)
}

/** Backtracks to the last star only, so that time is bounded by the product of both lengths. */
function matchTokens(tokens: readonly Token[], name: string): boolean {
  const characters = Array.from(name)
  let at = 0
  let token = 0
  let starToken = -1
  let starAt = 0
  while (at < characters.length) {
    const expected = tokens[token]
    if (expected === star) {
      starToken = token++
      starAt = at
    } else if (expected !== undefined && fits(expected, characters[at]!)) {
      token++
      at++
    } else if (starToken >= 0) {
      token = starToken + 1
      at = ++starAt
    } else return false
  }
  while (tokens[token] === star) token++
  return token === tokens.length
}

function fits(token: Token, character: string): boolean {
  if (token === any) return true
  return typeof token === 'function' ? token(character) : token === character
}

function tokenise(pattern: string): Token[] | undefined {
  const tokens: Token[] = []
  for (let index = 0; index < pattern.length; index++) {
    const character = String.fromCodePoint(pattern.codePointAt(index)!)
    if (character === '*') {
      if (tokens.at(-1) !== star) tokens.push(star)
    } else if (character === '?') tokens.push(any)
    else if (character === '[') {
      const end = findClassEnd(pattern, index)
      if (end === undefined) return undefined
      tokens.push(toClass(pattern.slice(index + 1, end)))
      index = end
    } else if (character === '\\') {
      if (++index === pattern.length) return undefined
      tokens.push(String.fromCodePoint(pattern.codePointAt(index)!))
      index += tokens.at(-1)!.toString().length - 1
    } else {
      tokens.push(character)
      index += character.length - 1
    }
  }
  return tokens
}

function toClass(text: string): (character: string) => boolean {
  const negated = text[0] === '!' || text[0] === '^'
  const members = Array.from(negated ? text.slice(1) : text)
  const ranges: [string, string][] = []
  for (let index = 0; index < members.length; index++) {
    if (members[index] === '\\' && index + 1 < members.length) index++
    const from = members[index]!
    const isRange = members[index + 1] === '-' && index + 2 < members.length
    ranges.push([from, isRange ? members[index + 2]! : from])
    if (isRange) index += 2
  }
  return (character) => ranges.some(([from, to]) => character >= from && character <= to) !== negated
}
