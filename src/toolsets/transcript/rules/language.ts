/** Its words, one by one. */
export type Phrase = readonly string[]

/** What the rules know of a language. All words in lower case. */
export interface Language {
  readonly name: string
  /** Tell the language, together with its numbers and negations. */
  readonly common: ReadonlySet<string>
  /** Fillers in this language that are words in others. */
  readonly fillers: ReadonlySet<string>
  /** Phrases that say little: a model may leave them out, the rules do not. */
  readonly hedges: readonly Phrase[]
  /** Words and phrases that say little where a comma follows them, and something elsewhere. */
  readonly markers: readonly Phrase[]
  /** Beside these words a hedge is meant: `what you know`, `kind of a`. */
  readonly binding: ReadonlySet<string>
  /** Words that nobody says twice on purpose. */
  readonly stuttered: ReadonlySet<string>
  readonly negations: ReadonlySet<string>
  /** Numbers as words, also those that are articles too. */
  readonly numbers: ReadonlySet<string>
}

export function defineLanguage(
  name: string,
  source: { readonly [part in keyof Omit<Language, 'name'>]: string },
): Language {
  const toPhrases = (text: string) => text.split(',').map((phrase) => phrase.trim().split(' '))
  const toSet = (text: string) => new Set(text.split(/\s+/).filter((word) => word !== ''))
  return {
    name,
    common: toSet(source.common),
    fillers: toSet(source.fillers),
    hedges: toPhrases(source.hedges),
    markers: toPhrases(source.markers),
    binding: toSet(source.binding),
    stuttered: toSet(source.stuttered),
    negations: toSet(source.negations),
    numbers: toSet(source.numbers),
  }
}
