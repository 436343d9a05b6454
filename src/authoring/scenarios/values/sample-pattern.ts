import type { Random } from './random.ts'

export interface SampleOptions {
  readonly random: Random
  /** Max repetitions beyond the required minimum. */
  readonly extra: number
  readonly maxLength: number
}

/**
 * A text that probably matches the pattern; undefined if none was found. Never runs the whole pattern, so a hostile one cannot
 * hang it.
 */
export function samplePattern(source: string, { random, extra, maxLength }: SampleOptions): string | undefined {
  let left = Math.min(maxLength, maxCharacters)
  let steps = maxSteps

  function sample(node: PatternNode): string {
    if (steps-- < 0) throw new RangeError('The pattern takes too many steps.')
    switch (node.kind) {
      case 'character':
        if (left-- <= 0) throw new RangeError('The text is too long.')
        return random.pick(charactersOf(node.atom))
      case 'sequence':
        return node.parts.map(sample).join('')
      case 'choice':
        return sample(random.pick(node.options))
      case 'repeat': {
        const most = Math.min(node.most, node.least + extra)
        const count = node.least + random.below(most - node.least + 1)
        return Array.from({ length: count }, () => sample(node.part)).join('')
      }
    }
  }

  try {
    return sample(parsePattern(source))
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError) return undefined
    throw error
  }
}

const maxCharacters = 100_000
const maxSteps = 110_000

/** Characters of every kind, letters first. */
const alphabet = [...'abcxyzABCXYZ0123456789_-./:@#,;+*=~!?%&$^|<>()[]{}"\'` \\', '\t', '\n', ...'éßüΩЯжא漢字あ한😀']

const known = new Map<string, readonly string[]>()
const maxKnown = 1000

/** Characters that match an atom. Tests single characters only, which is fast for any atom. */
function charactersOf(atom: string): readonly string[] {
  const before = known.get(atom)
  if (before) return before
  const isMatch = compile(atom)
  const found = [...new Set([...alphabet, ...namedIn(atom)])].filter((character) => isMatch.test(character))
  if (found.length === 0) throw new RangeError('No character is known that fits.')
  if (known.size >= maxKnown) known.clear()
  known.set(atom, found)
  return found
}

function compile(atom: string): RegExp {
  try {
    return new RegExp(`^(?:${atom})$`, 'u')
  } catch {
    return new RegExp(`^(?:${atom.length === 1 ? `\\${atom}` : atom})$`)
  }
}

/** Characters that the atom contains, literally or escaped. */
function namedIn(atom: string): string[] {
  const numbered = [...atom.matchAll(/\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2}))/gi)].map((found) =>
    toCharacter(Number.parseInt(found[1] ?? found[2] ?? found[3]!, 16)),
  )
  const controls = [...atom.matchAll(/\\c([a-z])/gi)].map(([, letter]) => toCharacter(letter!.charCodeAt(0) % 32))
  return [...atom, ...numbered, ...controls, '\0', '\f', '\v', '\r'].filter((character) => character !== '')
}

/** Excludes lone surrogates. */
function toCharacter(code: number): string {
  return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '' : String.fromCodePoint(code)
}

/** The parts of a regular expression that matter for generating matches. */
type PatternNode =
  /** One character that matches `atom`, which is pattern source. */
  | { readonly kind: 'character'; readonly atom: string }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly least: number; readonly most: number }

const deepest = 100

/**
 * Parses a valid regular expression. Ignores anchors and lookaround, so callers must check generated text. Throws if groups
 * are nested too deep.
 */
function parsePattern(source: string): PatternNode {
  let at = 0
  let depth = 0

  function readChoice(): PatternNode {
    if (++depth > deepest) throw new RangeError('The groups of the pattern are nested too deep.')
    const options = [readSequence()]
    while (source[at] === '|') {
      at++
      options.push(readSequence())
    }
    depth--
    return options.length === 1 ? options[0]! : { kind: 'choice', options }
  }

  function readSequence(): PatternNode {
    const parts: PatternNode[] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      const part = readAtom()
      const repeated = readQuantifier(part ?? nothing)
      if (part) parts.push(repeated)
    }
    return { kind: 'sequence', parts }
  }

  function readAtom(): PatternNode | undefined {
    if (source[at] === '(') return readGroup()
    const atom = take(/\[(?:\\.|[^\]\\])*\]|\\(?:u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|[pP]\{[^}]*\}|c[a-z]|.)|./isuy)
    return /^(?:\^|\$|\\b|\\B)$/.test(atom) ? undefined : { kind: 'character', atom }
  }

  function readGroup(): PatternNode | undefined {
    const opening = take(/\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?/y)
    const inner = readChoice()
    at++
    return /[=!]$/.test(opening) ? undefined : inner
  }

  function readQuantifier(part: PatternNode): PatternNode {
    const quantifier = take(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/y)
    if (quantifier === '') return part
    const [, least = '0', comma, most = ''] = /^\{(\d+)(,?)(\d*)/.exec(quantifier) ?? []
    const kind = 'repeat'
    if (quantifier.startsWith('*')) return { kind, part, least: 0, most: Infinity }
    if (quantifier.startsWith('+')) return { kind, part, least: 1, most: Infinity }
    if (quantifier.startsWith('?')) return { kind, part, least: 0, most: 1 }
    const end = comma === '' ? Number(least) : most === '' ? Infinity : Number(most)
    return { kind, part, least: Number(least), most: end }
  }

  function take(form: RegExp): string {
    form.lastIndex = at
    const [text = ''] = form.exec(source) ?? []
    at += text.length
    return text
  }

  return readChoice()
}

const nothing: PatternNode = { kind: 'sequence', parts: [] }
