/**
 * Regular expressions of schemas and rules, matched by RE2 in linear time.
 *
 * Invariant: a pattern means the same as in ECMAScript, or it is refused. It never backtracks, and each match spends steps
 * in proportion to the text and the size of the program.
 *
 * Hard part: RE2 differs from ECMAScript in details (`to-re2.ts`) and has no lookaround. Only lookaheads at the very start
 * are supported, as conditions that are matched separately.
 */

import { PatternFault } from './pattern-fault.ts'
import { schemaBounds } from './schema-rules.ts'
import { spendSteps } from './step-budget.ts'
import { toRe2 } from './to-re2.ts'

/** A pattern that matches in linear time. */
export interface LinearPattern {
  test(text: string): boolean
  /** The source. ajv identifies patterns by their text. */
  toString(): string
  /** The number of instructions in its program. */
  readonly size: number
}

/**
 * Loads RE2 (11 ms, so only if a schema has a pattern) and returns a function that compiles a pattern, or throws a
 * PatternFault.
 */
export async function loadLinearPattern(): Promise<(source: string) => LinearPattern> {
  const { RE2JS } = await import('re2js')
  return (source) => {
    if (source.length > schemaBounds.patternLength) {
      throw new PatternFault(`has more than ${schemaBounds.patternLength} characters`)
    }
    checkSyntax(source)
    const parts = splitLookaheads(source).map(({ isWanted, pattern }) => {
      const expression = RE2JS.compile(toRe2(pattern))
      return { isWanted, expression }
    })
    const size = parts.reduce((sum, { expression }) => sum + expression.programSize(), 0)
    const test = (text: string) => {
      // The slowest programs take 25 ns per character and instruction; eight of these count as one step.
      spendSteps(1 + (text.length * size) / 8)
      return parts.every(({ isWanted, expression }) => expression.test(text) === isWanted)
    }
    return { test, size, toString: () => source }
  }
}

/**
 * Patterns that are not valid ECMAScript are refused even if RE2 accepts them: they would mean something else to other
 * readers.
 */
function checkSyntax(source: string): void {
  try {
    new RegExp(source, 'u')
  } catch {
    try {
      // Patterns with unnecessary escapes are common, and valid without the flag.
      new RegExp(source)
    } catch (error) {
      // V8 puts the whole pattern before the reason, in "Invalid regular expression: /…/: Unterminated group".
      throw new PatternFault(`is not a regular expression: ${(error as Error).message.replace(/^.*: /s, '')}`)
    }
  }
}

interface Part {
  /** Whether the pattern must match or must not match. */
  readonly isWanted: boolean
  readonly pattern: string
}

/**
 * Splits lookaheads at the start, as in `^(?!a)(?=b)c`, into separate conditions: not `^a`, and `^b`, and `^c`. They
 * are common in patterns for e-mail addresses.
 */
function splitLookaheads(source: string): Part[] {
  if (!/^\^\(\?[=!]/.test(source)) return [{ isWanted: true, pattern: source }]
  const parts: Part[] = []
  let rest = source.slice(1)
  while (/^\(\?[=!]/.test(rest)) {
    const end = topLevel(rest.slice(3)).end + 3
    parts.push({ isWanted: rest[2] === '=', pattern: `^(?:${rest.slice(3, end)})` })
    rest = rest.slice(end + 1)
  }
  // A quantifier after the group, or a top-level alternative, would change the meaning.
  if (/^[*+?{]/.test(rest) || topLevel(rest).hasAlternatives) throw new PatternFault('looks ahead or behind')
  return [...parts, { isWanted: true, pattern: `^${rest}` }]
}

/** Scans a pattern to its end, or to the bracket that closes the enclosing group. */
function topLevel(source: string): { end: number; hasAlternatives: boolean } {
  let depth = 0
  let inClass = false
  let hasAlternatives = false
  for (let at = 0; at < source.length; at++) {
    const character = source[at]
    if (character === '\\') at++
    else if (inClass) inClass = character !== ']'
    else if (character === '[') inClass = true
    else if (character === '(') depth++
    else if (character === ')' && depth-- === 0) return { end: at, hasAlternatives }
    else if (character === '|' && depth === 0) hasAlternatives = true
  }
  return { end: source.length, hasAlternatives }
}
