import { type Score, toScore } from './score.ts'

export interface SegmentCounts {
  readonly truePositives: number
  readonly falsePositives: number
  readonly falseNegatives: number
}

interface Page {
  readonly with: readonly string[]
  readonly without: readonly string[]
  readonly found: string
}

/** The metric of trafilatura's evaluation: wanted and unwanted segments, counted over all pages. */
export function scoreSegments(pages: readonly Page[]): Score {
  let [right, wrong, missed] = [0, 0, 0]
  for (const page of pages) {
    const { truePositives, falsePositives, falseNegatives } = countSegments(page)
    right += truePositives
    wrong += falsePositives
    missed += falseNegatives
  }
  return toScore(right / Math.max(1, right + wrong), right / Math.max(1, right + missed))
}

export function countSegments(page: Page): SegmentCounts {
  const found = fold(page.found)
  const isFound = (segment: string) => found.includes(fold(segment))
  const truePositives = page.with.filter(isFound).length
  const falsePositives = page.without.filter(isFound).length
  return { truePositives, falsePositives, falseNegatives: page.with.length - truePositives }
}

function fold(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
