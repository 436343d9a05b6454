import { parseHtml } from '../../tool-parts/html/parse-html.ts'
import { toPlainLine } from '../../tool-parts/html/plain-line.ts'
import { renderWholePage } from '../../tool-parts/html/render-blocks.ts'
import { textOf } from '../../tool-parts/html/tree.ts'

/** The visible text of a page, below its title. */
export function toPageText(html: string): string {
  const page = parseHtml(html)
  const title = page.elements.find(({ tag }) => tag === 'title')
  return [...(title ? [toPlainLine(textOf(title))] : []), renderWholePage(page)].filter(Boolean).join('\n\n')
}
