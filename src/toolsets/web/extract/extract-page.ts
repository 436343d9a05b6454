import { extractText } from './extract-text.ts'
import { type Metadata, readMetadata } from './metadata/read-metadata.ts'
import { parseHtml } from './parse-html.ts'

export interface ExtractedPage extends Metadata {
  /** What the page is about, without what is around it; '' when there is nothing. */
  readonly text: string
}

/**
 * What a page says, as plain text, and who wrote it and when.
 *
 * @example extractPage('<title>Rain</title><p>It rained all day.', { url: 'https://example.com/' }).text
 */
export function extractPage(html: string, options: { url: string }): ExtractedPage {
  const page = parseHtml(html)
  return { ...readMetadata(page, options), text: extractText(page) }
}
