import { type Block, type BlockOptions, toBlocks } from '../../../tool-parts/html/to-blocks.ts'
import type { Element, Page } from '../../../tool-parts/html/tree.ts'
import { type DistanceTo, nowhere, toDistanceTo } from './class-hints.ts'
import { type CharacterCounts, countCharacters } from './count-characters.ts'
import { describePage, type PageFeatures } from './describe-page.ts'
import { findRecords, type Records } from './find-records.ts'
import { findLineHints, hasLineHint } from './line-hints.ts'

/** Measurements of a block's text, independent of its position. */
export interface Line {
  readonly block: Block
  /** In characters. Chinese, Japanese and Korean characters count twice. */
  readonly size: number
  readonly counts: CharacterCounts
  /** 0 to 1. */
  readonly linkShare: number
  /** See `hasLineHint`. */
  readonly hints: number
  /** Long enough and with few enough links to be prose. */
  readonly isProse: boolean
  /** Letters and digits of the beginning, for comparing texts. */
  readonly key: string
}

/** Sums over all blocks inside an element. */
interface Sums {
  readonly size: Float64Array
  readonly linked: Float64Array
  readonly blocks: Float64Array
  readonly prose: Float64Array
}

export interface MeasuredPage {
  readonly page: Page
  readonly lines: readonly Line[]
  readonly sums: Sums
  readonly distanceTo: DistanceTo
  /** The element that most likely contains the content. */
  readonly best: Element
  /** Keys of the title and description of the page. */
  readonly titles: readonly string[]
  readonly description: string
  /** The list that each line belongs to. */
  readonly records: readonly (Records | undefined)[]
  readonly described: PageFeatures
}

export interface Viewing extends BlockOptions {
  /** The address of the page. */
  readonly url?: string
}

export function measurePage(page: Page, { url = '', ...view }: Viewing = {}): MeasuredPage {
  const lines = toBlocks(page, view).map(toLine)
  const sums = toSums(page, lines)
  const distanceTo = toDistanceTo(page)
  return {
    page,
    lines,
    sums,
    distanceTo,
    best: findBest(page, lines, sums, distanceTo),
    ...readHead(page),
    records: findRecords(page, lines, toMarks),
    described: describePage(page, lines, url),
  }
}

function toLine(block: Block): Line {
  const { text, linked } = block
  const dense = text.length > 0 && /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(text)
  const size = dense ? text.length * 2 : text.length
  const linkShare = linked / text.length
  const isProse = size >= minProse && linkShare < 0.4 && block.kind !== 'heading'
  const key = toKey(text.slice(0, 100))
  return { block, size, counts: countCharacters(text), linkShare, hints: findLineHints(text), isProse, key }
}

function toMarks(line: Line) {
  return { price: hasLineHint(line, 'price'), date: line.size < 120 && (hasLineHint(line, 'ago') || hasDate(line)) }
}

export function hasDate({ size, block }: Line): boolean {
  return size < 120 && /\b(?:19|20)\d\d\b|\b\d{1,2}[./]\s?\d{1,2}[./]/.test(block.text)
}

/** Roughly one sentence. */
const minProse = 80

/** Joins matches instead of using replace(), which would retain the whole text through a cons string. */
function toKey(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join('')
}

function toSums(page: Page, lines: readonly Line[]): Sums {
  const make = () => new Float64Array(page.elements.length)
  const sums: Sums = { size: make(), linked: make(), blocks: make(), prose: make() }
  for (const { block, size, linkShare, isProse } of lines) {
    const at = block.element.index
    sums.size[at]! += size
    sums.linked[at]! += size * linkShare
    sums.blocks[at]! += 1
    if (isProse) sums.prose[at]! += size
  }
  // Children come after their parents, so in reverse order each sum is complete when it is added to the parent.
  for (let at = page.elements.length - 1; at > 0; at--) {
    const to = page.elements[at]!.parent!.index
    for (const sum of [sums.size, sums.linked, sums.blocks, sums.prose]) sum[to]! += sum[at]!
  }
  return sums
}

/** Like Readability: paragraphs vote for their parents, and with less weight for higher ancestors. */
function findBest(page: Page, lines: readonly Line[], sums: Sums, distanceTo: DistanceTo): Element {
  const votes = new Float64Array(page.elements.length)
  for (const { block, size, counts, linkShare, isProse } of lines) {
    if (!isProse) continue
    const vote = (1 + Math.min(counts.commas, 10) + Math.min(size / 100, 3)) * (1 - linkShare)
    const from = paragraphTags.has(block.element.tag) ? block.element.parent : block.element
    let share = 1
    for (let at = from, level = 0; at && level < 4; at = at.parent, level++) {
      votes[at.index]! += vote * share
      share = 1 / (level + 2)
    }
  }
  let best = page.root
  let most = 0
  for (const element of page.elements) {
    const vote = votes[element.index]!
    if (vote <= 0) continue
    const { index } = element
    const hint =
      (distanceTo('body', element) === 0 || element.tag === 'article' ? 1.3 : 1) *
      (distanceTo('comments', element) < nowhere ||
      distanceTo('comment', element) < 3 ||
      distanceTo('sidebar', element) < 2 ||
      distanceTo('footer', element) < 2
        ? 0.3
        : 1)
    const score = vote * hint * (1 - sums.linked[index]! / Math.max(1, sums.size[index]!))
    if (score > most) {
      most = score
      best = element
    }
  }
  return best
}

const paragraphTags = new Set(['p', 'li', 'blockquote', 'pre', 'td', 'dd'])

function readHead(page: Page): { titles: string[]; description: string } {
  const titles: string[] = []
  let description = ''
  for (const { tag, attributes, children } of page.elements) {
    if (tag === 'title' && titles.length < 4)
      titles.push(toKey(children.filter((child) => typeof child === 'string').join('')))
    if (tag !== 'meta' || attributes.content === undefined) continue
    const name = (attributes.property ?? attributes.name ?? '').toLowerCase()
    if (name === 'og:title' || name === 'twitter:title') titles.push(toKey(attributes.content))
    else if (name.endsWith('description') && description === '') description = toKey(attributes.content)
  }
  return { titles: titles.filter((title) => title !== ''), description }
}
