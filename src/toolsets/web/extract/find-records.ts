import type { Element, Page } from '../../../tool-parts/html/tree.ts'
import type { Line } from './measure-page.ts'

/** Siblings with the same markup: the entries of a list, the products of a catalogue, the posts of a thread. */
export interface Records {
  /** Siblings. */
  readonly count: number
  /** Of all of them together, in characters. */
  readonly size: number
  readonly linked: number
  readonly prose: number
  readonly blocks: number
  /** Elements with a heading, a price and a date or time. */
  readonly headings: number
  readonly prices: number
  readonly dates: number
  /** Their place among the groups of the page by size: 0 for the largest. */
  readonly rank: number
  /** Levels from the page to the parent. */
  readonly depth: number
}

/** The group of each line with the most text, by the index of the line; undefined outside of any group. */
export function findRecords(
  page: Page,
  lines: readonly Line[],
  marks: (line: Line) => LineMarks,
): (Records | undefined)[] {
  const groups = new Map<string, Writable>()
  const groupOf: (Writable | undefined)[] = new Array(page.elements.length).fill(undefined)
  const depths = new Uint16Array(page.elements.length)
  for (const element of page.elements) {
    const { parent, index } = element
    if (!parent) continue
    depths[index] = depths[parent.index]! + 1
    if (!recordTags.has(element.tag)) continue
    const name = `${parent.index} ${element.tag} ${toShape(element.attributes.class)}`
    let group = groups.get(name)
    if (!group) {
      group = {
        count: 0,
        size: 0,
        linked: 0,
        prose: 0,
        blocks: 0,
        headings: 0,
        prices: 0,
        dates: 0,
        rank: 99,
        depth: depths[parent.index]!,
      }
      groups.set(name, group)
    }
    group.count++
    groupOf[index] = group
  }
  for (const line of lines) {
    const { size, linkShare, isProse, block } = line
    const { price, date } = marks(line)
    for (let at: Element | null = block.element; at; at = at.parent) {
      const group = groupOf[at.index]
      if (!group || group.count < minCount) continue
      group.size += size
      group.linked += size * linkShare
      group.blocks++
      if (isProse) group.prose += size
      if (block.kind === 'heading') group.headings++
      if (price) group.prices++
      if (date) group.dates++
    }
  }
  const largest = [...groups.values()].filter(({ count }) => count >= minCount).sort((a, b) => b.size - a.size)
  largest.forEach((group, rank) => {
    group.rank = Math.min(99, rank)
  })
  return lines.map(({ block }) => {
    let best: Records | undefined
    for (let at: Element | null = block.element; at; at = at.parent) {
      const group = groupOf[at.index]
      if (group && group.count >= minCount && (!best || group.size > best.size * muchMore)) best = group
    }
    return best
  })
}

export interface LineMarks {
  readonly price: boolean
  readonly date: boolean
}

type Writable = { -readonly [Key in keyof Records]: Records[Key] }

const minCount = 3
/** An outer group of columns must be this much larger than the list inside. */
const muchMore = 1.2
const recordTags = new Set('article div li section tr a dd dt figure p td details fieldset ul'.split(' '))

/** Class names without digits: `post-12 odd` and `post-13 odd` have the same shape. */
function toShape(classes: string | undefined): string {
  if (classes === undefined) return ''
  return classes.slice(0, 40).replace(/\d+/g, '')
}
