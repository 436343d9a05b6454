import type { Block } from './to-blocks.ts'
import { closest, type Element } from './tree.ts'

/** Plain text: a blank line between blocks, a line end between items and rows. */
export function renderBlocks(blocks: readonly Block[]): string {
  /** Joined once at the end: repeated concatenation would retain the whole page through cons strings. */
  const parts: string[] = []
  let before: Block | undefined
  for (const block of blocks) {
    if (before) parts.push(isTight(before, block) ? '\n' : '\n\n')
    parts.push(withPrefix(block.text, block))
    before = block
  }
  return parts.join('')
}

/** Whether two blocks belong to the same list, table or definition, so that no blank line separates them. */
export function isTight(before: Block, block: Block): boolean {
  if (block.kind === 'row') return before.kind === 'row' && isSameAround(before, block, 'table')
  if (block.lead.endsWith(': ')) return isSameAround(before, block, 'dl')
  return block.kind === 'item' && before.kind === 'item'
}

function isSameAround(before: Block, block: Block, tag: string): boolean {
  const find = (element: Element) => closest(element, (around) => around.tag === tag)
  const found = find(block.element)
  return found !== undefined && found === find(before.element)
}

export function withPrefix(text: string, { lead, indent }: { readonly lead: string; readonly indent: string }): string {
  return lead + (indent === '' ? text : text.replaceAll('\n', `\n${indent}`))
}
