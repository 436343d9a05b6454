import { PatternFault } from '../../contract/schema/pattern-fault.ts'
/** A token of a pattern: an atom with its quantifier, a bracket, a bar or an anchor. */
export interface Token {
  /** Its text in the pattern; literal braces and brackets are escaped. */
  readonly source: string
  /** The literal character that it matches exactly once; otherwise undefined. */
  readonly literal?: string
  readonly kind: 'atom' | 'open' | 'close' | 'or' | 'anchor'
  /** Nesting depth of groups. */
  readonly depth: number
}

/** Generous, since a rule for one exact call can be long. */
export const maxPatternCharacters = 16_384

/**
 * Tokenizes an ECMAScript pattern. Literals are certain: outside groups, every matching text has that character there, once.
 * The regex engine validates the rest.
 */
export function readPattern(pattern: string): Token[] {
  if (pattern.length > maxPatternCharacters) throw new PatternFault(`has more than ${maxPatternCharacters} characters`)
  const tokens: Token[] = []
  let depth = 0
  for (let at = 0; at < pattern.length; ) {
    const quantifier = readAt(forms.quantifier, pattern, at)
    if (quantifier !== undefined) {
      quantify(tokens, quantifier)
      at += quantifier.length
      continue
    }
    const { length, ...token } = readOne(pattern, at)
    if (token.kind === 'close' && --depth < 0) throw new PatternFault('closes a group that it never opened')
    tokens.push({ ...token, depth })
    if (token.kind === 'open') depth++
    at += length
  }
  if (depth > 0) throw new PatternFault('has a group that is not closed')
  return tokens
}

/** The literal characters of every matching text, without what is between them. */
export function literalText(tokens: readonly Token[]): string {
  return tokens.map((token) => (isFixed(token) ? token.literal : '')).join('')
}

/** The literal prefix of every matching text. */
export function literalPrefix(tokens: readonly Token[]): string {
  const end = tokens.findIndex((token) => !isFixed(token))
  return literalText(end < 0 ? tokens : tokens.slice(0, end))
}

export function isFixed({ literal, depth }: Token): boolean {
  return literal !== undefined && depth === 0
}

const forms = {
  quantifier: /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y,
  classOfCharacters: /\[(?:\\.|[^\]\\])*\]/suy,
  group: /\((?:\?:|\?<(?![=!])[^>]*>)?(?!\?)/y,
  looking: /\(\?<?[=!]/y,
  backReference: /\\(?:[1-9]|k)/y,
  /** Multi-character, class or control escapes. */
  otherEscape: /\\(?:[bBdDfnrstvwWS0]|c[A-Za-z]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|u\{[\da-fA-F]+\}|[pP]\{[^}]*\})/y,
  literalEscape: /\\[^A-Za-z\d]/suy,
  character: /./suy,
}

function readAt(form: RegExp, pattern: string, at: number): string | undefined {
  form.lastIndex = at
  return form.exec(pattern)?.[0]
}

interface Read extends Omit<Token, 'depth'> {
  /** Characters of the pattern. */
  readonly length: number
}

function readOne(pattern: string, at: number): Read {
  const first = pattern[at]!
  if (first === '\\') return readEscape(pattern, at)
  if (first === '[') {
    const source = readAt(forms.classOfCharacters, pattern, at)
    if (source === undefined) throw new PatternFault("has a '[' that is not closed; write \\[ for the character")
    return { kind: 'atom', source, length: source.length }
  }
  if (first === '(') return readGroup(pattern, at)
  if (first === ')') return { kind: 'close', source: ')', length: 1 }
  if (first === '|') return { kind: 'or', source: '|', length: 1 }
  if (first === '^' || first === '$') return { kind: 'anchor', source: first, length: 1 }
  if (first === '.') return { kind: 'atom', source: '.', length: 1 }
  const literal = readAt(forms.character, pattern, at)!
  return { kind: 'atom', literal, source: /[{}\]]/.test(literal) ? `\\${literal}` : literal, length: literal.length }
}

function readGroup(pattern: string, at: number): Read {
  if (readAt(forms.looking, pattern, at)) throw new PatternFault('looks ahead or behind, which a linear-time engine cannot') // biome-ignore format: one line
  const source = readAt(forms.group, pattern, at)
  if (source === undefined) throw new PatternFault("changes flags inside, with '(?'; write the characters out")
  return { kind: 'open', source, length: source.length }
}

function readEscape(pattern: string, at: number): Read {
  if (readAt(forms.backReference, pattern, at)) throw new PatternFault('refers back to a group, which a linear-time engine cannot') // biome-ignore format: one line
  const literal = readAt(forms.literalEscape, pattern, at)
  if (literal !== undefined) return { kind: 'atom', literal: literal.slice(1), source: literal, length: literal.length }
  const source = readAt(forms.otherEscape, pattern, at)
  if (source === undefined) throw new PatternFault(`has the unknown escape ${pattern.slice(at, at + 2)}`)
  return { kind: 'atom', source, length: source.length }
}

/** A quantified character is not literal. */
function quantify(tokens: Token[], quantifier: string) {
  const { kind, depth, source } = tokens.at(-1) ?? { kind: 'anchor', depth: 0, source: '' }
  if (kind !== 'atom' && kind !== 'close') throw new PatternFault(`has '${quantifier}' after nothing`)
  tokens[tokens.length - 1] = { kind, depth, source: source + quantifier }
}
