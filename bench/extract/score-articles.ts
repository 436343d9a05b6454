import { type Score, toScore } from './score.ts'

/**
 * The metric of article-extraction-benchmark: texts are multisets of 4-word shingles; precision and recall of
 * each page are averaged, and F1 is that of the averages.
 */
export function scoreArticles(pages: readonly { expected: string; found: string }[]): Score {
  const scores = pages.map(scoreArticle)
  const average = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  return toScore(average(scores.map(({ precision }) => precision)), average(scores.map(({ recall }) => recall)))
}

export function scoreArticle({ expected, found }: { expected: string; found: string }): Score {
  const inExpected = countShingles(expected)
  const inFound = countShingles(found)
  let both = 0
  for (const [shingle, count] of inFound) both += Math.min(count, inExpected.get(shingle) ?? 0)
  const share = (of: Map<string, number>) => {
    const all = [...of.values()].reduce((sum, count) => sum + count, 0)
    // As in the original: an empty result for an empty page is correct.
    return all === 0 ? Number(inExpected.size === inFound.size) : both / all
  }
  return toScore(share(inFound), share(inExpected))
}

const length = 4

function countShingles(text: string): Map<string, number> {
  const words = text.match(/[\p{L}\p{N}_]+/gu) ?? []
  const counts = new Map<string, number>()
  const last = Math.max(words.length - length, words.length > 0 ? 0 : -1)
  for (let at = 0; at <= last; at++) {
    const shingle = words.slice(at, at + length).join(' ')
    counts.set(shingle, (counts.get(shingle) ?? 0) + 1)
  }
  return counts
}
