import type { Block } from '../../../tool-parts/html/to-blocks.ts'
import { closest, type Element } from '../../../tool-parts/html/tree.ts'
import { nowhere } from './class-hints.ts'
import { hasLineHint } from './line-hints.ts'
import type { Line, MeasuredPage } from './measure-page.ts'

/** Selects the content blocks by their scores, smoothed over lists and similar markup. */
export function chooseBlocks(measured: MeasuredPage, scores: readonly number[]): Block[] {
  const { lines } = measured
  let chances = smooth(lines, scores, toMarkup, likeness)
  chances = smooth(lines, chances, toList, 1)
  for (const isKind of boilerplate) chances = demote(lines, chances, (line) => isKind(line, measured))
  const bar = Math.min(even, nearly * chances.reduce((most, chance) => Math.max(most, chance), 0))
  const chosen = chances.map((chance) => chance >= bar)
  return lines
    .filter((_, at) => chosen[at] && (bar < even || chances[at]! >= certain || hasCompany(chosen, at)))
    .map(({ block }) => block)
}

const even = 0.45
/** If no block reaches `even`, the threshold is this share of the best score, so that a page is never empty. */
const nearly = 0.6
/** Weight of the mean score of blocks with the same markup. */
const likeness = 0.3
/** Minimum score of an isolated block. */
const certain = 0.7
const company = 4
/** Minimum size of a text, in characters. */
const enough = 200

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

/** Halves the score of matching blocks, unless they are all the content there is. */
function demote(lines: readonly Line[], chances: number[], isOfKind: (line: Line) => boolean): number[] {
  const kinds = lines.map(isOfKind)
  let outside = 0
  lines.forEach(({ size }, at) => {
    if (chances[at]! >= even && !kinds[at]) outside += size
  })
  return outside < enough ? chances : chances.map((chance, at) => (kinds[at] ? chance / 2 : chance))
}

/** Kinds of blocks next to or inside the content that are not part of it. */
const boilerplate: readonly ((line: Line, measured: MeasuredPage) => boolean)[] = [
  function isComment({ block: { element } }, { distanceTo }) {
    return distanceTo('comments', element) < nowhere
  },
  function isCaption({ block: { element } }, { distanceTo }) {
    return distanceTo('caption', element) <= 1 || isInTag(element, 'figcaption')
  },
  function isAside({ block: { element } }) {
    return isInTag(element, 'aside') || isInTag(element, 'footer')
  },
  function isAboutAuthor({ block: { element } }, { distanceTo }) {
    return distanceTo('author', element) <= 1
  },
  function isNotice(line) {
    return (
      (line.size < 200 && hasLineHint(line, 'promotion')) ||
      (line.size < 100 && (hasLineHint(line, 'related') || hasLineHint(line, 'credit')))
    )
  },
]

function isInTag(element: Element, tag: string): boolean {
  return closest(element, (around) => around.tag === tag) !== undefined
}

function hasCompany(chosen: readonly boolean[], at: number): boolean {
  for (let other = at - company; other <= at + company; other++) if (other !== at && chosen[other]) return true
  return false
}
