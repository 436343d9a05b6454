import type { Fetched } from '../../capabilities/web.ts'
import { decodeText } from '../../contract/text/decode-text.ts'
import { stripHidden } from '../../contract/text/hidden-characters.ts'
import { shorten } from '../../contract/text/shorten.ts'
import { ToolError } from '../../contract/tool-error.ts'
import { parseHtml } from '../../tool-parts/html/parse-html.ts'
import { toPlainLine } from '../../tool-parts/html/plain-line.ts'
import { renderWholePage } from '../../tool-parts/html/render-blocks.ts'
import type { Documents } from './capability/documents.ts'
import { extractPage } from './extract/extract-page.ts'
import { findDate } from './extract/metadata/find-date.ts'
import { parseFeed } from './parse-feed.ts'
import { stripMarkup } from './strip-markup.ts'

const maxEntries = 200

const maxSummary = 5000

/** The content of a page, with author and date. */
export interface ReadPage {
  readonly title: string | null
  readonly byline: string | null
  readonly publishedAt: string | null
  readonly lang: string | null
  readonly text: string
  /** Only part of it could be read. */
  readonly truncated?: boolean
}

export interface ReadContent extends ReadPage {
  /** The decoded source; empty if it is not text. */
  readonly raw: string
}

interface Reading {
  readonly documents: Documents
  readonly signal: AbortSignal
  readonly caller: string
}

/**
 * Reads HTML, feeds, PDF, JSON, Markdown and other text. The format follows from the content type and the content.
 * Fails with `parse_failed`.
 */
export async function readContent(fetched: Fetched, { documents, ...options }: Reading): Promise<ReadContent> {
  const { body, contentType, truncated, finalUrl } = fetched
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase()
  if (body.length === 0) throw toUnreadable('it is empty')
  if (type === 'application/pdf' || startsWith(body, '%PDF-')) return readPdf(fetched, documents, options)
  if (!isTextual.test(type)) throw toUnreadable(`it is not text but ${toPlainLine(type, 100)}`)
  const { text: raw } = decodeText(body, { contentType, truncated })
  if (raw.slice(0, 8192).includes('\0')) throw toUnreadable('it is not text but binary data')
  const page = readText(raw, type, finalUrl)
  return { ...page, raw, ...(truncated && { truncated }) }
}

/** Sniffs the content if the server sends no type or a generic one. */
const isTextual =
  /^(?:text\/.*|.*\+(?:json|xml|yaml)|application\/(?:json|xml|x-ndjson|(?:x-)?yaml|toml|markdown|octet-stream)|)$/

function readText(raw: string, type: string, url: string): ReadPage {
  if (/json$/.test(type)) return { ...nothing, text: toJsonText(raw) }
  if (/(?:rss|atom|rdf)\+xml$|^(?:text|application)\/xml$/.test(type) || /^\s*<\?xml/.test(raw)) {
    const feed = readFeed(raw)
    if (feed) return { ...feed, text: toCleanText(feed.text) }
  }
  if (/^(?:text\/html|application\/xhtml\+xml)$/.test(type) || looksLikeHtml(raw)) return readHtml(raw, url)
  const title = /markdown$/.test(type) ? (/^#{1,2}[ \t]+(.{1,300})$/m.exec(raw)?.[1] ?? null) : null
  return { ...nothing, title: title === null ? null : toPlainLine(title) || null, text: toCleanText(raw) }
}

const nothing = { title: null, byline: null, publishedAt: null, lang: null }

function looksLikeHtml(text: string): boolean {
  return /^\s*(?:<!--[^>]{0,1000}-->\s*)?<(?:!doctype html|html)[\s>]/i.test(text.slice(0, 2048))
}

/** If no main content is found, returns all visible text. */
function readHtml(html: string, url: string): ReadPage {
  const page = extractPage(html, { url })
  return { ...page, text: toCleanText(page.text) || toCleanText(renderWholePage(parseHtml(html))) }
}

async function readPdf(
  { body, truncated }: Fetched,
  documents: Documents,
  options: Omit<Reading, 'documents'>,
): Promise<ReadContent> {
  if (truncated) throw toUnreadable('it is a PDF of more than 10 MB')
  const { created, author, title, lang, text, truncated: isPart } = await documents.readPdf(body, options)
  // D:20250304101112+01'00'
  const [, year, month, day] = /^D:(\d{4})(\d{2})(\d{2})/.exec(created ?? '') ?? []
  return {
    title: toPlainLine(title ?? '') || null,
    byline: toPlainLine(author ?? '') || null,
    publishedAt: year === undefined ? null : findDate(`${year}-${month}-${day}`),
    lang: lang === null ? null : toPlainLine(lang, 35),
    text: toCleanText(text),
    raw: '',
    ...(isPart && { truncated: true }),
  }
}

function toJsonText(raw: string): string {
  try {
    return toCleanText(JSON.stringify(JSON.parse(raw), null, 2))
  } catch {
    // JSON lines or truncated JSON: return it unchanged.
    return toCleanText(raw)
  }
}

function toCleanText(text: string): string {
  return stripHidden(text.replaceAll('\r\n', '\n'), 'prose').trim()
}

function toUnreadable(reason: string): ToolError {
  return new ToolError('parse_failed', `The page cannot be read: ${reason}.`)
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, text.length)) === text
}

/** A feed (RSS, RDF or Atom) as text: its entries with date, address and summary. Undefined if it is not a feed. */
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

/** Summaries may be as long as whole pages. */
function toSummary(html: string): string {
  if (html === '') return ''
  return shorten(renderWholePage(parseHtml(html.slice(0, maxSummary * 10))), maxSummary)
}
