export type Phrase = readonly string[]

/** When a word said twice in a row is meant. Each condition that is given must hold; `^` is the start of a sentence. */
export interface Double {
  readonly words: ReadonlySet<string>
  /** The word before the pair. */
  readonly after?: ReadonlySet<string>
  /** The word after the pair. */
  readonly before?: ReadonlySet<string>
  /** The ending of the word after the pair. */
  readonly beforeEnding?: RegExp
  /** One of the five words before the pair. */
  readonly since?: ReadonlySet<string>
  /** None of the five words before the pair. */
  readonly notSince?: ReadonlySet<string>
  /** Only without a comma between the two. */
  readonly unbroken?: boolean
  /** Only where a clause may begin between the two: after a comma, and anywhere in text without punctuation. */
  readonly clauses?: boolean
}

/** Words of which a sentence has one: of two in a row, the first was given up (`a an`, `the my`). */
interface Swap {
  readonly words: ReadonlySet<string>
  /** The words that replace them. */
  readonly by: ReadonlySet<string>
  /** Not after one of these words. */
  readonly notAfter?: ReadonlySet<string>
  /** None of the five words before. */
  readonly notSince?: ReadonlySet<string>
  /** Only without punctuation between the two. */
  readonly unbroken?: boolean
}

/** The word lists of a language, in lower case. */
export interface Language {
  readonly name: string
  /** Used to detect the language, together with its numbers, negations and fillers. */
  readonly common: ReadonlySet<string>
  /** Letters and endings that suggest the language. */
  readonly looks: RegExp
  /** Fillers that are words in other languages. */
  readonly fillers: ReadonlySet<string>
  /** Fillers that are words of this language as well: dropped only beside a break. */
  readonly looseFillers: ReadonlySet<string>
  /** Before these words a filler is part of an answer: `ah bon`. */
  readonly answers: ReadonlySet<string>
  /** Phrases with little meaning: a model may drop them, the rules do not. */
  readonly hedges: readonly Phrase[]
  /** Words and phrases with little meaning between two breaks: a model may drop them, the rules do not. */
  readonly markers: readonly Phrase[]
  /** Those that the rules drop, too. */
  readonly asides: readonly Phrase[]
  /** Asides that need no break after them at the start of a sentence, before its subject: `well I think`. */
  readonly leads: readonly Phrase[]
  /** Phrases that announce a correction: `the red, I mean, the blue one`. */
  readonly edits: readonly Phrase[]
  /** Next to these words a hedge has meaning: `what you know`, `kind of a`. */
  readonly binding: ReadonlySet<string>
  /** Function words that are never doubled on purpose. */
  readonly stuttered: ReadonlySet<string>
  /** Whether other words said twice are slips as well. Not in languages that double words by grammar. */
  readonly doublesAreSlips: boolean
  /** Words that are doubled for emphasis: `very very`. */
  readonly emphatic: ReadonlySet<string>
  /** Endings of such words: `really really`. */
  readonly emphaticEnding: RegExp
  /** Phrases that are doubled for emphasis: `come on come on`. */
  readonly refrains: readonly Phrase[]
  /** Words that grammar doubles: `that that`, `nous nous`. */
  readonly doubles: readonly Double[]
  /** Exceptions to `doubles`. */
  readonly slips: readonly Double[]
  /** Articles that are number words as well. */
  readonly articles: ReadonlySet<string>
  /** Words that cannot end a clause: said before a restart, they were abandoned (`in the in a box`). */
  readonly determiners: ReadonlySet<string>
  readonly prepositions: ReadonlySet<string>
  /** Words that never end a clause, so that one that ends with them was given up: `I want to I need`. */
  readonly dangling: ReadonlySet<string>
  readonly swaps: readonly Swap[]
  /** Words that begin a clause, which needs a subject and a verb: `if you if we`. */
  readonly openers: ReadonlySet<string>
  /** Auxiliaries that need another verb: `how do I how can I`. */
  readonly bareAuxiliaries: ReadonlySet<string>
  /** Pronouns that are subjects only. */
  readonly subjects: ReadonlySet<string>
  /** Other words that may be subjects, some of them shortened: `it`, `c'`. */
  readonly pronouns: ReadonlySet<string>
  readonly auxiliaries: ReadonlySet<string>
  /** Short forms of words before others: `je j'ai`, `I I'm`. */
  readonly elisions: ReadonlyMap<string, string>
  /** Whether all nouns have a capital. */
  readonly capitalNouns: boolean
  /** Words of up to four letters, which are no cut-off beginning of the next word. */
  readonly short: ReadonlySet<string>
  readonly negations: ReadonlySet<string>
  /** Number words, including those that are also articles. */
  readonly numbers: ReadonlySet<string>
}

