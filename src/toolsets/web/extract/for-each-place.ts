import type { Element } from '../../../tool-parts/html/tree.ts'
import { hasLineHint } from './line-hints.ts'
import type { Line, MeasuredPage } from './measure-page.ts'

/** The position of a block on its page. */
export interface PlaceOnPage {
  /** Bit set: which of `aroundTags` the element or its ancestors have. */
  readonly inside: number
  readonly depth: number
  /** Levels from the best element up to the common ancestor; 0 inside the best element. */
  readonly stepsToBest: number
  readonly levelsBelowBest: number
  /** -1 before the best element, 0 inside, 1 after. */
  readonly afterBest: number
  /** Blocks with the same markup (tag and class of the element and its parent): share of the page, mean size, count. */
  readonly likeShare: number
  readonly likeMeanSize: number
  readonly likeCount: number
  readonly likeLinkShare: number
  /** How often its text occurs on the page. */
  readonly repeats: number
  /** How often it occurred before. */
  readonly earlier: number
  /** 0 at the top, 1 at the end, measured in characters. */
  readonly position: number
  /** Share of the page's prose before and after it. */
  readonly proseBefore: number
  readonly proseAfter: number
  /** Prose before and after it within its parent and grandparent, in characters. */
  readonly parentProseBefore: number
  readonly parentProseAfter: number
  readonly grandparentProseBefore: number
  readonly grandparentProseAfter: number
  /** Levels up to an ancestor that contains the page title. */
  readonly stepsToTitle: number
  /** Blocks since the last heading with the page title; negative before it. */
  readonly blocksSinceTitle: number
  readonly blocksToProse: number
  readonly blocksSinceProse: number
  /** Blocks since the last line with this hint. */
  readonly sinceRelated: number
  readonly sinceComment: number
  readonly sinceShare: number
  readonly sinceHeading: number
}

const far = 99

/** Reuses one `Place` object: it is valid only during the callback. */
export function forEachPlace(measured: MeasuredPage, use: (place: PlaceOnPage, at: number) => void): void {
  const { lines, page, best, sums } = measured
  const insides = toInsides(page.elements)
  const depths = toDepths(page.elements)
  const bestPath = pathOf(best)
  const groups = toGroups(lines)
  const keys = new Map<string, number>()
  for (const { key } of lines) keys.set(key, (keys.get(key) ?? 0) + 1)
  const seen = new Map<string, number>()
  const toProse = distancesToProse(lines)
  const title = lines.findIndex((line) => isTitle(line, measured))

  const titlePath = title < 0 ? [] : pathOf(lines[title]!.block.element)
  const proseUntil = new Float64Array(page.elements.length)

  let related = -1
  let comment = -1
  let share = -1
  let heading = -1
  let prose = -1
  let sizeBefore = 0
  let proseBefore = 0
  lines.forEach((line, at) => {
    const { element } = line.block
    const parent = element.parent ?? page.root
    const grandparent = parent.parent ?? page.root
    const own = line.isProse ? line.size : 0
    const group = groups[at]!
    const place: PlaceOnPage = {
      inside: insides[element.index]!,
      depth: depths[element.index]!,
      stepsToBest: stepsUp(element, bestPath),
      levelsBelowBest: contains(best, element) ? depths[element.index]! - depths[best.index]! : -1,
      afterBest: contains(best, element) ? 0 : element.index < best.index ? -1 : 1,
      likeShare: group.size / Math.max(1, sums.size[0]!),
      likeMeanSize: group.size / group.count,
      likeCount: group.count,
      likeLinkShare: group.linked / Math.max(1, group.size),
      repeats: keys.get(line.key)! - 1,
      earlier: seen.get(line.key) ?? 0,
      position: sizeBefore / Math.max(1, sums.size[0]!),
      proseBefore: proseBefore / Math.max(1, sums.prose[0]!),
      proseAfter: 1 - (proseBefore + (line.isProse ? line.size : 0)) / Math.max(1, sums.prose[0]!),
      parentProseBefore: proseUntil[parent.index]!,
      parentProseAfter: sums.prose[parent.index]! - proseUntil[parent.index]! - own,
      grandparentProseBefore: proseUntil[grandparent.index]!,
      grandparentProseAfter: sums.prose[grandparent.index]! - proseUntil[grandparent.index]! - own,
      stepsToTitle: title < 0 ? far : stepsDown(element, titlePath, depths),
      blocksSinceTitle: title < 0 ? -far : Math.max(-far, Math.min(far, at - title)),
      blocksToProse: toProse[at]!,
      blocksSinceProse: prose < 0 ? far : Math.min(far, at - prose),
      sinceRelated: since(related, at),
      sinceComment: since(comment, at),
      sinceShare: since(share, at),
      sinceHeading: since(heading, at),
    }
    use(place, at)
    seen.set(line.key, place.earlier + 1)
    sizeBefore += line.size
    if (line.isProse) {
      proseBefore += line.size
      prose = at
      for (let around: Element | null = element; around; around = around.parent) proseUntil[around.index]! += line.size
    }
    if (line.block.kind === 'heading') heading = at
    if (line.size >= 80) return
    if (hasLineHint(line, 'related')) related = at
    if (hasLineHint(line, 'comment')) comment = at
    if (hasLineHint(line, 'share')) share = at
  })
}

