import type { Element } from '../../../tool-parts/html/tree.ts'
import { type Hint, hintNames } from './class-hints.ts'
import { maxCounted } from './count-characters.ts'
import { describePage } from './describe-page.ts'
import type { Records } from './find-records.ts'
import { forEachPlace, isInsideOf, type PlaceOnPage } from './for-each-place.ts'
import { hasLineHint, type LineHint, lineHintNames } from './line-hints.ts'
import { hasDate, type Line, type MeasuredPage } from './measure-page.ts'
import { toWeigher, type Weights, type WordPlace, type WordWeights, wordPlaces } from './weigh-words.ts'

/** A block with its position and surroundings. */
interface Subject {
  readonly line: Line
  readonly place: PlaceOnPage
  readonly before: Line | undefined
  readonly after: Line | undefined
  readonly element: Element
  readonly parent: Element
  readonly grandparent: Element
  readonly measured: MeasuredPage
  readonly records: Records | undefined
  readonly weights: Weights
  readonly at: number
}

type Feature = (subject: Subject) => number

/** The model features by name. Booleans are 0 or 1. */
const table: Record<string, Feature> = {
  size: ({ line }) => line.size,
  words: ({ line }) => line.counts.words,
  wordLength: ({ line }) => lengthOf(line) / Math.max(1, line.counts.words),
  linkShare: ({ line }) => line.linkShare,
  links: ({ line }) => line.block.links,
  stops: ({ line }) => line.counts.stops,
  commas: ({ line }) => line.counts.commas,
  endsSentence: ({ line }) => Number(/[.!?…。！？]["'”“»)\]]*$/.test(line.block.text.slice(-5))),
  capitals: ({ line }) => line.counts.capitals / lengthOf(line),
  digits: ({ line }) => line.counts.digits / lengthOf(line),
  shortWords: ({ line }) => line.counts.shortWords / Math.max(1, line.counts.words),
  marks: ({ line }) => line.counts.marks,
  hasDate: ({ line }) => Number(hasDate(line)),
  hasTime: ({ line }) => Number(line.size < 120 && /\b\d{1,2}[:.]\d\d\b/.test(line.block.text)),
  headingLevel: ({ line }) => (line.block.kind === 'heading' ? Number(line.block.element.tag[1]) : 0),
  isItem: ({ line }) => Number(line.block.lists > 0),
  isRow: ({ line }) => Number(line.block.kind === 'row'),
  isParagraph: ({ element }) => Number(element.tag === 'p'),
  isDiv: ({ element }) => Number(element.tag === 'div'),
  isDescription: ({ line, measured }) =>
    Number(
      line.key.length > 30 &&
        measured.description.length > 30 &&
        (measured.description.startsWith(line.key.slice(0, 60)) ||
          line.key.startsWith(measured.description.slice(0, 60))),
    ),

  inParagraph: ({ place }) => Number(isInsideOf(place, 'p')),
  inArticle: ({ place }) => Number(isInsideOf(place, 'article')),
  inMain: ({ place }) => Number(isInsideOf(place, 'main')),
  inFooter: ({ place }) => Number(isInsideOf(place, 'footer')),
  inCaption: ({ place }) => Number(isInsideOf(place, 'figcaption')),
  inTable: ({ place }) => Number(isInsideOf(place, 'table')),
  inNav: ({ place }) => Number(isInsideOf(place, 'nav')),
  inHeader: ({ place }) => Number(isInsideOf(place, 'header')),
  inAside: ({ place }) => Number(isInsideOf(place, 'aside')),
  inForm: ({ place }) => Number(isInsideOf(place, 'form')),
  inSection: ({ place }) => Number(isInsideOf(place, 'section')),
  inQuote: ({ place }) => Number(isInsideOf(place, 'blockquote')),
  inDefinitions: ({ place }) => Number(isInsideOf(place, 'dl')),
  inFigure: ({ place }) => Number(isInsideOf(place, 'figure')),
  inList: ({ place }) => Number(isInsideOf(place, 'ul')),
  isCode: ({ line }) => Number(line.block.kind === 'code'),
  depth: ({ place }) => place.depth,

  recordCount: ({ records }) => records?.count ?? 0,
  recordSize: ({ records }) => (records ? records.size / records.count : 0),
  recordShare: ({ records, measured }) => (records?.size ?? 0) / Math.max(1, measured.sums.size[0]!),
  recordLinkShare: ({ records }) => (records ? records.linked / Math.max(1, records.size) : 0),
  recordProse: ({ records }) => (records ? records.prose / records.count : 0),
  recordProseShare: ({ records, measured }) => (records?.prose ?? 0) / Math.max(1, measured.sums.prose[0]!),
  recordBlocks: ({ records }) => (records ? records.blocks / records.count : 0),
  recordHeadings: ({ records }) => (records ? records.headings / records.count : 0),
  recordPrices: ({ records }) => (records ? records.prices / records.count : 0),
  recordDates: ({ records }) => (records ? records.dates / records.count : 0),
  recordRank: ({ records }) => records?.rank ?? 99,
  recordDepth: ({ records }) => records?.depth ?? 0,

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
  earlier: ({ place }) => place.earlier,
  position: ({ place }) => place.position,
  proseBefore: ({ place }) => place.proseBefore,
  proseAfter: ({ place }) => place.proseAfter,
  parentProseBefore: ({ place }) => place.parentProseBefore,
  parentProseAfter: ({ place }) => place.parentProseAfter,
  grandparentProseBefore: ({ place }) => place.grandparentProseBefore,
  grandparentProseAfter: ({ place }) => place.grandparentProseAfter,
  stepsToTitle: ({ place }) => place.stepsToTitle,
  blocksSinceTitle: ({ place }) => place.blocksSinceTitle,
  blocksToProse: ({ place }) => place.blocksToProse,
  blocksSinceProse: ({ place }) => place.blocksSinceProse,
  sinceRelated: ({ place }) => place.sinceRelated,
  sinceComment: ({ place }) => place.sinceComment,
  sinceShare: ({ place }) => place.sinceShare,
  sinceHeading: ({ place }) => place.sinceHeading,

  sizeAround: ({ at, measured }) => meanAround(measured, at, ({ size }) => Math.min(size, 500)),
  linkShareAround: ({ at, measured }) => meanAround(measured, at, ({ linkShare }) => linkShare),
  stopsAround: ({ at, measured }) => meanAround(measured, at, ({ counts }) => counts.stops),
  blocksAfter: ({ at, measured }) => measured.lines.length - at,
  at: ({ at }) => at,
  beforeSize: ({ before }) => before?.size ?? 0,
  afterSize: ({ after }) => after?.size ?? 0,
  beforeLinkShare: ({ before }) => before?.linkShare ?? 1,
  afterLinkShare: ({ after }) => after?.linkShare ?? 1,
  beforeIsSibling: ({ before, parent }) => Number(before?.block.element.parent === parent),
  afterIsSibling: ({ after, parent }) => Number(after?.block.element.parent === parent),
  ...Object.fromEntries(hintNames.map((hint) => [`class:${hint}`, toClassFeature(hint)])),
  ...Object.fromEntries(lineHintNames.map((hint) => [`line:${hint}`, toLineFeature(hint)])),
  ...Object.fromEntries(wordPlaces.map((place) => [toWordFeature(place), ({ weights }: Subject) => weights[place]])),
}

const features = Object.values(table)
const pageFeatureNames = Object.keys(describePage({ root: undefined as never, elements: [], truncated: false }, [], ''))
export const featureNames: readonly string[] = [
  ...Object.keys(table),
  ...pageFeatureNames.map((name) => `page:${name}`),
]

/** The feature that sums up the words in a place. */
export function toWordFeature(place: WordPlace): string {
  return `words:${place}`
}

/** Calls back with the features of each block, in the order of `featureNames`. Reuses one row: a page may have many blocks. */
export function forEachBlock(
  measured: MeasuredPage,
  wordWeights: WordWeights,
  use: (features: Float32Array, at: number) => void,
): void {
  const { lines, page } = measured
  const weigh = toWeigher(wordWeights)
  const row = new Float32Array(featureNames.length)
  pageFeatureNames.forEach((name, at) => {
    row[features.length + at] = measured.described[name]!
  })
  forEachPlace(measured, (place, at) => {
    const line = lines[at]!
    const { element } = line.block
    const parent = element.parent ?? page.root
    const grandparent = parent.parent ?? page.root
    const subject: Subject = { line, place, before: lines[at - 1], after: lines[at + 1], element, parent, grandparent, measured, records: measured.records[at], weights: weigh(line), at } // biome-ignore format: one line
    for (let feature = 0; feature < features.length; feature++) row[feature] = features[feature]!(subject)
    use(row, at)
  })
}

function toClassFeature(hint: Hint): Feature {
  return ({ element, measured }) => measured.distanceTo(hint, element)
}

function toLineFeature(hint: LineHint): Feature {
  return ({ line }) => Number(hasLineHint(line, hint))
}

function linkShareOf({ index }: Element, { sums }: MeasuredPage): number {
  return sums.linked[index]! / Math.max(1, sums.size[index]!)
}

/** The mean over the blocks nearby. */
function meanAround({ lines }: MeasuredPage, at: number, of: (line: Line) => number): number {
  const from = Math.max(0, at - nearby)
  const to = Math.min(lines.length, at + nearby + 1)
  let sum = 0
  for (let other = from; other < to; other++) sum += of(lines[other]!)
  return sum / (to - from)
}

const nearby = 4

/** The counted length of a text. */
function lengthOf({ block }: Line): number {
  return Math.min(block.text.length, maxCounted)
}
