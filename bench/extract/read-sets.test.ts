import { expect, test } from 'vitest'
import { hasSets, readArticles, readSegments } from './read-sets.ts'

test.skipIf(!hasSets())('the sets in ../shared/data are read, every page once', () => {
  const articles = readArticles()
  const segments = readSegments()
  expect(articles.length).toBeGreaterThan(80)
  expect(segments.length).toBeGreaterThan(400)
  expect(new Set(segments.map(({ id }) => id)).size).toBe(segments.length)
  expect(articles[0]!.readHtml()).toMatch(/<html/i)
  expect(segments.at(-1)!.readHtml()).toMatch(/<html/i)
  expect(segments.filter(({ metadata }) => metadata?.author).length).toBeGreaterThan(200)
})
