import type { Block } from '../../../tool-parts/html/to-blocks.ts'
import { closest, type Element } from '../../../tool-parts/html/tree.ts'
import { nowhere } from './class-hints.ts'
import type { PageFeatures } from './describe-page.ts'
import { hasLineHint } from './line-hints.ts'
import type { Line, MeasuredPage } from './measure-page.ts'

export interface Choice {
  readonly blocks: Block[]
  /** So little looked like content that doubtful blocks were taken as well. */
  readonly isMore: boolean
}

/** Selects the content blocks by their scores, smoothed over lists and similar markup. */
export function chooseBlocks(measured: MeasuredPage, scores: readonly number[]): Choice {
  const { lines, described } = measured
  let chances = smooth(lines, scores, toMarkup, likeness)
  chances = smooth(lines, chances, toList, 1)
  const kind = toPageKind(described)
  for (const part of boilerplate) if (part.toFactor(kind) < 1) chances = demote(measured, chances, part, kind)
  const most = chances.reduce((best, chance) => Math.max(best, chance), 0)
  const usual = Math.max(lowest, Math.min(highest, findThreshold(lines, chances)))
  const { bar: enoughBar, isMore } = takeEnough(lines, chances, usual)
  const bar = Math.min(enoughBar, nearly * most)
  const isProsePage = described.proseShare! > 0.8
  const chosen = chances.map(
    // Between paragraphs, a line of links is a menu unless the model is certain.
    (chance, at) => chance >= bar && (scores[at]! >= certain || !isProsePage || lines[at]!.linkShare < 0.8 || isMore),
  )
  const isKept = (at: number) => bar < enoughBar || chances[at]! >= certain || hasCompany(chosen, at)
  const kept = lines.filter((_, at) => chosen[at] && isKept(at))
  // An isolated block is better than an empty page.
  const taken = kept.length > 0 ? kept : lines.filter((_, at) => chosen[at])
  return { isMore, blocks: taken.map(({ block }) => block) }
}

/** The bounds of the threshold. */
const lowest = 0.25
const highest = 0.5
/** If no block reaches the threshold, it is this share of the best score, so that a page is never empty. */
const nearly = 0.6
/** Weight of the mean score of blocks with the same markup. */
const likeness = 0.3
/** Minimum score of an isolated block. */
const certain = 0.7
const company = 4
/** A score for which other text counts as content. */
const even = 0.45
/** Minimum size of a text, in characters. */
const enough = 200

/** The threshold with the best expected F1: lower on pages of which the model is unsure. */
function findThreshold(lines: readonly Line[], chances: readonly number[]): number {
  const order = chances.map((_, at) => at).sort((a, b) => chances[b]! - chances[a]!)
  const words = (at: number) => lines[at]!.counts.words
  const expected = chances.reduce((sum, chance, at) => sum + chance * words(at), 0)
  let [right, taken, best, threshold] = [0, 0, 0, highest]
  for (const at of order) {
    right += chances[at]! * words(at)
    taken += words(at)
    const f1 = (2 * right) / (taken + expected)
    if (f1 <= best) continue
    best = f1
    threshold = chances[at]!
  }
  return threshold
}

/** Lowers the threshold while what it leaves is tiny compared with the page. */
function takeEnough(lines: readonly Line[], chances: readonly number[], usual: number) {
  const all = lines.reduce((sum, { size }) => sum + size, 0)
  const least = Math.min(maxTiny, tinyShare * all)
  const sizeAt = (bar: number) => lines.reduce((sum, { size }, at) => (chances[at]! >= bar ? sum + size : sum), 0)
  let bar = usual
  while (bar > doubtful && sizeAt(bar) < least) bar -= 0.05
  return { bar, isMore: bar < usual && sizeAt(bar) > sizeAt(usual) }
}

const maxTiny = 600
const tinyShare = 0.1
const doubtful = 0.15

