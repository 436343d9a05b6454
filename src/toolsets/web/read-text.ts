import type { Fetched } from '../../capabilities/web.ts'
import { stripHidden } from '../../contract/text/hidden-characters.ts'
import { isBinary } from '../../contract/text/is-binary.ts'
import { ToolError } from '../../contract/tool-error.ts'
import { decodePage } from '../../tool-parts/html/decode-page.ts'
import { toCodeBlock } from '../../tool-parts/html/markdown-text.ts'
import { parseHtml } from '../../tool-parts/html/parse-html.ts'
import { toPlainLine } from '../../tool-parts/html/plain-line.ts'
import { toMarkup } from '../../tool-parts/html/reading-inputs.ts'
import { renderPage } from '../../tool-parts/html/render-page.ts'
import type { Markup } from '../../tool-parts/html/rich-writer.ts'
import { takePart } from '../../tool-parts/text-part.ts'
import { type ExtractedPage, extractPage } from './extract/extract-page.ts'
import { readFeed } from './read-feed.ts'

/** The content of a page, with author and date. */
export interface ReadPage {
  readonly title: string | null
  readonly byline: string | null
  readonly publishedAt: string | null
  readonly lang: string | null
  readonly text: string
  readonly taken?: ExtractedPage['taken']
}

export interface ReadContent extends ReadPage {
  /** The decoded source, if asked for; empty if it is not text. */
  readonly raw?: string
  /** Only part of it could be read. */
  readonly truncated?: boolean
  /** Of the whole text, in UTF-16 units. */
  readonly length: number
  /** Where the next part of the text begins. */
  readonly nextStart?: number
}

export interface ReadOptions {
  readonly format: Markup['format']
  readonly links: Markup['links'] | 'auto'
  readonly start: number
  readonly maxLength?: number | undefined
  readonly withRaw: boolean
}

export type TextRequest = Pick<Fetched, 'body' | 'contentType' | 'truncated' | 'finalUrl'> & ReadOptions

/** Reads HTML, feeds, JSON, Markdown and other text. Runs in a thread for large pages. Fails with `parse_failed`. */
export async function run({
  body,
  contentType,
  truncated,
  finalUrl: url,
  ...options
}: TextRequest): Promise<ReadContent> {
  const type = toMediaType(contentType)
  const { text: raw } = await decodePage(body, { contentType, truncated })
  if (isBinary(raw, { isPage: isPageType.test(type) })) throw toUnreadable('it is not text but binary data')
  const page = readText(raw.replaceAll('\0', ''), { type, url, markup: toMarkup(options, url) })
  return { ...toPart(page, options), ...(options.withRaw && { raw }), ...(truncated && { truncated }) }
}

/** The part of a page's text that was asked for. */
export function toPart(page: ReadPage, options: ReadOptions): ReadContent {
  const { length } = page.text
  if (length === 0) throw new ToolError('parse_failed', 'The page has no visible text.')
  const part = takePart(page.text, options)
  if (part) return { ...page, length, ...part }
  const suggestion = `Use a start below ${length}, such as next_start of the notes of the call before.`
  throw new ToolError('parse_failed', `The text of the page has only ${length} characters.`, { suggestion })
}

export function toMediaType(contentType: string): string {
  return contentType.split(';', 1)[0]!.trim().toLowerCase()
}

interface Source {
  readonly type: string
  readonly url: string
  readonly markup: Markup | undefined
}

function readText(raw: string, { type, url, markup }: Source): ReadPage {
  const toCode = (text: string, language: string) =>
    markup?.format === 'markdown' ? toCodeBlock(text, language) : text
  if (/json$/.test(type)) return { ...nothing, text: toCode(toJsonText(raw), 'json') }
  if (/(?:rss|atom|rdf)\+xml$|^(?:text|application)\/xml$/.test(type) || /^\s*<\?xml/.test(raw)) {
    const feed = readFeed(raw, markup)
    if (feed) return { ...feed, text: toCleanText(feed.text) }
  }
  if (isPageType.test(type) || looksLikeHtml(raw)) return readHtml(raw, url, markup)
  const title = /markdown$/.test(type) ? (/^#{1,2}[ \t]+(.{1,300})$/m.exec(raw)?.[1] ?? null) : null
  // Markdown is often sent as plain text, so plain text stays as it is.
  const language = /^(?:text\/(?:plain|markdown|x-.*)?|application\/(?:markdown|octet-stream)|)$/.test(type)
    ? undefined
    : toLanguage(type)
  const text = toCleanText(raw)
  return {
    ...nothing,
    title: title === null ? null : toPlainLine(title) || null,
    text: language === undefined ? text : toCode(text, language),
  }
}

const isPageType = /^(?:text\/html|application\/xhtml\+xml)$/

const nothing = { title: null, byline: null, publishedAt: null, lang: null }

/** `application/rdf+xml` is `xml`, `text/css` is `css`. */
function toLanguage(type: string): string {
  return /^[^/]*\/(?:.*\+|x-)?([a-z0-9]{1,20})$/.exec(type)?.[1] ?? ''
}

function looksLikeHtml(text: string): boolean {
  return /^\s*(?:<!--[^>]{0,1000}-->\s*)?<(?:!doctype html|html)[\s>]/i.test(text.slice(0, 2048))
}

/** If no main content is found, returns all visible text. */
function readHtml(html: string, url: string, markup: Markup | undefined): ReadPage {
  const page = extractPage(html, { url, markup })
  return { ...page, text: toCleanText(page.text) || toCleanText(renderPage(parseHtml(html), markup)) }
}

function toJsonText(raw: string): string {
  try {
    return toCleanText(JSON.stringify(JSON.parse(raw), null, 2))
  } catch {
    // JSON lines or truncated JSON: return it unchanged.
    return toCleanText(raw)
  }
}

export function toCleanText(text: string): string {
  return stripHidden(text.replaceAll('\r\n', '\n'), 'prose').trim()
}

export function toUnreadable(reason: string): ToolError {
  return new ToolError('parse_failed', `The page cannot be read: ${reason}.`)
}
