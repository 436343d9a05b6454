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

export interface Heading {
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
