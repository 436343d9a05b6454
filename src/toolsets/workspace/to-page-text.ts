import type { Fetched } from '../../capabilities/web.ts'
import { stripHidden } from '../../contract/text/hidden-characters.ts'
import { isBinary } from '../../contract/text/is-binary.ts'
import { decodePage } from '../../tool-parts/html/decode-page.ts'
import { escapeMarkdown } from '../../tool-parts/html/markdown-text.ts'
import { parseHtml } from '../../tool-parts/html/parse-html.ts'
import { toPlainLine } from '../../tool-parts/html/plain-line.ts'
import { renderPage } from '../../tool-parts/html/render-page.ts'
import type { Markup } from '../../tool-parts/html/rich-writer.ts'
import { textOf } from '../../tool-parts/html/tree.ts'

export interface PageTextRequest {
  readonly fetched: Pick<Fetched, 'body' | 'contentType' | 'truncated'>
  /** The media type, without parameters. */
  readonly type: string
  readonly markup: Markup | undefined
}

/** The text of a response; undefined if it is binary. Runs in a thread for large pages. */
export async function run({ fetched, type, markup }: PageTextRequest): Promise<string | undefined> {
  const { text } = await decodePage(fetched.body, fetched)
  if (isBinary(text, { isPage: isPageType.test(type) })) return undefined
  return stripHidden(isHtml(type, text) ? toPageText(text, markup) : text, 'prose')
}

/** The visible text of a page, below its title. */
export function toPageText(html: string, markup?: Markup): string {
  const page = parseHtml(html.replaceAll('\0', ''))
  const title = page.elements.find(({ tag }) => tag === 'title')
  const line = title ? toPlainLine(textOf(title)) : ''
  const heading = markup?.format === 'markdown' && line !== '' ? `# ${escapeMarkdown(line)}` : line
  return [heading, renderPage(page, markup)].filter(Boolean).join('\n\n')
}

const isPageType = /^(?:text\/html|application\/xhtml\+xml)$/

function isHtml(type: string, text: string): boolean {
  if (isPageType.test(type)) return true
  return type === '' && /^\s*<(?:!doctype html|html)[\s>]/i.test(text)
}
