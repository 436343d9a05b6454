import type { CorpusTool } from './corpus.ts'

/** Textbook BM25: one text per tool, no stemming, k1 = 1.2, b = 0.75. */
export function createPlainBm25(tools: readonly CorpusTool[]) {
  const postings = new Map<string, Map<number, number>>()
  const lengths = tools.map(({ name, description, parameters }, place) => {
    const words = toWords(`${name} ${description} ${parameters.map((each) => `${each.name} ${each.description}`).join(' ')}`) // biome-ignore format: one line
    for (const word of words) {
      const posting = postings.get(word) ?? postings.set(word, new Map()).get(word)!
      posting.set(place, (posting.get(place) ?? 0) + 1)
    }
    return words.length
  })
  const usual = lengths.reduce((sum, length) => sum + length, 0) / lengths.length

  return (query: string, count: number): string[] => {
    const scores = new Map<number, number>()
    for (const word of new Set(toWords(query))) {
      const posting = postings.get(word)
      if (!posting) continue
      const rarity = Math.log(1 + (tools.length - posting.size + 0.5) / (posting.size + 0.5))
      for (const [place, times] of posting) {
        const gain = (times * 2.2) / (times + 1.2 * (0.25 + (0.75 * lengths[place]!) / usual))
        scores.set(place, (scores.get(place) ?? 0) + rarity * gain)
      }
    }
    return [...scores]
      .sort(([a, high], [b, low]) => low - high || a - b)
      .slice(0, count)
      .map(([place]) => tools[place]!.id)
  }
}

function toWords(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? []
}
