import { PatternFault } from './pattern-fault.ts'

/**
 * Translates an ECMAScript pattern to RE2 syntax with the same meaning: `.`, `\s` and escapes differ, and syntax that
 * only RE2 knows must not slip through. Throws a PatternFault if RE2 has no equivalent.
 */
export function toRe2(source: string): string {
  let result = ''
  let inClass = false
  for (let at = 0; at < source.length; ) {
    const rest = source.slice(at, at + 80)
    const character = rest[0]!
    if (character === '\\') {
      const [length, text] = toEscape(rest, inClass)
      result += text
      at += length
      continue
    }
    at++
    if (inClass) {
      if (character === ']') inClass = false
      result += character === '[' ? '\\[' : character
    } else if (character === '[') {
      const empty = /^\[\^?\]/.exec(rest)?.[0]
      if (empty) {
        result += empty === '[]' ? '[^\\x{0}-\\x{10ffff}]' : '[\\x{0}-\\x{10ffff}]'
        at += empty.length - 1
        continue
      }
      const isNegated = rest[1] === '^'
      result += isNegated ? '[^' : '['
      if (isNegated) at++
      inClass = true
    } else if (character === '(') {
      // Captures are not used, and a non-capturing group is cheaper.
      result += '(?:'
      at += groupLength(rest) - 1
    } else {
      result += character === '.' ? '[^\\n\\r\\x{2028}\\x{2029}]' : character
    }
  }
  return result
}

function groupLength(rest: string): number {
  if (rest.startsWith('(?:')) return 3
  const named = /^\(\?<[^=!>][^>]*>/.exec(rest)?.[0]
  if (named) return named.length
  if (/^\(\?<?[=!]/.test(rest)) throw new PatternFault('looks ahead or behind')
  if (rest.startsWith('(?')) throw new PatternFault('changes flags inside')
  return 1
}

/** The whitespace of ECMAScript, and its complement. */
const space = '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const notSpace =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}' +
  '\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'

/** The length of the escape at the start of `rest`, and its RE2 form. */
function toEscape(rest: string, inClass: boolean): [length: number, text: string] {
  const character = rest[1]
  const bracket = (ranges: string) => (inClass ? ranges : `[${ranges}]`)
  switch (character) {
    case 's':
      return [2, bracket(space)]
    case 'S':
      return [2, bracket(notSpace)]
    case 'b':
      return [2, inClass ? '\\x{8}' : '\\b']
    case 'B':
    case 'd':
    case 'D':
    case 'w':
    case 'W':
    case 'f':
    case 'n':
    case 'r':
    case 't':
    case 'v':
      return [2, `\\${character}`]
    case 'p':
    case 'P':
      return toProperty(rest)
    case 'c':
    case 'u':
    case 'x':
    case '0':
      return toCodePoint(rest)
  }
  if (character !== undefined && /[1-9k]/.test(character)) throw new PatternFault('refers back to a group')
  if (character === undefined || /[A-Za-z]/.test(character))
    throw new PatternFault(`has the unknown escape \\${character ?? ''}`)
  if (character === '_' || character > '\x7f') return [2, character]
  return [2, `\\${character}`]
}

function toCodePoint(rest: string): [length: number, text: string] {
  const pair = /^\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})/.exec(rest)
  if (pair) {
    const whole = String.fromCharCode(Number.parseInt(pair[1]!, 16), Number.parseInt(pair[2]!, 16))
    return [pair[0].length, `\\x{${whole.codePointAt(0)!.toString(16)}}`]
  }
  const hex = /^\\(?:u\{([0-9a-fA-F]{1,8})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))/.exec(rest)
  if (hex) return [hex[0].length, `\\x{${hex[1] ?? hex[2] ?? hex[3]}}`]
  const control = /^\\c([A-Za-z])/.exec(rest)
  if (control) return [3, `\\x{${(control[1]!.charCodeAt(0) % 32).toString(16)}}`]
  if (/^\\0(?!\d)/.test(rest)) return [2, '\\x{0}']
  throw new PatternFault(`has the unknown escape ${rest.slice(0, 6)}`)
}

/** ECMAScript names that RE2 knows only in their short form. */
const categories: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Letter: 'L',
    Lowercase_Letter: 'Ll',
    Uppercase_Letter: 'Lu',
    Mark: 'M',
    Number: 'N',
    Decimal_Number: 'Nd',
    digit: 'Nd',
    Punctuation: 'P',
    punct: 'P',
    Separator: 'Z',
    Symbol: 'S',
    Other: 'C',
  }),
)

function toProperty(rest: string): [length: number, text: string] {
  const property = /^\\([pP])\{(?:(?:Script|sc|General_Category|gc)=)?(\w+)\}/.exec(rest)
  if (!property) throw new PatternFault('has a Unicode property that RE2 does not know')
  const [whole, sign, name] = property
  return [whole.length, `\\${sign}{${categories.get(name!) ?? name}}`]
}
