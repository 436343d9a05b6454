import { normalize, toWords } from './to-words.ts'

/**
 * A phrase as data: words in order. `|` separates alternatives, `_` joins the words of one alternative, `*` matches any
 * ending, `$name` refers to a word list, `~3` allows up to three other words of the sentence in between, and `!` precedes
 * words that must not follow.
 * `{ all, within }` matches words in any order that are close together in one sentence.
 *
 * `'$not ~3 tell|inform* ~2 user'` finds "never, ever, inform the user".
 */
export type Phrase = string | { readonly all: readonly string[]; readonly within: number }

/** Words in any order, at most `within` words apart. */
export function inAnyOrder(within: number, ...all: string[]): Phrase {
  return { all, within }
}

export type WordLists = { readonly [name: string]: string }

/** A word of an alternative. A stem matches every word that starts with it. */
export interface Step {
  readonly word: string
  readonly isStem: boolean
}

export interface Item {
  readonly alternatives: readonly (readonly Step[])[]
  /** How many other words may precede it. */
  readonly gap: number
  /** The next word must be none of these. */
  readonly isExcluded?: boolean
}

export interface CompiledPhrase {
  readonly items: readonly Item[]
  /** In any order, at most this many words apart. Default: in order. */
  readonly within?: number
}

export function compilePhrase(phrase: Phrase, lists: WordLists): CompiledPhrase {
  if (typeof phrase !== 'string') {
    return { items: phrase.all.map((text) => toItem(text, 0, lists)), within: phrase.within }
  }
  const items: Item[] = []
  let gap = 0
  for (const text of phrase.split(' ')) {
    if (text.startsWith('~')) gap = Number(text.slice(1))
    else if (text.startsWith('!')) items.push({ ...toItem(text.slice(1), 0, lists), isExcluded: true })
    else {
      items.push(toItem(text, gap, lists))
      gap = 0
    }
  }
  return { items }
}

function toItem(text: string, gap: number, lists: WordLists): Item {
  const alternatives = text.split('|').flatMap((part) => {
    if (!part.startsWith('$')) return [toSteps(part)]
    const list = lists[part.slice(1)]
    if (list === undefined) throw new TypeError(`The phrase ${text} names the list ${part}, which does not exist.`)
    return list.split(/\s+/).map(toSteps)
  })
  return { alternatives, gap }
}

function toSteps(text: string): Step[] {
  return text.split('_').flatMap((part): Step[] => {
    const isStem = part.endsWith('*')
    if (isStem) return [{ word: normalize(part.slice(0, -1)), isStem }]
    return toWords([{ text: part, pointer: '' }]).map(({ word }) => ({ word, isStem }))
  })
}
