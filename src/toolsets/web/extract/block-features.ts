import { type Hint, hintNames } from './class-hints.ts'
import { type LineHint, lineHintNames } from './line-hints.ts'
import type { Line, MeasuredPage } from './measure-page.ts'
import { isInsideOf, type PlaceOnPage, toPlaces } from './to-places.ts'
import type { Element } from './tree.ts'

/** What is known about a block, where it stands and what is around it. */
interface Subject {
  readonly line: Line
  readonly place: PlaceOnPage
  readonly before: Line | undefined
  readonly after: Line | undefined
  readonly element: Element
  readonly parent: Element
  readonly grandparent: Element
  readonly measured: MeasuredPage
}

type Feature = (subject: Subject) => number

/** Every feature by its name: numbers, and 0 or 1 for no and yes. */
const table: Record<string, Feature> = {
  size: ({ line }) => line.size,
  words: ({ line }) => count(line.block.text, /\s+/g) + 1,
  wordLength: ({ line }) => line.block.text.length / (count(line.block.text, /\s+/g) + 1),
  linkShare: ({ line }) => line.linkShare,
  links: ({ line }) => line.block.links,
  stops: ({ line }) => count(line.block.text, /[.!?…。！？](?:["'”“»)\]]|\s|$)/g),
  commas: ({ line }) => count(line.block.text, /[,;，、]/g),
  endsSentence: ({ line }) => Number(/[.!?…。！？]["'”“»)\]]*$/.test(line.block.text)),
  endsColon: ({ line }) => Number(/:$/.test(line.block.text)),
  startsLower: ({ line }) => Number(/^\p{Ll}/u.test(line.block.text)),
  capitals: ({ line }) => count(line.block.text, /\p{Lu}/gu) / line.block.text.length,
  digits: ({ line }) => count(line.block.text, /\d/g) / line.block.text.length,
  shortWords: ({ line }) =>
    count(line.block.text, /(?<![\p{L}\p{N}])\p{Ll}{1,3}(?![\p{L}\p{N}])/gu) / (count(line.block.text, /\s+/g) + 1),
  marks: ({ line }) => count(line.block.text, /[|»«›‹→•·©/]/g),
  hasDate: ({ line }) =>
    Number(/\b(?:19|20)\d\d\b|\b\d{1,2}[./]\s?\d{1,2}[./]/.test(line.block.text) && line.size < 120),
  hasTime: ({ line }) => Number(/\b\d{1,2}[:.]\d\d\b/.test(line.block.text) && line.size < 120),
  lineBreaks: ({ line }) => count(line.block.text, /\n/g),
  isHeading: ({ line }) => Number(line.block.kind === 'heading'),
  headingLevel: ({ line }) => (line.block.kind === 'heading' ? Number(line.block.element.tag[1]) : 0),
  isItem: ({ line }) => Number(line.block.lists > 0),
  isRow: ({ line }) => Number(line.block.kind === 'row'),
  isCode: ({ line }) => Number(line.block.kind === 'code'),
  isParagraph: ({ element }) => Number(element.tag === 'p'),
  isDiv: ({ element }) => Number(element.tag === 'div'),
  isCell: ({ element }) => Number(element.tag === 'td' || element.tag === 'th'),
  isTitle: ({ line, measured }) =>
    Number(
      line.key.length > 8 &&
        line.size < 250 &&
        measured.titles.some((title) => title.includes(line.key) || line.key.includes(title)),
    ),
  isDescription: ({ line, measured }) =>
    Number(
      line.key.length > 30 &&
        measured.description.length > 30 &&
        (measured.description.startsWith(line.key.slice(0, 60)) ||
          line.key.startsWith(measured.description.slice(0, 60))),
    ),
  inJsonLd: ({ line, measured }) =>
    measured.jsonLdBody.length < 200 ? 0 : measured.jsonLdBody.includes(line.key.slice(0, 80)) ? 1 : -1,

  inParagraph: ({ place }) => Number(isInsideOf(place, 'p')),
  inArticle: ({ place }) => Number(isInsideOf(place, 'article')),
  inMain: ({ place }) => Number(isInsideOf(place, 'main')),
  inNav: ({ place }) => Number(isInsideOf(place, 'nav')),
  inHeader: ({ place }) => Number(isInsideOf(place, 'header')),
  inFooter: ({ place }) => Number(isInsideOf(place, 'footer')),
  inAside: ({ place }) => Number(isInsideOf(place, 'aside')),
  inForm: ({ place }) => Number(isInsideOf(place, 'form')),
  inFigure: ({ place }) => Number(isInsideOf(place, 'figure') || isInsideOf(place, 'figcaption')),
  inTable: ({ place }) => Number(isInsideOf(place, 'table')),
  inQuote: ({ place }) => Number(isInsideOf(place, 'blockquote')),
  depth: ({ place }) => place.depth,

  elementLinkShare: ({ element, measured }) => linkShareOf(element, measured),
  parentLinkShare: ({ parent, measured }) => linkShareOf(parent, measured),
  grandparentLinkShare: ({ grandparent, measured }) => linkShareOf(grandparent, measured),
  parentShare: ({ parent, measured }) => measured.sums.size[parent.index]! / Math.max(1, measured.sums.size[0]!),
  grandparentShare: ({ grandparent, measured }) =>
    measured.sums.size[grandparent.index]! / Math.max(1, measured.sums.size[0]!),
  parentProse: ({ parent, measured }) => measured.sums.prose[parent.index]!,
  grandparentProse: ({ grandparent, measured }) => measured.sums.prose[grandparent.index]!,
  parentProseShare: ({ parent, measured }) => measured.sums.prose[parent.index]! / Math.max(1, measured.sums.prose[0]!),
  parentBlocks: ({ parent, measured }) => measured.sums.blocks[parent.index]!,
  parentMeanSize: ({ parent, measured }) =>
    measured.sums.size[parent.index]! / Math.max(1, measured.sums.blocks[parent.index]!),
  grandparentMeanSize: ({ grandparent, measured }) =>
    measured.sums.size[grandparent.index]! / Math.max(1, measured.sums.blocks[grandparent.index]!),

  inBest: ({ place }) => Number(place.stepsToBest === 0),
  stepsToBest: ({ place }) => place.stepsToBest,
  bestDepthBelow: ({ place }) => place.levelsBelowBest,
  afterBest: ({ place }) => place.afterBest,
  bestProseShare: ({ measured }) => measured.sums.prose[measured.best.index]! / Math.max(1, measured.sums.prose[0]!),
  pageProse: ({ measured }) => measured.sums.prose[0]!,
  pageSize: ({ measured }) => measured.sums.size[0]!,
  pageLinkShare: ({ measured }) => linkShareOf(measured.page.root, measured),

  likeShare: ({ place }) => place.likeShare,
  likeMeanSize: ({ place }) => place.likeMeanSize,
  likeCount: ({ place }) => place.likeCount,
  likeLinkShare: ({ place }) => place.likeLinkShare,
  repeats: ({ place }) => place.repeats,
  position: ({ place }) => place.position,
  proseBefore: ({ place }) => place.proseBefore,
  proseAfter: ({ place }) => place.proseAfter,
  blocksSinceTitle: ({ place }) => place.blocksSinceTitle,
  blocksToProse: ({ place }) => place.blocksToProse,
  blocksSinceProse: ({ place }) => place.blocksSinceProse,
  sinceRelated: ({ place }) => place.since.related,
  sinceComment: ({ place }) => place.since.comment,
  sinceShare: ({ place }) => place.since.share,
  sinceHeading: ({ place }) => place.sinceHeading,
  underRelated: ({ place }) => place.under.related,
  underComment: ({ place }) => place.under.comment,

  beforeSize: ({ before }) => before?.size ?? 0,
  afterSize: ({ after }) => after?.size ?? 0,
  beforeLinkShare: ({ before }) => before?.linkShare ?? 1,
  afterLinkShare: ({ after }) => after?.linkShare ?? 1,
  beforeIsHeading: ({ before }) => Number(before?.block.kind === 'heading'),
  beforeIsSibling: ({ before, parent }) => Number(before?.block.element.parent === parent),
  afterIsSibling: ({ after, parent }) => Number(after?.block.element.parent === parent),
  ...Object.fromEntries(hintNames.map((hint) => [`class:${hint}`, toClassFeature(hint)])),
  ...Object.fromEntries(lineHintNames.map((hint) => [`line:${hint}`, toLineFeature(hint)])),
}

export const featureNames: readonly string[] = Object.keys(table)
const features = Object.values(table)

/** A row of numbers for each block, in the order of `featureNames`. */
export function toFeatures(measured: MeasuredPage): Float64Array[] {
  const { lines, page } = measured
  const places = toPlaces(measured)
  return lines.map((line, at) => {
    const { element } = line.block
    const parent = element.parent ?? page.root
    const grandparent = parent.parent ?? page.root
    const subject = {
      line,
      place: places[at]!,
      before: lines[at - 1],
      after: lines[at + 1],
      element,
      parent,
      grandparent,
      measured,
    }
    return Float64Array.from(features, (feature) => feature(subject))
  })
}

function toClassFeature(hint: Hint): Feature {
  return ({ element, measured }) => measured.distances[hint][element.index]!
}

function toLineFeature(hint: LineHint): Feature {
  return ({ line }) => Number(line.hints.includes(hint))
}

function linkShareOf({ index }: Element, { sums }: MeasuredPage): number {
  return sums.linked[index]! / Math.max(1, sums.size[index]!)
}

function count(text: string, pattern: RegExp): number {
  let found = 0
  pattern.lastIndex = 0
  while (pattern.exec(text)) found++
  return found
}
