import { renderBlocks } from './render-blocks.ts'
import { toBlocks } from './to-blocks.ts'
import type { Page } from './tree.ts'

/** Everything that people see of a page, menus and all, as plain text. */
export function renderWholePage(page: Page): string {
  return renderBlocks(toBlocks(page))
}
