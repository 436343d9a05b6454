/** Inline text, and whether it is code or bold. `other` is any other markup, reduced to its text. */
export interface Inline {
  readonly kind: 'text' | 'code' | 'strong' | 'other'
  readonly text: string
}

export interface Item {
  readonly line: number
  readonly inlines: readonly Inline[]
  readonly items: readonly Item[]
  readonly codes: readonly Code[]
}

export interface Code {
  readonly kind: 'code'
  /** The first line, including the fence. */
  readonly line: number
  /** The line where `text` starts. */
  readonly firstLine: number
  readonly language: string
  readonly text: string
}

export interface Table {
  readonly kind: 'table'
  readonly line: number
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[]
}

interface Heading {
  readonly kind: 'heading'
  readonly line: number
  readonly depth: number
  readonly text: string
}

export interface Paragraph {
  readonly kind: 'paragraph'
  readonly line: number
  readonly lastLine: number
  readonly inlines: readonly Inline[]
}

interface List {
  readonly kind: 'list'
  readonly line: number
  readonly lastLine: number
  readonly items: readonly Item[]
}

/** A top-level block of a document. */
export type Block =
  | Heading
  | Paragraph
  | List
  | Code
  | Table
  | { readonly kind: 'other'; readonly line: number; readonly lastLine: number }

export function textOf(inlines: readonly Inline[]): string {
  return inlines.map(({ text }) => text).join('')
}

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
