export type Phrase = readonly string[]

/** The word lists of a language, in lower case. */
export interface Language {
  readonly name: string
  /** Used to detect the language, together with its numbers and negations. */
  readonly common: ReadonlySet<string>
  /** Fillers that are words in other languages. */
  readonly fillers: ReadonlySet<string>
  /** Phrases with little meaning: a model may drop them, the rules do not. */
  readonly hedges: readonly Phrase[]
  /** Words and phrases with little meaning if a comma follows. */
  readonly markers: readonly Phrase[]
  /** Next to these words a hedge has meaning: `what you know`, `kind of a`. */
  readonly binding: ReadonlySet<string>
  /** Words that are never doubled on purpose. */
  readonly stuttered: ReadonlySet<string>
  readonly negations: ReadonlySet<string>
  /** Number words, including those that are also articles. */
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
