/** The parts of a regular expression that matter for generating matches. */
export type PatternNode =
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
export function parsePattern(source: string): PatternNode {
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
