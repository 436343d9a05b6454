import { parseHtml } from '../../src/tool-parts/html/parse-html.ts'
import { featureNames, forEachBlock } from '../../src/toolsets/web/extract/block-features.ts'
import { viewPage } from '../../src/toolsets/web/extract/view-page.ts'
import { type Binned, toBin, toCuts } from './grow-trees.ts'
import { labelByArticle, labelByContent, labelBySegments, type Target } from './label-blocks.ts'
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
  /** One of `folds`. All pages of a site are in the same fold, so that models are tested on unseen sites. */
  readonly fold: number
  /** Its rows in `Lessons.binned`, one for each block. */
  readonly from: number
  readonly targets: readonly Target[]
}

export interface Lessons {
  readonly lessons: readonly Lesson[]
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
    forEachBlock(measured, (row, at) => rows.set(row, at * width))
    rowsOf.push(rows)
    const from = count
    count += lines.length
    const targets =
      'articleBody' in page
        ? labelByArticle(lines, page)
        : 'with' in page
          ? labelBySegments(lines, page)
          : labelByContent(lines, page)
    return { page, fold: toFold(page), from, targets }
  })
  return { lessons, binned: toBinned(rowsOf, count, width) }
}

function toFold({ url, id }: { url: string; id: string }): number {
  let hash = 2166136261
  for (const character of toSite(url) ?? id) hash = Math.imul(hash ^ character.charCodeAt(0), 16777619)
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
