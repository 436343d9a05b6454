import type { Token } from './read-tokens.ts'
import { functionWords, openingWords } from './word-lists.ts'
import { isKin, withoutEnding } from './words.ts'

/** A name: consecutive words that are written as one. */
export interface Name {
  readonly words: readonly string[]
  /** Compared with case. */
  readonly exact: boolean
  readonly at: number
  readonly end: number
}

/**
 * Words written as names: capitals, acronyms, identifiers. The first word of a sentence counts as a name unless it is a
 * common word or `known` says that the evidence has it.
 */
export function readNames(tokens: readonly Token[], known: (word: string) => boolean = () => false): Name[] {
  const names: Name[] = []
  let open: { words: string[]; at: number } | undefined
  const close = (end: number) => {
    if (open) names.push({ words: open.words, exact: false, at: open.at, end })
    open = undefined
  }
  for (const [at, token] of tokens.entries()) {
    const kind = toKind(tokens, at, known)
    if (kind === 'part') {
      open ??= { words: [], at }
      open.words.push(withoutEnding(token.text))
      // "Acme's Rocket" is two names.
      if (/'s$/.test(token.text)) close(at + 1)
      continue
    }
    // Initials occur between the parts of a name, and hyphens in it.
    if (
      open &&
      token.kind === 'sign' &&
      /^[.-]$/.test(token.text) &&
      !token.spaced &&
      /^\p{Lu}/u.test(tokens[at + 1]?.text ?? '')
    ) {
      if (token.text === '-' || /^\p{Lu}$/u.test(tokens[at - 1]!.text)) continue
    }
    close(at)
    if (kind === 'whole') names.push({ words: [toAcronym(token.text)], exact: true, at, end: at + 1 })
  }
  close(tokens.length)
  return names
}

/** Finds a name in other tokens after an index; -1 if missing. */
export function findName({ words, exact }: Name, tokens: readonly Token[], from = 0): number {
  for (let at = from; at < tokens.length; at++) {
    let next = at
    let found = 0
    while (found < words.length && next < tokens.length) {
      const token = tokens[next]!
      if (found > 0 && token.kind === 'sign' && /^[.-]$/.test(token.text)) next++
      else if (isSame(words[found]!, token, exact)) {
        found++
        next++
      } else break
    }
    if (found === words.length) return at
  }
  return -1
}

function isSame(word: string, { text, kind }: Token, exact: boolean): boolean {
  if (kind === 'sign') return false
  const other = exact ? toAcronym(text) : withoutEnding(text)
  if (word === other) return true
  // "North American" of "North America"
  const [short, long] = word.length < other.length ? [word, other] : [other, word]
  if (!exact && short.length >= 4 && /^\p{Lu}/u.test(short) && /^(?:n|an|ian)$/.test(long.replace(short, '')))
    return true
  // "US" is not "us"; "Nasa" is "NASA".
  return (!exact || (word.length > 3 && /^\p{L}+$/u.test(word))) && word.toLowerCase() === other.toLowerCase()
}

function toKind(tokens: readonly Token[], at: number, known: (word: string) => boolean): 'part' | 'whole' | 'none' {
  const { kind, text } = tokens[at]!
  if (kind === 'code') return 'whole'
  if (kind !== 'word' || !/^\p{L}/u.test(text)) return 'none'
  if (/^(?:\p{L}\.)+\p{L}$/u.test(text)) return /\p{Lu}/u.test(text) ? 'whole' : 'none'
  const bare = withoutEnding(text)
  if (/\p{Lu}.*\p{Lu}/u.test(bare)) return 'whole'
  if (/^\p{Ll}+\p{Lu}/u.test(bare)) return 'whole'
  if (!/^\p{Lu}/u.test(bare) || (bare.length === 1 && /^[AI]$/.test(bare))) return 'none'
  if (functionWords.has(bare.toLowerCase()) && bare.length > 1) return 'none'
  if (!isSentenceStart(tokens, at)) return 'part'
  return openingWords.has(bare.toLowerCase()) || known(bare.toLowerCase()) ? 'none' : 'part'
}

function isSentenceStart(tokens: readonly Token[], at: number): boolean {
  let before = at - 1
  while (before >= 0 && /^["'([*•#-]$/u.test(tokens[before]!.text)) before--
  return before < 0 || /^[.!?:;…。！？]$/u.test(tokens[before]!.text)
}

function toAcronym(text: string): string {
  const bare = text.replace(/'s$|s'$|'$/u, '')
  return /^(?:\p{L}\.)+\p{L}$/u.test(bare) ? bare.replaceAll('.', '') : bare
}

/** Whether the evidence has a word, given in lower case, that is not a name: in lower case, or in another form. */
export function toKnown(evidence: readonly Token[]): (word: string) => boolean {
  const words = evidence.filter(({ kind }) => kind === 'word').map(({ text }) => withoutEnding(text))
  return (word) =>
    words.includes(word) || words.some((one) => one.toLowerCase() !== word && isKin(word, one.toLowerCase()))
}
