/** A word and the text between it and the next word. */
export interface Word {
  readonly text: string
  /** For comparisons: ignores case and apostrophe style. */
  readonly key: string
  readonly gap: string
  /** Whether it begins a sentence, judged by punctuation. */
  readonly first: boolean
}

/** A text split into words. Concatenating `lead` and each word with its gap restores the text. */
export interface Passage {
  readonly lead: string
  readonly words: readonly Word[]
}

/** A run that contains a digit is one word: `3.5`, `-5%`, `10:30`, `COVID-19`, `24/7`. */
const run =
  /(?:(?<![\p{L}\p{M}\p{N}_])[-−+]?\p{Sc}?)?[\p{L}\p{M}\p{N}_](?:[\p{L}\p{M}\p{N}_]|(?<=\p{N})[.,:](?=\p{N})|['’/–+-](?=[\p{L}\p{N}]))*(?:(?<=\p{N})(?:[%‰°]|\p{Sc})+)?/gu
const part = /[\p{L}\p{M}\p{N}_]+(?:['’][\p{L}\p{M}]+)*/gu
/** Scripts without spaces between words: each character counts as a word. */
const dense =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const characters =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{M}\p{N}_'’])+/gu

/** Fast path: most words are ASCII letters. */
const plain = /^[a-z]+$/i

export function toPassage(text: string): Passage {
  const spans: { start: number; end: number }[] = []
  for (const { 0: found, index } of text.matchAll(run)) addSpans(spans, found, index)
  const words = spans.map(({ start, end }, index): Word => {
    const before = text.slice(index === 0 ? 0 : spans[index - 1]!.end, start)
    const word = text.slice(start, end)
    const first = index === 0 || /[.!?…。！？:]|\n/.test(before)
    return { text: word, key: toKey(word), gap: text.slice(end, spans[index + 1]?.start ?? text.length), first }
  })
  return { lead: text.slice(0, spans[0]?.start ?? text.length), words }
}

export function toText({ lead, words }: Passage): string {
  return lead + words.map(({ text, gap }) => text + gap).join('')
}

function toKey(word: string): string {
  if (plain.test(word)) return word.toLowerCase()
  return word.normalize('NFKC').toLowerCase().replaceAll('’', "'").replaceAll('−', '-')
}

export function toCapital(text: string): string {
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
}

export function isNumeric(word: string): boolean {
  return /\p{N}/u.test(word)
}

function addSpans(spans: { start: number; end: number }[], found: string, at: number): void {
  if (plain.test(found) || (isNumeric(found) && !dense.test(found))) {
    spans.push({ start: at, end: at + found.length })
    return
  }
  for (const { 0: piece, index } of found.matchAll(dense.test(found) ? characters : part)) {
    spans.push({ start: at + index, end: at + index + piece.length })
  }
}