/** Moves each score towards the size-weighted mean of its group. Blocks without a group keep their score. */
function smooth(
  lines: readonly Line[],
  chances: readonly number[],
  toGroup: (block: Block) => Element | string | undefined,
  strength: number,
): number[] {
  const groups = new Map<Element | string, { sum: number; size: number }>()
  const own = lines.map(({ block, size }, at) => {
    const name = toGroup(block)
    if (name === undefined) return undefined
    const group = groups.get(name) ?? { sum: 0, size: 0 }
    group.sum += chances[at]! * size
    group.size += size
    groups.set(name, group)
    return group
  })
  return chances.map((chance, at) => {
    const group = own[at]
    return group ? chance + strength * (group.sum / group.size - chance) : chance
  })
}

/** Groups the items of a list and the rows of a table. */
function toList({ kind, element }: Block): Element | undefined {
  return kind === 'item' || kind === 'row' ? (element.parent ?? undefined) : undefined
}

/** Groups blocks with the same markup, such as posts of a thread. Digits in class names are ignored. */
function toMarkup({ element }: Block): string {
  let markup = ''
  for (let at: Element | null = element, level = 0; at && level < 4; at = at.parent, level++)
    markup += `>${at.tag}.${(at.attributes.class ?? '').slice(0, 200).replace(/\d+/g, '')}`
  return markup
}

/** Lowers the score of matching blocks, unless they are all the content there is. */
function demote(measured: MeasuredPage, chances: number[], part: Boilerplate, kind: PageKind): number[] {
  const { lines } = measured
  const isPart = lines.map((line) => part.isOfKind(line, measured))
  let outside = 0
  lines.forEach(({ size }, at) => {
    if (chances[at]! >= (part.leastOutside ?? even) && !isPart[at]) outside += size
  })
  if (outside < enough) return chances
  return chances.map((chance, at) => (isPart[at] ? chance * part.toFactor(kind) : chance))
}

type PageKind = 'article' | 'forum' | 'other'

/** By what the page and its address say. */
function toPageKind(page: PageFeatures): PageKind {
  if (page['place:forum'] || page['type:forum'] || page.isForumSoftware) return 'forum'
  return page.ogArticle || page['type:article'] || page['place:article'] || page.isDatedPath ? 'article' : 'other'
}

interface Boilerplate {
  /** Of the score, on a page of this kind. */
  toFactor(kind: PageKind): number
  /** From which score on other text counts as content. */
  readonly leastOutside?: number
  isOfKind(line: Line, measured: MeasuredPage): boolean
}

const inArticles = (kind: PageKind) => (kind === 'article' ? 0.5 : 1)

/** Kinds of blocks next to or inside the content that are not part of it. */
const boilerplate: readonly Boilerplate[] = [
  {
    // What visitors are asked to agree to
    toFactor: () => 0.1,
    leastOutside: 0,
    isOfKind: ({ block: { element } }, { distanceTo }) => distanceTo('consent', element) < nowhere,
  },
  {
    // Comments, however long. On a forum they are the content.
    toFactor: (kind) => ({ article: 0.2, forum: 1, other: 0.5 })[kind],
    isOfKind: ({ block: { element } }, { distanceTo }) => distanceTo('comments', element) < nowhere,
  },
  {
    // Captions
    toFactor: inArticles,
    isOfKind: ({ block: { element } }, { distanceTo }) =>
      distanceTo('caption', element) <= 1 || isInTag(element, 'figcaption'),
  },
  {
    toFactor: inArticles,
    isOfKind: ({ block: { element } }) => isInTag(element, 'aside') || isInTag(element, 'footer'),
  },
  {
    // About the author
    toFactor: inArticles,
    isOfKind: ({ block: { element } }, { distanceTo }) => distanceTo('author', element) <= 1,
  },
  {
    toFactor: inArticles,
    isOfKind: (line) =>
      (line.size < 200 && hasLineHint(line, 'promotion')) ||
      (line.size < 100 && (hasLineHint(line, 'related') || hasLineHint(line, 'credit'))),
  },
]

function isInTag(element: Element, tag: string): boolean {
  return closest(element, (around) => around.tag === tag) !== undefined
}

function hasCompany(chosen: readonly boolean[], at: number): boolean {
  for (let other = at - company; other <= at + company; other++) if (other !== at && chosen[other]) return true
  return false
}
