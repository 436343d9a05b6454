import type { Fetched } from '../../capabilities/web.ts'
import { escapeText } from '../../tool-parts/html/markdown-text.ts'
import { toPlainLine } from '../../tool-parts/html/plain-line.ts'
import type { Documents } from './capability/documents.ts'
import { findDate } from './extract/metadata/find-date.ts'
import { type ReadContent, type ReadOptions, run, type TextRequest, toCleanText, toMediaType, toPart, toUnreadable } from './read-text.ts' // biome-ignore format: one line

/** Reading less takes so little time that other callers do not notice. Starting a thread takes as long as reading this much. */
const maxInline = 262_144

interface Reading extends ReadOptions {
  readonly documents: Documents
  /** Reads large pages in a thread. */
  readonly largePages: LargePages
  readonly signal: AbortSignal
  readonly caller: string
}

/** Reads a page as `run` of `read-text.ts` does, in a thread. */
export interface LargePages {
  run(request: TextRequest, options: { signal: AbortSignal; caller: string }): Promise<ReadContent>
}

/**
 * Reads HTML, feeds, PDF, JSON, Markdown and other text. The format follows from the content type and the content.
 * Fails with `parse_failed`.
 */
export async function readContent(
  fetched: Fetched,
  { documents, largePages, signal, caller, ...options }: Reading,
): Promise<ReadContent> {
  const { body, contentType, truncated, finalUrl } = fetched
  const type = toMediaType(contentType)
  if (body.length === 0) throw toUnreadable('it is empty')
  if (type === 'application/pdf' || startsWith(body, '%PDF-'))
    return readPdf(fetched, options, () => documents.readPdf(body, { signal, caller }))
  if (!isTextual.test(type)) throw toUnreadable(`it is not text but ${toPlainLine(type, 100)}`)
  const request = { body, contentType, truncated, finalUrl, ...options }
  return body.length > maxInline ? largePages.run(request, { signal, caller }) : run(request)
}

/** Sniffs the content if the server sends no type or a generic one. */
const isTextual =
  /^(?:text\/.*|.*\+(?:json|xml|yaml)|application\/(?:json|xml|x-ndjson|(?:x-)?yaml|toml|markdown|octet-stream)|)$/

async function readPdf(
  { truncated }: Fetched,
  options: ReadOptions,
  read: () => ReturnType<Documents['readPdf']>,
): Promise<ReadContent> {
  if (truncated) throw toUnreadable('it is a PDF of more than 10 MB')
  const { created, author, title, lang, text, truncated: isPart } = await read()
  // D:20250304101112+01'00'
  const [, year, month, day] = /^D:(\d{4})(\d{2})(\d{2})/.exec(created ?? '') ?? []
  const clean = toCleanText(text)
  const page = {
    title: toPlainLine(title ?? '') || null,
    byline: toPlainLine(author ?? '') || null,
    publishedAt: year === undefined ? null : findDate(`${year}-${month}-${day}`),
    lang: lang === null ? null : toPlainLine(lang, 35),
    text: options.format === 'markdown' ? escapeText(clean) : clean,
  }
  return { ...toPart(page, options), ...(options.withRaw && { raw: '' }), ...(isPart && { truncated: true }) }
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, text.length)) === text
}
