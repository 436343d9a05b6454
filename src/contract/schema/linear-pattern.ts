import { PatternFault } from './pattern-fault.ts'
import { schemaBounds } from './schema-rules.ts'
import { spendSteps } from './step-budget.ts'
import { toRe2 } from './to-re2.ts'

/** A pattern that is matched in linear time. */
export interface LinearPattern {
  test(text: string): boolean
  /** The source. ajv takes two patterns with one text for one pattern. */
  toString(): string
  /** The instructions of its program. */
  readonly size: number
}

/** Loads RE2 (11 ms, so only for a schema that has a pattern) and gives what compiles a pattern or throws why it cannot. */
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
      // The slowest programs take 25 ns for each character and instruction, eight of which are taken for a step.
      spendSteps(1 + (text.length * size) / 8)
      return parts.every(({ isWanted, expression }) => expression.test(text) === isWanted)
    }
    return { test, size, toString: () => source }
  }
}

/** What ECMAScript does not take is refused even if RE2 does: it would mean something else to another reader. */
function checkSyntax(source: string): void {
  try {
    new RegExp(source, 'u')
  } catch {
    try {
      // Patterns that escape more than they need to are common, and are fine without the flag.
      new RegExp(source)
    } catch (error) {
      // V8 puts the whole pattern before the reason, in "Invalid regular expression: /…/: Unterminated group".
      throw new PatternFault(`is not a regular expression: ${(error as Error).message.replace(/^.*: /s, '')}`)
    }
  }
}

interface Part {
  /** Must the pattern match, or must it not? */
  readonly isWanted: boolean
  readonly pattern: string
}

/**
 * Look-aheads right at the start, `^(?!a)(?=b)c`, are conditions of their own: not `^a`, and `^b`, and `^c`.
 * Validators of e-mail addresses are often written so.
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
  // A quantifier after the group, or a second alternative, would make it something else.
  if (/^[*+?{]/.test(rest) || topLevel(rest).hasAlternatives) throw new PatternFault('looks ahead or behind')
  return [...parts, { isWanted: true, pattern: `^${rest}` }]
}

/** Reads a pattern up to its end, or to the bracket that closes the group it stands in. */
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
