/**
 * Learns from the annotated pages of `bench/extract/read-sets.ts` which blocks are text, and writes what it learned to
 * `src/toolsets/web/extract/block-model.ts`. First it says how well that works on pages of sites that it has not seen.
 */
import { writeFileSync } from 'node:fs'
import {
  askAll,
  type Binned,
  type Example,
  type Forest,
  growTrees,
  toBinned,
  toLines,
} from '../bench/extract/grow-trees.ts'
import { type Label, labelByArticle, labelBySegments } from '../bench/extract/label-blocks.ts'
import { type ArticlePage, readArticles, readSegments, type SegmentsPage } from '../bench/extract/read-sets.ts'
import { scoreArticles } from '../bench/extract/score-articles.ts'
import { scoreSegments } from '../bench/extract/score-segments.ts'
import { featureNames, forEachBlock } from '../src/toolsets/web/extract/block-features.ts'
import { extractText } from '../src/toolsets/web/extract/extract-page.ts'
import { measurePage } from '../src/toolsets/web/extract/measure-page.ts'
import { parseHtml } from '../src/toolsets/web/extract/parse-html.ts'

interface Lesson {
  readonly page: ArticlePage | SegmentsPage
  /** Of five groups of sites. */
  readonly group: number
  /** Its first row. */
  readonly from: number
  readonly labels: readonly Label[]
  readonly sizes: readonly number[]
}

const groups = 5
const trees = 200
/** How much a block counts of which people said nothing, and the model is sure. */
const guessed = 0.1

const rows: Float64Array[] = []
const lessons = [...readArticles(), ...readSegments()].map(toLesson)
const labelled = lessons.flatMap(({ from, labels }) => labels.flatMap((label, at) => (label ? [rows[from + at]!] : [])))
const binned = toBinned(rows, labelled, featureNames)

const unseen = scoreUnseen(100, undefined)
const guesses = scoreUnseen(trees, unseen)
report(guesses)
const forest = growTrees(binned, toExamples(lessons, guesses), trees)
writeFileSync(new URL('../src/toolsets/web/extract/block-model.ts', import.meta.url), toSource(forest, binned))

function toLesson(page: ArticlePage | SegmentsPage): Lesson {
  const measured = measurePage(parseHtml(page.readHtml()))
  const from = rows.length
  forEachBlock(measured, (row) => rows.push(row.slice()))
  const { lines } = measured
  const labels = 'articleBody' in page ? labelByArticle(lines, page) : labelBySegments(lines, page)
  return { page, group: toGroup(page.url), from, labels, sizes: lines.map(({ size }) => size) }
}

/** Pages of one site are in one group, so that no model is asked about a site that it knows. */
function toGroup(url: string): number {
  const site = URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : url
  return [...site].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) >>> 0, 7) % groups
}

/** The chance of each row, by a model that was made without its group. */
function scoreUnseen(count: number, known: Float64Array | undefined): Float64Array {
  const chances = new Float64Array(rows.length)
  for (let group = 0; group < groups; group++) {
    const others = lessons.filter((lesson) => lesson.group !== group)
    const model = growTrees(binned, toExamples(others, known), count)
    for (const lesson of lessons.filter((lesson) => lesson.group === group))
      lesson.labels.forEach((_, at) => {
        chances[lesson.from + at] = askAll(model, binned, lesson.from + at)
      })
  }
  return chances
}

function toExamples(from: readonly Lesson[], known: Float64Array | undefined): Example[] {
  return from.flatMap((lesson) =>
    lesson.labels.flatMap((label, at): Example[] => {
      const row = lesson.from + at
      if (label) return [{ row, ...label }]
      const chance = known?.[row] ?? 0.5
      if ('articleBody' in lesson.page || (chance > 0.15 && chance < 0.85)) return []
      // Menus are many and all the same: a few of them count for the others.
      const every = chance < 0.03 ? 12 : 3
      const weight = guessed * every * Math.min(1, 0.2 + lesson.sizes[at]! / 150)
      return (row * 7919) % every === 0 ? [{ row, isText: chance > 0.5, weight }] : []
    }),
  )
}

function report(chances: Float64Array) {
  const texts = lessons.map(({ page, from }) => {
    const parsed = parseHtml(page.readHtml())
    return extractText(parsed, ({ lines }) => [...chances.subarray(from, from + lines.length)])
  })
  const found = lessons.map(({ page }, at) => ({ page, found: texts[at]! }))
  const articles = found.flatMap(({ page, found }) =>
    'articleBody' in page ? [{ expected: page.articleBody, found }] : [],
  )
  const segments = found.flatMap(({ page, found }) => ('with' in page ? [{ ...page, found }] : []))
  console.log('On sites not seen:', { articles: scoreArticles(articles), segments: scoreSegments(segments) })
}

function toSource(forest: Forest, binned: Binned): string {
  return `/**
 * What blocks that people took for text have in common: trees of questions, whose answers and \`base\` add up to log odds.
 * Written by \`scripts/train-block-model.ts\`; how a line is read: \`score-blocks.ts\`.
 */
export const base = ${Number(forest.base.toPrecision(3))}

export const trees = \`
${toLines(forest, binned).join('\n')}
\`
`
}
