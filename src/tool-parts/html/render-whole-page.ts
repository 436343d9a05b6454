import { renderBlocks } from './render-blocks.ts'
import { toBlocks } from './to-blocks.ts'
import type { Page } from './tree.ts'

/** All visible text of a page, including menus. */
export function renderWholePage(page: Page): string {
  return renderBlocks(toBlocks(page))
}
