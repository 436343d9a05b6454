import { type Block, toBlocks } from './to-blocks.ts'
import { closest, type Element, type Page } from './tree.ts'

/** Plain text: a blank line between blocks, a line end between items and rows. */
export function renderBlocks(blocks: readonly Block[]): string {
  /** Joined once at the end: repeated concatenation would retain the whole page through cons strings. */
  const parts: string[] = []
  let before: Block | undefined
  for (const block of blocks) {
    if (before) parts.push(isTight(before, block) ? '\n' : '\n\n')
    parts.push(toLines(block))
    before = block
  }
  return parts.join('')
}

function isTight(before: Block, block: Block): boolean {
  if (block.kind === 'row') return before.kind === 'row' && tableOf(before.element) === tableOf(block.element)
  return block.kind === 'item' && before.kind === 'item'
}

function tableOf(element: Element): Element | undefined {
  return closest(element, ({ tag }) => tag === 'table')
}

function toLines({ kind, text, lists }: Block): string {
  if (kind !== 'item') return text
  const indent = '  '.repeat(Math.min(6, Math.max(0, lists - 1)))
  return `${indent}- ${text.replaceAll('\n', `\n${indent}  `)}`
}

/** All visible text of a page, including menus. */
export function renderWholePage(page: Page): string {
  return renderBlocks(toBlocks(page))
}
