import { renderBlocks } from './render-blocks.ts'
import { renderMarkup } from './render-markup.ts'
import type { Markup } from './rich-writer.ts'
import { toBlocks } from './to-blocks.ts'
import type { Page } from './tree.ts'

/** All visible text of a page, including menus, as plain text or with markup. */
export function renderPage(page: Page, markup?: Markup): string {
  const blocks = toBlocks(page, { markup })
  return markup ? renderMarkup(blocks, markup) : renderBlocks(blocks)
}
