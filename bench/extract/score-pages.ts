import { type Score, toScore } from './score.ts'

/** The metric of WCXB: lower-case words as multisets, F1 of each page, and the mean over the pages. */
export function scorePages(pages: readonly { expected: string; found: string }[]): Score {
  const scores = pages.map(scorePage)
  const average = (of: (score: Score) => number) => scores.reduce((sum, score) => sum + of(score), 0) / scores.length
  return {
    precision: average(({ precision }) => precision),
    recall: average(({ recall }) => recall),
    f1: average(({ f1 }) => f1),
  }
}

export function scorePage({ expected, found }: { expected: string; found: string }): Score {
  const inExpected = toWords(expected)
  const inFound = toWords(found)
  if (inExpected.length === 0 || inFound.length === 0) {
    const score = Number(inExpected.length === inFound.length)
    return toScore(score, score)
  }
  const left = new Map<string, number>()
  for (const word of inExpected) left.set(word, (left.get(word) ?? 0) + 1)
  let both = 0
  for (const word of inFound) {
    const count = left.get(word) ?? 0
    if (count === 0) continue
    both++
    left.set(word, count - 1)
  }
  return toScore(both / inFound.length, both / inExpected.length)
}

export function toWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
}
