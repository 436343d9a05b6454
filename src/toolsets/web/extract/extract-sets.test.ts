import { expect, test } from 'vitest'
import { hasSets, readArticles, readSegments } from '../../../../bench/extract/read-sets.ts'
import { scoreArticles } from '../../../../bench/extract/score-articles.ts'
import { scoreSegments } from '../../../../bench/extract/score-segments.ts'
import { parseHtml } from '../../../tool-parts/html/parse-html.ts'
import { extractText } from './extract-page.ts'

// Every tenth page; `npm run bench -- extract` uses all. The thresholds are slightly below the measured values.
test.skipIf(!hasSets())('the text of annotated articles is found (needs ../shared/data)', () => {
  const pages = readArticles().filter((_, at) => at % 10 === 0)
  const found = pages.map((page) => ({
    expected: page.articleBody,
    found: extractText(parseHtml(page.readHtml()), { url: page.url }).text,
  }))
  expect(scoreArticles(found).f1).toBeGreaterThan(0.95)
})

test.skipIf(!hasSets())('annotated segments of pages are found, and no others (needs ../shared/data)', () => {
  const pages = readSegments().filter((_, at) => at % 10 === 0)
  const found = pages.map((page) => ({
    ...page,
    found: extractText(parseHtml(page.readHtml()), { url: page.url }).text,
  }))
  expect(scoreSegments(found).f1).toBeGreaterThan(0.93)
})
