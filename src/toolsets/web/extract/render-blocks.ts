import type { Block } from './to-blocks.ts'

/** Plain text: blocks apart by an empty line, items and rows by a line end. */
export function renderBlocks(blocks: readonly Block[]): string {
  let text = ''
  let before: Block | undefined
  for (const block of blocks) {
    if (before) text += isTight(before, block) ? '\n' : '\n\n'
    text += toLines(block)
    before = block
  }
  return text
}

function isTight(before: Block, block: Block): boolean {
  if (block.kind === 'row') return before.kind === 'row' && before.element.parent === block.element.parent
  return block.kind === 'item' && before.kind === 'item'
}

function toLines({ kind, text, lists }: Block): string {
  if (kind !== 'item') return text
  const indent = '  '.repeat(Math.min(6, Math.max(0, lists - 1)))
  return `${indent}- ${text.replaceAll('\n', `\n${indent}  `)}`
}
