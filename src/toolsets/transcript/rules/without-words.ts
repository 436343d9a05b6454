import { type Passage, toPassage, toText, type Word } from '../words.ts'

type Test = (word: Word, index: number) => boolean

/** A passage without some of its words, with the punctuation mended where they stood. */
export function withoutWords({ lead, words }: Passage, isOut: Test, isAgain: Test): Passage {
  let opening = lead
  let capital = false
  const kept: { text: string; gap: string }[] = []
  for (const [index, word] of words.entries()) {
    if (!isOut(word, index)) {
      kept.push({ text: capital ? toCapital(word.text) : word.text, gap: word.gap })
      capital = false
      continue
    }
    capital ||= word.first && /^\p{Lu}/u.test(word.text)
    const last = kept.at(-1)
    if (last) last.gap = joinGaps(last.gap, word.gap, isAgain(word, index))
    else opening = `${opening}${word.gap.replace(/^[\s,.;…!?。！？，、；–—-]+/, '')}`
  }
  // Which words begin a sentence has changed.
  return toPassage(toText({ lead: opening, words: kept as Word[] }))
}

/** What goes between two words when the one between them is gone. Quotes, brackets and signs stay whatever happens. */
function joinGaps(before: string, after: string, isAgain: boolean): string {
  if (/[^\s,;.!?…。！？，、；–—-]/.test(before + after)) return `${before}${after}`.replace(/\s+/g, ' ')
  if (isAgain) return after
  const ends = /[.!?…。！？]/
  if (ends.test(before)) return before
  if (ends.test(after)) return after
  // A pair of commas set the word off.
  const isSetOff = before.trim() !== '' && after.trim() !== ''
  if (!isSetOff && before.trim() !== '') return before
  return before === '' && after === '' ? '' : ' '
}

function toCapital(text: string): string {
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
}
