import { measurePage } from './measure-page.ts'
import { readMetadata } from './metadata/read-metadata.ts'
import { parseHtml } from './parse-html.ts'
import { renderBlocks } from './render-blocks.ts'
import { scoreBlocks } from './score-blocks.ts'

export interface ExtractedPage {
  readonly title: string | null
  readonly byline: string | null
  readonly publishedAt: string | null
  readonly lang: string | null
  /** What the page is about, without what is around it; '' when there is nothing. */
  readonly text: string
}

/** What a page says, as plain text, and who wrote it and when. */
export function extractPage(html: string, options: { url: string }): ExtractedPage {
  const page = parseHtml(html)
  const measured = measurePage(page)
  const scores = scoreBlocks(measured)
  const blocks = measured.lines.map(({ block }) => block)
  const text = renderBlocks(blocks.filter((_, at) => scores[at]! >= 0.5))
  return { ...readMetadata(page, options), text }
}
