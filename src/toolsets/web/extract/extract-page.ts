import { escapeText } from '../../../tool-parts/html/markdown-text.ts'
import { parseHtml } from '../../../tool-parts/html/parse-html.ts'
import { renderBlocks } from '../../../tool-parts/html/render-blocks.ts'
import { renderMarkup } from '../../../tool-parts/html/render-markup.ts'
import type { Markup } from '../../../tool-parts/html/rich-writer.ts'
import { type Page, textOf } from '../../../tool-parts/html/tree.ts'
import { chooseBlocks } from './choose-blocks.ts'
import { describeImages } from './describe-images.ts'
import type { MeasuredPage } from './measure-page.ts'
import { type Metadata, readMetadata } from './metadata/read-metadata.ts'
import { readEmbedded } from './read-embedded.ts'
import { scoreBlocks } from './score-blocks.ts'
import { viewPage } from './view-page.ts'

/** In characters. A shorter text may be a stub of a page that scripts fill. */
const short = 1500

/** Below this, the page has as good as no text, so that any prose in its data may be it. */
const none = 300

/** The fallback must be this many times longer. */
const muchMore = 3

export interface ExtractedPage extends Metadata {
  /** The main content without navigation and other boilerplate; '' if there is none. */
  readonly text: string
  /**
   * Where the text is from if not from what the page shows: `hidden` until its scripts have run, or in their `data`.
   * `doubtful`: almost nothing looked like content, so that parts are included that probably are none.
   * `images`: there is no text, so this is the page's description and what its images show.
   */
  readonly taken?: 'hidden' | 'data' | 'doubtful' | 'images'
}

/**
 * Extracts the main content of a page as plain text, or with markup, with title, author and date.
 *
 * @example extractPage('<title>Rain</title><p>It rained all day.', { url: 'https://example.com/' }).text
 */
export function extractPage(html: string, options: { url: string; markup?: Markup | undefined }): ExtractedPage {
  const page = parseHtml(html)
  return { ...readMetadata(page, options), ...extractText(page, options) }
}

interface Extraction {
  readonly url: string
  readonly markup?: Markup | undefined
  readonly score?: (measured: MeasuredPage) => number[]
}

/** The main content, without boilerplate; '' if the page has no text. */
export function extractText(
  page: Page,
  { url, markup, score = scoreBlocks }: Extraction,
): Pick<ExtractedPage, 'text' | 'taken'> {
  const measured = viewPage(page, { url, markup })
  const { blocks, isMore } = chooseBlocks(measured, score(measured))
  const plain = renderBlocks(blocks)
  if (plain.length < short) {
    const embedded = readEmbedded(page, { withData: plain.length < none })
    if (embedded.length > muchMore * plain.length)
      return { text: markup?.format === 'markdown' ? escapeText(embedded) : embedded, taken: 'data' }
    const framed = readWithoutFrames(page, { url, markup })
    if (framed.length > plain.length) return { text: framed }
  }
  if (plain === '') {
    const described = describeImages(page)
    if (described !== '')
      return { text: markup?.format === 'markdown' ? escapeText(described) : described, taken: 'images' }
  }
  const text = markup ? renderMarkup(blocks, markup) : plain
  if (measured.withHidden && text !== '') return { text, taken: 'hidden' }
  return isMore ? { text, taken: 'doubtful' } : { text }
}

/** What a page of frames shows to browsers that have none. */
function readWithoutFrames(page: Page, options: Extraction): string {
  if (!page.elements.some(({ tag }) => tag === 'frameset')) return ''
  const html = page.elements.flatMap((element) => (element.tag === 'noframes' ? [textOf(element)] : [])).join('\n')
  // Nothing in there has frames again.
  return html === '' ? '' : extractText(parseHtml(html.replace(/<\/?frameset/gi, '<div')), options).text
}