type Source = {
  readonly [part in 'common' | 'fillers' | 'stuttered' | 'negations' | 'numbers']: string
} & {
  readonly [part in
    | 'looseFillers'
    | 'answers'
    | 'hedges'
    | 'markers'
    | 'asides'
    | 'leads'
    | 'edits'
    | 'binding'
    | 'emphatic'
    | 'refrains'
    | 'articles'
    | 'determiners'
    | 'prepositions'
    | 'dangling'
    | 'openers'
    | 'bareAuxiliaries'
    | 'subjects'
    | 'pronouns'
    | 'auxiliaries'
    | 'elisions'
    | 'short']?: string
} & {
  readonly looks: RegExp
  readonly emphaticEnding?: RegExp
  readonly doublesAreSlips?: boolean
  readonly capitalNouns?: boolean
  readonly doubles?: readonly DoubleSource[]
  readonly slips?: readonly DoubleSource[]
  readonly swaps?: readonly SwapSource[]
}

interface SwapSource {
  readonly words: string
  readonly by: string
  readonly notAfter?: string
  readonly notSince?: string
  readonly unbroken?: boolean
}

interface DoubleSource {
  readonly words: string
  readonly after?: string
  readonly before?: string
  readonly beforeEnding?: RegExp
  readonly since?: string
  readonly notSince?: string
  readonly clauses?: boolean
  readonly unbroken?: boolean
}

/** Lists of words are separated by spaces, lists of phrases by commas. */
export function defineLanguage(name: string, source: Source): Language {
  return {
    name,
    looks: source.looks,
    common: toSet(source.common),
    fillers: toSet(source.fillers),
    looseFillers: toSet(source.looseFillers),
    answers: toSet(source.answers),
    hedges: toPhrases(source.hedges),
    markers: toPhrases(source.markers),
    asides: toPhrases(source.asides),
    leads: toPhrases(source.leads),
    edits: toPhrases(source.edits),
    binding: toSet(source.binding),
    stuttered: toSet(source.stuttered),
    doublesAreSlips: source.doublesAreSlips ?? true,
    emphatic: toSet(source.emphatic),
    refrains: toPhrases(source.refrains),
    emphaticEnding: source.emphaticEnding ?? /^$/,
    doubles: (source.doubles ?? []).map(toDouble),
    slips: (source.slips ?? []).map(toDouble),
    articles: toSet(source.articles),
    determiners: toSet(source.determiners),
    prepositions: toSet(source.prepositions),
    dangling: toSet(source.dangling),
    swaps: (source.swaps ?? []).map(toSwap),
    openers: toSet(source.openers),
    bareAuxiliaries: toSet(source.bareAuxiliaries),
    subjects: toSet(source.subjects),
    pronouns: toSet(source.pronouns),
    auxiliaries: toSet(source.auxiliaries),
    elisions: new Map(toPhrases(source.elisions).map(([whole, short]) => [whole!, short!])),
    capitalNouns: source.capitalNouns ?? false,
    short: toSet(source.short),
    negations: toSet(source.negations),
    numbers: toSet(source.numbers),
  }
}

function toSet(text = ''): Set<string> {
  return new Set(
    text
      .normalize('NFKC')
      .split(/\s+/)
      .filter((word) => word !== ''),
  )
}

function toPhrases(text = ''): Phrase[] {
  return text === ''
    ? []
    : text
        .normalize('NFKC')
        .split(',')
        .map((phrase) => phrase.trim().split(/\s+/))
}

function toDouble({ words, after, before, since, notSince, ...rest }: DoubleSource): Double {
  return {
    ...rest,
    words: toSet(words),
    ...(after !== undefined && { after: toSet(after) }),
    ...(before !== undefined && { before: toSet(before) }),
    ...(since !== undefined && { since: toSet(since) }),
    ...(notSince !== undefined && { notSince: toSet(notSince) }),
  }
}

function toSwap({ words, by, notAfter, notSince, ...rest }: SwapSource): Swap {
  return {
    ...rest,
    words: toSet(words),
    by: toSet(by),
    ...(notAfter !== undefined && { notAfter: toSet(notAfter) }),
    ...(notSince !== undefined && { notSince: toSet(notSince) }),
  }
}
