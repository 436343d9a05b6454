import { chooseBlocks } from './choose-blocks.ts'
import { type MeasuredPage, measurePage } from './measure-page.ts'
import { type Metadata, readMetadata } from './metadata/read-metadata.ts'
import { parseHtml } from './parse-html.ts'
import { readJsonLdBody } from './read-json-ld-body.ts'
import { renderBlocks } from './render-blocks.ts'
import { scoreBlocks } from './score-blocks.ts'
import { type Page, textOf } from './tree.ts'

/** In characters; a text this long is no remainder. */
const short = 1500

const muchMore = 3

/** More than a request to turn scripts on. */
const minText = 200

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

/** What a page is about, as plain text, without what is around it; '' when the page has no text. */
export function extractText(page: Page, score: (measured: MeasuredPage) => number[] = scoreBlocks): string {
  const text = readSeen(measurePage(page), score)
  if (text.length >= short) return text
  // A page that its scripts fill has its text elsewhere.
  const [longest] = [readJsonLdBody(page), readWithoutScripts(page)].sort((a, b) => b.length - a.length)
  return longest!.length > muchMore * text.length ? longest! : text
}

function readSeen(measured: MeasuredPage, score: (measured: MeasuredPage) => number[]): string {
  return renderBlocks(chooseBlocks(measured, score(measured)))
}

function readWithoutScripts(page: Page): string {
  const hasText = page.elements.some((element) => element.tag === 'noscript' && textOf(element).trim().length > minText)
  return hasText ? readSeen(measurePage(page, { scripts: false }), scoreBlocks) : ''
}
