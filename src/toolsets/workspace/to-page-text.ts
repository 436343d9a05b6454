import { toPlainLine } from '../web/extract/metadata/plain-line.ts'
import { parseHtml } from '../web/extract/parse-html.ts'
import { renderWholePage } from '../web/extract/render-whole-page.ts'
import { textOf } from '../web/extract/tree.ts'

/** All that people see of a page, below its title. */
export function toPageText(html: string): string {
  const page = parseHtml(html)
  const title = page.elements.find(({ tag }) => tag === 'title')
  return [...(title ? [toPlainLine(textOf(title))] : []), renderWholePage(page)].filter(Boolean).join('\n\n')
}
