import { shorten } from '../../contract/text/shorten.ts'
import { parseHtml } from '../../tool-parts/html/parse-html.ts'
import { toPlainLine } from '../../tool-parts/html/plain-line.ts'
import { renderWholePage } from '../../tool-parts/html/render-whole-page.ts'
import { findDate } from './extract/metadata/find-date.ts'
import { parseFeed } from './parse-feed.ts'
import type { ReadPage } from './read-page.ts'
import { stripMarkup } from './strip-markup.ts'

const maxEntries = 200
const maxSummary = 5000

/** A feed (RSS, RDF or Atom) as text: its entries with their day, address and summary. Undefined for what is none. */
export function readFeed(text: string): ReadPage | undefined {
  if (!/<(?:rss|feed|rdf:RDF)[\s>]/i.test(text.slice(0, 4096))) return undefined
  const feed = parseFeed(text, maxEntries)
  const entries = feed.entries.map(({ title, link, summary, date }) => {
    const day = findDate(date)?.slice(0, 10)
    const heading = [toLine(title), ...(day ? [`(${day})`] : [])].join(' ').trim()
    return [heading, toPlainLine(link, 2000), toSummary(summary)].filter(Boolean).join('\n')
  })
  const parts = [toLine(feed.title), toSummary(feed.summary), ...entries]
  return {
    title: toLine(feed.title) || null,
    byline: toLine(feed.author) || null,
    publishedAt: findDate(feed.date),
    lang: null,
    text: parts.filter(Boolean).join('\n\n'),
  }
}

function toLine(text: string): string {
  return toPlainLine(stripMarkup(text))
}

/** Summaries are often pages in themselves. */
function toSummary(html: string): string {
  if (html === '') return ''
  return shorten(renderWholePage(parseHtml(html.slice(0, maxSummary * 10))), maxSummary)
}
