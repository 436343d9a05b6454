import { isProtected } from '../rules/is-protected.ts'
import { isCommonWord } from '../rules/languages.ts'
import type { Passage, Word } from '../words.ts'
import type { WordStatus } from './mark-repeats.ts'

/** Punctuation that a model may add and remove. Not colons (they mark speakers) and not brackets (they mark remarks). */
const free = /[\s.,;!?…"“”„‟'‘’‚‛«»‹›¿¡—–‐‑\-。，、；！？「」『』]/gu

const maxMarks = 6

interface Alignment {
  /** For each word of the answer, its index in the original. */
  readonly places: readonly number[]
  readonly statuses: readonly WordStatus[]
}

/**
 * The original words with the capitals and punctuation of the model. Undefined if the model added or dropped signs other
 * than punctuation.
 */
export function mergePassages(said: Passage, written: Passage, { places, statuses }: Alignment): Passage | undefined {
  const words: Word[] = []
  let lead = said.lead
  // -1 is the stretch before the first word of the answer; then one stretch from each word to the next.
  for (let index = -1; index < places.length; index++) {
    const gap = index === -1 ? written.lead : written.words[index]!.gap
    const from = index === -1 ? 0 : places[index]!
    const stretch = said.words.slice(from, places[index + 1] ?? said.words.length)
    const opening = index === -1 ? said.lead : ''
    const spoken = opening + stretch.map((word) => word.gap).join('')
    if (!isSoundGap(gap, spoken)) return undefined
    const kept = stretch.filter(
      (_, offset) => statuses[from + offset] === 'kept' || statuses[from + offset] === 'restored',
    )
    const isWhole = kept.length === (index === -1 ? 0 : 1)
    if (!isWhole && toSigns(spoken) !== '') return undefined
    const shown = kept.map((word, offset): Word => {
      // Words restored before the first word of the answer keep their original form.
      const isLast = index >= 0 && offset === kept.length - 1
      const text = index >= 0 && offset === 0 ? toSpelling(word, written.words[index]!.text) : word.text
      return { ...word, text, gap: isLast ? toLastGap(gap, kept) : toGap(word.gap) || ' ' }
    })
    if (index === -1 && isWhole) lead = toGap(gap)
    words.push(...shown)
  }
  return { lead, words }
}

/** The model's gap, unless it is the gap before the restored words. */
function toLastGap(gap: string, kept: readonly Word[]): string {
  const [first, last] = [kept[0]!, kept.at(-1)!]
  return first !== last && gap.trim() === first.gap.trim() ? toGap(last.gap) : toGap(gap)
}

/** A model may add capitals, and remove them from common words at the start of a sentence. */
function toSpelling(word: Word, written: string): string {
  if (written.toLowerCase() !== word.text.toLowerCase()) return word.text
  if (isProtected(word) && /\p{Lu}/u.test(word.text)) return word.text
  const isLowered = /^\p{Lu}/u.test(word.text) && !/^\p{Lu}/u.test(written)
  return isLowered && !isCommonWord(word.key) ? word.text : written
}

/** The characters of a gap that are not plain punctuation. */
function toSigns(gap: string): string {
  return gap.replace(free, '')
}

/** Whether a model's gap keeps exactly the signs of the original and adds only a little punctuation. */
function isSoundGap(written: string, said: string): boolean {
  return toSigns(written) === toSigns(said) && written.replace(/\s/g, '').length <= toSigns(said).length + maxMarks
}

/** Folds line breaks into spaces: a new line could look like a new speaker. */
function toGap(written: string): string {
  return written.replace(/\s+/g, ' ')
}