function isTitle({ block, key }: Line, { titles }: MeasuredPage): boolean {
  return (
    (block.element.tag === 'h1' || block.element.tag === 'h2') &&
    key.length > 8 &&
    titles.some((title) => title.includes(key))
  )
}

function since(mark: number, at: number): number {
  return mark < 0 ? far : Math.min(far, at - mark)
}

function contains(around: Element, element: Element): boolean {
  return element.index >= around.index && element.index < around.end
}

function stepsUp(element: Element, path: readonly Element[]): number {
  const at = path.findIndex((around) => contains(around, element))
  return at < 0 ? path.length : at
}

/** Levels from an element up to its first ancestor on the path. */
function stepsDown(element: Element, path: readonly Element[], depths: Uint16Array): number {
  const around = path.find((candidate) => contains(candidate, element))
  return around ? depths[element.index]! - depths[around.index]! : far
}

function pathOf(element: Element): Element[] {
  const path: Element[] = []
  for (let at: Element | null = element; at; at = at.parent) path.push(at)
  return path
}

const aroundTags = [
  'p',
  'article',
  'main',
  'footer',
  'figcaption',
  'table',
  'nav',
  'header',
  'aside',
  'form',
  'section',
  'blockquote',
  'dl',
  'figure',
  'details',
  'ul',
]

export function isInsideOf({ inside }: PlaceOnPage, tag: string): boolean {
  return (inside & bitOf(tag)) !== 0
}

function bitOf(tag: string): number {
  const at = aroundTags.indexOf(tag)
  return at < 0 ? 0 : 1 << at
}

function toInsides(elements: readonly Element[]): Uint16Array {
  const insides = new Uint16Array(elements.length)
  for (const { index, parent, tag, attributes } of elements)
    insides[index] = (parent ? insides[parent.index]! : 0) | bitOf(attributes.role === 'main' ? 'main' : tag)
  return insides
}

function toDepths(elements: readonly Element[]): Uint16Array {
  const depths = new Uint16Array(elements.length)
  for (const { index, parent } of elements) if (parent) depths[index] = depths[parent.index]! + 1
  return depths
}

function toMarkup(element: Element): string {
  return `${toName(element.parent)}>${toName(element)}`
}

function toName(element: Element | null): string {
  return element ? `${element.tag}.${element.attributes.class?.slice(0, 200) ?? ''}` : ''
}

/** The group of each line. */
function toGroups(lines: readonly Line[]): { size: number; linked: number; count: number }[] {
  const groups = new Map<string, { size: number; linked: number; count: number }>()
  return lines.map(({ block, size, linkShare }) => {
    const name = toMarkup(block.element)
    const group = groups.get(name) ?? { size: 0, linked: 0, count: 0 }
    group.size += size
    group.linked += size * linkShare
    group.count += 1
    groups.set(name, group)
    return group
  })
}

function distancesToProse(lines: readonly Line[]): Uint8Array {
  const distances = new Uint8Array(lines.length)
  let next = far
  for (let at = lines.length - 1; at >= 0; at--) {
    distances[at] = next
    next = lines[at]!.isProse ? 1 : Math.min(far, next + 1)
  }
  return distances
}
