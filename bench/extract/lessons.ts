import { parseHtml } from '../../src/tool-parts/html/parse-html.ts'
import { featureNames, forEachBlock, toWordFeature } from '../../src/toolsets/web/extract/block-features.ts'
import { viewPage } from '../../src/toolsets/web/extract/view-page.ts'
import { findWords, type WordPlace, type WordWeights, wordPlaces } from '../../src/toolsets/web/extract/weigh-words.ts'
import { type Binned, toBin, toCuts } from './grow-trees.ts'
import { labelByArticle, labelByContent, labelBySegments, type Target } from './label-blocks.ts'
import { learnWords, type WordRows, weighRows } from './learn-words.ts'
import {
  type ArticlePage,
  readArticles,
  readPages,
  readSegments,
  type SegmentsPage,
  type WholePage,
} from './read-sets.ts'

/** A page to learn from. */
export interface Lesson {
  readonly page: ArticlePage | SegmentsPage | WholePage
  readonly site: string
  /** One of `folds`. All pages of a site are in the same fold, so that models are tested on unseen sites. */
  readonly fold: number
  /** Its rows in `Lessons.binned`, one for each block. */
  readonly from: number
  readonly targets: readonly Target[]
  readonly words: Readonly<Record<WordPlace, WordRows>>
}

export interface Lessons {
  readonly lessons: readonly Lesson[]
  /** What words weigh is still to be learned: see `weighWords`. */
  readonly binned: Binned
}

export const folds = 5

/** The features and labels of all annotated pages, or of every nth. */
export function readLessons({ every = 1 }: { every?: number } = {}): Lessons {
  const pages = [...readArticles(), ...readSegments(), ...readPages()].filter((_, at) => at % every === 0)
  const width = featureNames.length
  const rowsOf: Float32Array[] = []
  let count = 0
  const lessons = pages.map((page): Lesson => {
    const measured = viewPage(parseHtml(page.readHtml()), { url: page.url })
    const { lines } = measured
    const rows = new Float32Array(lines.length * width)
    forEachBlock(measured, new Map(), (row, at) => rows.set(row, at * width))
    rowsOf.push(rows)
    const from = count
    count += lines.length
    const targets =
      'articleBody' in page
        ? labelByArticle(lines, page)
        : 'with' in page
          ? labelBySegments(lines, page)
          : labelByContent(lines, page)
    const site = toSite(page.url) ?? page.id
    return { page, site, fold: toFold(site), from, targets, words: toWordRows(findWords(lines)) }
  })
  return { lessons, binned: toBinned(rowsOf, count, width) }
}

/**
 * Learns what words weigh, and adds that to the features. For the pages of each fold it is learned from other folds, because
 * on a page that it has seen it would look better than it is; the pages that are left out have no part in any of it.
 */
export function weighWords({ lessons, binned }: Lessons, leftOut?: number): { binned: Binned; weights: WordWeights } {
  const known = lessons.filter(({ fold }) => fold !== leftOut)
  const weights = learnWords(known)
  const { features } = binned
  const bins = binned.bins.slice()
  const cuts = [...binned.cuts]
  const weightsOf = Array.from({ length: folds }, (_, fold) =>
    fold === leftOut ? weights : learnWords(known.filter((lesson) => lesson.fold !== fold)),
  )
  for (const place of wordPlaces) {
    const feature = featureNames.indexOf(toWordFeature(place))
    const sums = lessons.map(({ fold, words }) => weighRows(words[place], weightsOf[fold]!))
    cuts[feature] = toCuts(toSample(sums))
    lessons.forEach(({ from }, lesson) => {
      sums[lesson]!.forEach((sum, at) => {
        bins[(from + at) * features + feature] = toBin(cuts[feature]!, sum)
      })
    })
  }
  return { binned: { features, bins, cuts }, weights }
}

/** Sorted. */
function toSample(values: readonly Float32Array[]): Float32Array {
  const count = values.reduce((sum, { length }) => sum + length, 0)
  const step = Math.max(1, Math.floor(count / sampled))
  const sample = new Float32Array(Math.ceil(count / step))
  let [row, taken] = [0, 0]
  for (const each of values) for (const value of each) if (row++ % step === 0) sample[taken++] = value
  return sample.sort()
}

function toWordRows(words: ReturnType<typeof findWords>): Lesson['words'] {
  const ofPlace = (place: WordPlace): WordRows => {
    const starts = new Int32Array(words.length + 1)
    words.forEach((each, at) => {
      starts[at + 1] = starts[at]! + each[place].length
    })
    const hashes = new Int32Array(starts.at(-1)!)
    words.forEach((each, at) => {
      hashes.set(each[place], starts[at])
    })
    return { hashes, starts }
  }
  return { names: ofPlace('names'), text: ofPlace('text'), heading: ofPlace('heading') }
}

function toFold(site: string): number {
  let hash = 2166136261
  for (const character of site) hash = Math.imul(hash ^ character.charCodeAt(0), 16777619)
  return ((hash ^ (hash >>> 13)) >>> 0) % folds
}

/** The registrable domain: `bbc.co.uk` of `https://news.bbc.co.uk/1`. */
export function toSite(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const labels = new URL(url).hostname.split('.')
  const hasTwo = labels.length > 2 && labels.at(-1)!.length === 2 && secondLevels.has(labels.at(-2)!)
  return labels.slice(hasTwo ? -3 : -2).join('.')
}

const secondLevels = new Set('ac co com edu gob go gov ne net or org'.split(' '))

function toBinned(rowsOf: readonly Float32Array[], count: number, width: number): Binned {
  const step = Math.max(1, Math.floor(count / sampled))
  const sample = new Float32Array(Math.ceil(count / step))
  const cuts = featureNames.map((_, feature) => {
    let [row, taken] = [0, 0]
    for (const rows of rowsOf)
      for (let at = feature; at < rows.length; at += width) if (row++ % step === 0) sample[taken++] = rows[at]!
    return toCuts(sample.slice(0, taken).sort())
  })
  const bins = new Uint8Array(count * width)
  let to = 0
  for (const rows of rowsOf)
    for (let at = 0; at < rows.length; at++, to++) bins[to] = toBin(cuts[at % width]!, rows[at]!)
  return { features: width, bins, cuts }
}

/** Rows that determine the bins. */
const sampled = 60_000
