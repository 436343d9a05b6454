import { isProtected } from '../rules/is-protected.ts'
import { isCommonWord } from '../rules/languages.ts'
import type { Passage, Word } from '../words.ts'
import type { Fate } from './find-repeat-fates.ts'

/** What a model may set between words, and take away. A colon makes a speaker, and brackets make a remark: they are not. */
const free = /[\s.,;!?…"“”„‟'‘’‚‛«»‹›¿¡—–‐‑\-。，、；！？「」『』]/gu

const maxMarks = 6

interface Alignment {
  /** Where each word of the answer was said. */
  readonly places: readonly number[]
  readonly fates: readonly Fate[]
}

/** The words that were said, as the model sets them; undefined if it sets signs that were not there, or drops some. */
export function mergePassages(said: Passage, written: Passage, { places, fates }: Alignment): Passage | undefined {
  const words: Word[] = []
  let lead = said.lead
  // The stretch before the first word of the answer, then one from each word to the next.
  for (let index = -1; index < places.length; index++) {
    const gap = index === -1 ? written.lead : written.words[index]!.gap
    const from = index === -1 ? 0 : places[index]!
    const stretch = said.words.slice(from, places[index + 1] ?? said.words.length)
    const opening = index === -1 ? said.lead : ''
    const spoken = opening + stretch.map((word) => word.gap).join('')
    if (!isSoundGap(gap, spoken)) return undefined
    const kept = stretch.filter((_, offset) => fates[from + offset] === 'kept' || fates[from + offset] === 'restored')
    const isWhole = kept.length === (index === -1 ? 0 : 1)
    if (!isWhole && toSigns(spoken) !== '') return undefined
    const shown = kept.map((word, offset): Word => {
      // What is put back before the first word of the answer comes as it was said.
      const isLast = index >= 0 && offset === kept.length - 1
      const text = index >= 0 && offset === 0 ? toSpelling(word, written.words[index]!.text) : word.text
      return { ...word, text, gap: isLast ? toLastGap(gap, kept) : toGap(word.gap) || ' ' }
    })
    if (index === -1 && isWhole) lead = toGap(gap)
    words.push(...shown)
  }
  return { lead, words }
}

/** The model's gap, unless it is the one that stood before what is put back. */
function toLastGap(gap: string, kept: readonly Word[]): string {
  const [first, last] = [kept[0]!, kept.at(-1)!]
  return first !== last && gap.trim() === first.gap.trim() ? toGap(last.gap) : toGap(gap)
}

/** A model may set capitals, and take them from words that only began a sentence. */
function toSpelling(word: Word, written: string): string {
  if (written.toLowerCase() !== word.text.toLowerCase()) return word.text
  if (isProtected(word) && /\p{Lu}/u.test(word.text)) return word.text
  const isLowered = /^\p{Lu}/u.test(word.text) && !/^\p{Lu}/u.test(written)
  return isLowered && !isCommonWord(word.key) ? word.text : written
}

/** What stands between words and is more than punctuation. */
function toSigns(gap: string): string {
  return gap.replace(free, '')
}

/** Whether a model's gap has the signs of what stood there, all of them and no others, and not too many marks. */
function isSoundGap(written: string, said: string): boolean {
  return toSigns(written) === toSigns(said) && written.replace(/\s/g, '').length <= toSigns(said).length + maxMarks
}

/** A model's gap on one line: a line of its own could look like another speaker. */
function toGap(written: string): string {
  return written.replace(/\s+/g, ' ')
}
