import { shorten } from '../../contract/text/shorten.ts'
import { toLinkTargets } from '../../tool-parts/html/link-target.ts'
import { escapeMarkdown, toHeading } from '../../tool-parts/html/markdown-text.ts'
import { parseHtml } from '../../tool-parts/html/parse-html.ts'
import { toPlainLine } from '../../tool-parts/html/plain-line.ts'
import { renderPage } from '../../tool-parts/html/render-page.ts'
import type { Markup } from '../../tool-parts/html/rich-writer.ts'
import { findDate } from './extract/metadata/find-date.ts'
import { parseFeed } from './parse-feed.ts'
import type { ReadPage } from './read-text.ts'
import { stripMarkup } from './strip-markup.ts'

const maxEntries = 200

const maxSummary = 5000

/** A feed (RSS, RDF or Atom): its entries with date, address and summary. Undefined if it is not a feed. */
export function readFeed(text: string, markup?: Markup): ReadPage | undefined {
  if (!/<(?:rss|feed|rdf:RDF)[\s>]/i.test(text.slice(0, 4096))) return undefined
  const feed = parseFeed(text, maxEntries)
  const isMarkdown = markup?.format === 'markdown'
  const toTarget = toLinkTargets(parseHtml(''), markup?.url ?? '')
  const entries = feed.entries.map(({ title, link, summary, date }) => {
    const day = findDate(date)?.slice(0, 10)
    const dated = day ? ` (${day})` : ''
    if (!isMarkdown) return [toLine(title) + dated, toPlainLine(link, 2000), toSummary(summary, markup)]
    const url = markup.links === 'none' ? undefined : toTarget(link.trim())
    const name = escapeMarkdown(toLine(title) || url || '')
    return [
      toHeading(url === undefined ? name + dated : `[${name}](${url})${dated}`, 2),
      '',
      toSummary(summary, markup),
    ]
  })
  const name = toLine(feed.title)
  const parts = [
    isMarkdown && name !== '' ? toHeading(escapeMarkdown(name), 1) : name,
    toSummary(feed.summary, markup),
    ...entries.map((lines) =>
      lines
        .map((line) => line.trim())
        .filter(Boolean)
        .join(isMarkdown ? '\n\n' : '\n'),
    ),
  ]
  return {
    title: name || null,
    byline: toLine(feed.author) || null,
    publishedAt: findDate(feed.date),
    lang: null,
    text: parts.filter(Boolean).join('\n\n'),
  }
}

function toLine(text: string): string {
  return toPlainLine(stripMarkup(text))
}

/** Summaries may be as long as whole pages. */
function toSummary(html: string, markup: Markup | undefined): string {
  if (html === '') return ''
  const page = parseHtml(html.slice(0, maxSummary * 10))
  const rendered = renderPage(page, markup)
  // Cut Markdown might end within markup.
  return rendered.length > maxSummary && markup?.format === 'markdown'
    ? escapeMarkdown(shorten(renderPage(page), maxSummary))
    : shorten(rendered, maxSummary)
}
