import type { Line } from '../../src/toolsets/web/extract/measure-page.ts'
import type { ArticlePage, SegmentsPage, WholePage } from './read-sets.ts'
import { toWords } from './score-pages.ts'

/** What to learn from a block: how much of it is content, from 0 to 1, and its weight. Undefined: not annotated. */
export type Target = { readonly target: number; readonly weight: number } | undefined

/** Articles are fully annotated: a block is content if most of it is in the article. All articles have equal weight. */
export function labelByArticle(lines: readonly Line[], { articleBody }: Pick<ArticlePage, 'articleBody'>): Target[] {
  const shingles = new Set(toShingles(articleBody))
  const paragraphs = new Set(articleBody.split('\n').map(toKey))
  const whole = toKey(articleBody)
  const labels = lines.map(({ block }): Target => {
    const own = toShingles(block.text)
    const words = own.length + 3
    const weight = Math.min(2, 0.15 + words / 20)
    if (own.length < 2) {
      const key = toKey(block.text)
      if (paragraphs.has(key) || (key.length > 12 && whole.includes(key))) return { target: 1, weight }
      return whole.includes(key) ? undefined : { target: 0, weight }
    }
    const share = own.filter((shingle) => shingles.has(shingle)).length / own.length
    return share >= 0.6 || share <= 0.3 ? { target: Number(share >= 0.6), weight } : undefined
  })
  const sum = labels.reduce((total, label) => total + (label?.weight ?? 0), 0)
  return labels.map((label) => label && { ...label, weight: (label.weight * perArticle) / sum })
}

/** About six times the weight of a page with segments. */
const perArticle = 20

/** Other pages have only a few annotated segments. A short unwanted segment may occur in a long block by chance. */
export function labelBySegments(lines: readonly Line[], page: Pick<SegmentsPage, 'with' | 'without'>): Target[] {
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
    if (wanted[at]! > unwanted[at]!) return { target: 1, weight: wanted[at]! - unwanted[at]! }
    return wanted[at] === 0 && unwanted[at]! > 0 ? { target: 0, weight: Math.min(2, unwanted[at]!) } : undefined
  })
}

/**
 * Pages with their whole content: each block gets the share of its words that are in the content. Words of long blocks are
 * found as shingles; a short block must be where the long ones around it are, because menus repeat words of the content.
 */
export function labelByContent(lines: readonly Line[], { content }: Pick<WholePage, 'content'>): Target[] {
  const truth = toWords(content)
  if (truth.length === 0) return lines.map(() => undefined)
  const places = new Map<string, number[]>()
  truth.forEach((_, at) => {
    if (at + 4 > truth.length) return
    const shingle = truth.slice(at, at + 4).join(' ')
    const known = places.get(shingle)
    if (!known) places.set(shingle, [at])
    else if (known.length < 20) known.push(at)
  })
  const words = lines.map(({ block }) => toWords(block.text))
  const spans = words.map((own) => (own.length < 7 ? undefined : findSpan(own, places)))
  const joined = ` ${truth.join(' ')} `
  const starts: number[] = [1]
  for (const word of truth) starts.push(starts.at(-1)! + word.length + 1)

  const next: number[] = []
  let upcoming = truth.length
  for (let at = lines.length - 1; at >= 0; at--) {
    next[at] = upcoming
    const span = spans[at]
    if (span && span.share > 0.5) upcoming = span.from
  }
  let before = 0
  const seen = new Map<string, number>()
  const shares = words.map((own, at) => {
    const span = spans[at]
    if (span) {
      // Pages repeat texts for small screens, and quote earlier posts.
      const start = own.slice(0, 12).join(' ')
      const times = (seen.get(start) ?? 0) + 1
      seen.set(start, times)
      if (times > (places.get(own.slice(0, 4).join(' '))?.length ?? 0) && times > 1) return 0
      if (span.share > 0.5) before = span.to
      return span.share
    }
    if (own.length === 0) return undefined
    const sought = ` ${own.join(' ')} `
    const [from, to] = before <= next[at]! + slack ? [before - slack, next[at]! + slack] : [before - slack, before + 60]
    const near = joined.slice(
      (starts[Math.max(0, from)] ?? 1) - 1,
      (starts[Math.min(truth.length, Math.max(0, to))] ?? joined.length) + 1,
    )
    if (near.includes(sought)) return 1
    return own.length > 2 && joined.includes(sought) ? undefined : 0
  })
  const perWord = perPage / truth.length
  const raw = shares.map((share, at) => (share === undefined ? 0 : (0.5 + words[at]!.length) * perWord))
  const all = raw.reduce((sum, weight) => sum + weight, 0)
  // A page with a short text among a thousand menu items must not outweigh the others.
  const scale = all > maxPage ? maxPage / all : 1
  return shares.map((share, at) =>
    share === undefined ? undefined : { target: share, weight: Math.min(raw[at]! * scale, perPage / 4) },
  )
}

const perPage = 10
const maxPage = 40
/** In words. */
const slack = 12

/** The part of the content that a block matches, and how much of the block does. */
function findSpan(own: readonly string[], places: ReadonlyMap<string, readonly number[]>) {
  let matched = 0
  let [from, to] = [-1, -1]
  const covered = new Uint8Array(own.length)
  for (let at = 0; at + 4 <= own.length; at++) {
    const found = places.get(own.slice(at, at + 4).join(' '))
    if (!found) continue
    const place = found.find((candidate) => candidate >= to) ?? found[0]!
    if (from < 0) from = place
    to = place + 4
    for (let word = at; word < at + 4; word++) covered[word] = 1
  }
  for (const bit of covered) matched += bit
  return { share: matched / own.length, from, to }
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
