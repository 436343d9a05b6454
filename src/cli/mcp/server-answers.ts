import { type Options, UsageError } from '../options/command.ts'

/** Decisions about the tools of a server, for its config entry. */
export interface ServerAnswers {
  readonly withoutOutputSchema?: 'opaque' | 'refuse'
  readonly approval?: 'reads' | 'ask' | 'never'
}

export const approvalWords = {
  reads: 'Calls that look like reads run, all others ask.',
  ask: 'Every call asks.',
  never: 'No call asks.',
} as const

const schemaWords = { opaque: true, refuse: true } as const

/** Decisions from the options of `add`, `import` and `adopt`, if any. */
export function toAnswers({ approval, 'without-schema': withoutOutputSchema }: Options): ServerAnswers {
  return {
    ...(withoutOutputSchema !== undefined && {
      withoutOutputSchema: choose('--without-schema', withoutOutputSchema, schemaWords),
    }),
    ...(approval !== undefined && { approval: choose('--approval', approval, approvalWords) }),
  }
}

function choose<Word extends string>(option: string, word: string, words: { readonly [word in Word]: unknown }): Word {
  if (Object.hasOwn(words, word)) return word as Word
  throw new UsageError(`${option} cannot be '${word}'.`, `Use ${Object.keys(words).join(', ')}.`)
}
