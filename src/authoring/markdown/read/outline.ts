import type { Block, Heading } from './block.ts'

/** A heading and everything below it, up to the next heading of the same depth. */
export interface Section {
  /** Undefined before the first heading. */
  readonly heading?: Heading
  readonly blocks: readonly Block[]
  readonly sections: readonly Section[]
}

interface Growing {
  readonly heading?: Heading
  readonly blocks: Block[]
  readonly sections: Growing[]
}

export function outline(blocks: readonly Block[]): Section {
  const root: Growing = { blocks: [], sections: [] }
  const open = [root]
  for (const block of blocks) {
    if (block.kind !== 'heading') {
      open.at(-1)!.blocks.push(block)
      continue
    }
    while (open.length > 1 && open.at(-1)!.heading!.depth >= block.depth) open.pop()
    const section: Growing = { heading: block, blocks: [], sections: [] }
    open.at(-1)!.sections.push(section)
    open.push(section)
  }
  return root
}
