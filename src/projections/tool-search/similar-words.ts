import { nearest } from '../../contract/text/nearest.ts'

const maxLength = 40
const maxForms = 8
/** Among words that share trigrams with a misspelled one. */
const maxCompared = 40

/** A vocabulary indexed by trigrams, to find similar words. */
export class SimilarWords {
  readonly #byTrigram = new Map<string, string[]>()

  add(word: string): void {
    if (word.length > maxLength) return
    for (const trigram of toTrigrams(word)) {
      const words = this.#byTrigram.get(trigram)
      if (words) words.push(word)
      else this.#byTrigram.set(trigram, [word])
    }
  }

  /** Short and long forms of a word: `repo` and `repository`, in either direction. */
  findForms(word: string): string[] {
    if (word.length < 3 || word.length > maxLength) return []
    const candidates = this.#byTrigram.get(`^${word.slice(0, 2)}`) ?? []
    const forms: string[] = []
    for (const other of candidates) {
      if (isForm(word, other)) forms.push(other)
      if (forms.length === maxForms) break
    }
    return forms
  }

  /** The most likely correction of a misspelled word. */
  findMeant(word: string): string | undefined {
    if (word.length < 4 || word.length > maxLength) return undefined
    const shared = new Map<string, number>()
    for (const trigram of toTrigrams(word))
      for (const other of this.#byTrigram.get(trigram) ?? [])
        if (Math.abs(other.length - word.length) <= 2) shared.set(other, (shared.get(other) ?? 0) + 1)
    const closest = [...shared].sort(([a, more], [b, less]) => less - more || (a < b ? -1 : 1)).slice(0, maxCompared)
    return nearest(
      word,
      closest.map(([other]) => other),
    )
  }
}

function isForm(word: string, other: string): boolean {
  const [short, long] = word.length < other.length ? [word, other] : [other, word]
  return short.length >= 3 && long.length >= short.length + 3 && long.startsWith(short)
}

/** Unique trigrams of the word between start and end markers. */
function toTrigrams(word: string): Set<string> {
  const marked = `^${word}$`
  const trigrams = new Set<string>()
  for (let at = 0; at + 3 <= marked.length; at++) trigrams.add(marked.slice(at, at + 3))
  return trigrams
}
