import type { Line } from '../../src/toolsets/web/extract/measure-page.ts'
import type { ArticlePage, SegmentsPage } from './read-sets.ts'

/** The annotation of a block: whether it is content, and its weight. Undefined: not annotated. */
export type Label = { readonly isText: boolean; readonly weight: number } | undefined

/** Articles are fully annotated: a block is content if most of it is in the article. All articles have equal weight. */
export function labelByArticle(lines: readonly Line[], { articleBody }: Pick<ArticlePage, 'articleBody'>): Label[] {
  const shingles = new Set(toShingles(articleBody))
  const paragraphs = new Set(articleBody.split('\n').map(toKey))
  const whole = toKey(articleBody)
  const labels = lines.map(({ block }): Label => {
    const own = toShingles(block.text)
    const words = own.length + 3
    const weight = Math.min(2, 0.15 + words / 20)
    if (own.length < 2) {
      const key = toKey(block.text)
      if (paragraphs.has(key) || (key.length > 12 && whole.includes(key))) return { isText: true, weight }
      return whole.includes(key) ? undefined : { isText: false, weight }
    }
    const share = own.filter((shingle) => shingles.has(shingle)).length / own.length
    return share >= 0.6 || share <= 0.3 ? { isText: share >= 0.6, weight } : undefined
  })
  const sum = labels.reduce((total, label) => total + (label?.weight ?? 0), 0)
  return labels.map((label) => label && { ...label, weight: (label.weight * perArticle) / sum })
}

/** About six times the weight of a page with segments. */
const perArticle = 20

/** Other pages have only a few annotated segments. A short unwanted segment may occur in a long block by chance. */
export function labelBySegments(lines: readonly Line[], page: Pick<SegmentsPage, 'with' | 'without'>): Label[] {
  const texts = lines.map(({ block }) => fold(block.text))
  const wanted = new Float64Array(lines.length)
  const unwanted = new Float64Array(lines.length)
  for (const piece of page.with.map(fold)) {
    const found = texts.flatMap((text, at) => (text.includes(piece) ? [at] : []))
    const longest = found.reduce((best, at) => (best < 0 || texts[at]!.length > texts[best]!.length ? at : best), -1)
    if (longest >= 0) wanted[longest]! += found.length > 1 && piece.length < 30 ? 0.4 : 1
  }
  for (const piece of page.without.map(fold)) {
    texts.forEach((text, at) => {
      if (text.includes(piece) && (text.length <= 150 || piece.length >= text.length / 4)) unwanted[at]! += 1
    })
  }
  return texts.map((_, at) => {
    if (wanted[at]! > unwanted[at]!) return { isText: true, weight: wanted[at]! - unwanted[at]! }
    return wanted[at] === 0 && unwanted[at]! > 0 ? { isText: false, weight: Math.min(2, unwanted[at]!) } : undefined
  })
}

function toShingles(text: string): string[] {
  const words = text.match(/[\p{L}\p{N}_]+/gu) ?? []
  return words.slice(3).map((_, at) => words.slice(at, at + 4).join(' '))
}

function toKey(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

function fold(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
