import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'
import type { Block, Code, Inline, Item } from './block.ts'

type Root = ReturnType<typeof fromMarkdown>
/** The parts of a node that are used here and to render Markdown in a terminal. */
export interface MarkdownNode {
  readonly type: string
  readonly children?: readonly MarkdownNode[]
  readonly value?: string
  readonly alt?: string | null
  readonly depth?: number
  readonly url?: string
  readonly label?: string | null
  readonly ordered?: boolean | null
  readonly start?: number | null
  readonly spread?: boolean | null
  readonly lang?: string | null
  readonly meta?: string | null
  readonly position?: Root['position']
}

/** The top-level blocks of a text with line numbers, which start after `offset`. */
export function parseMarkdown(text: string, offset = 0): Block[] {
  return childrenOf(readMarkdown(text)).map((node) => toBlock(node, offset))
}

/** The tree of a text: CommonMark with tables. */
export function readMarkdown(text: string): MarkdownNode {
  return fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] })
}

function toBlock(node: MarkdownNode, offset: number): Block {
  const line = startOf(node, offset)
  const lastLine = (node.position?.end.line ?? 1) + offset
  switch (node.type) {
    case 'heading':
      return { kind: 'heading', line, depth: node.depth ?? 1, text: plainOf(node) }
    case 'paragraph':
      return { kind: 'paragraph', line, lastLine, inlines: inlinesOf(node) }
    case 'list':
      return { kind: 'list', line, lastLine, items: childrenOf(node).map((item) => toItem(item, offset, 0)) }
    case 'code':
      return toCode(node, offset)
    case 'table':
      return {
        kind: 'table',
        line,
        rows: childrenOf(node).map((row) => ({
          line: startOf(row, offset),
          cells: childrenOf(row).map((cell) => plainOf(cell).trim()),
        })),
      }
    default:
      return { kind: 'other', line, lastLine }
  }
}

/** Max depth of nested lists. */
const maxDepth = 8

function toItem(node: MarkdownNode, offset: number, depth: number): Item {
  const [first, ...rest] = childrenOf(node)
  const isText = first?.type === 'paragraph'
  const others = isText ? rest : childrenOf(node)
  return {
    line: startOf(node, offset),
    inlines: isText ? inlinesOf(first) : [],
    items:
      depth < maxDepth
        ? others
            .filter(({ type }) => type === 'list')
            .flatMap((list) => childrenOf(list).map((item) => toItem(item, offset, depth + 1)))
        : [],
    codes: others.filter(({ type }) => type === 'code').map((code) => toCode(code, offset)),
  }
}

function toCode(node: MarkdownNode, offset: number): Code {
  const { lang, meta, value = '' } = node
  const line = startOf(node, offset)
  // Indented code has no fence, so its text starts with the block.
  const lines = (node.position?.end.line ?? line) - (node.position?.start.line ?? line) + 1
  const isIndented = lang == null && meta == null && value.split(/\r\n|\n|\r/).length === lines
  return {
    kind: 'code',
    line,
    firstLine: isIndented ? line : line + 1,
    language: (lang ?? '').toLowerCase(),
    text: value,
  }
}

/** Line breaks within a paragraph become spaces. */
function inlinesOf(node: MarkdownNode): Inline[] {
  return childrenOf(node).map((part): Inline => {
    if (part.type === 'text') return { kind: 'text', text: part.value!.replaceAll(/[ \t]*(?:\r\n|\n|\r)[ \t]*/g, ' ') }
    if (part.type === 'inlineCode') return { kind: 'code', text: part.value! }
    if (part.type === 'strong') return { kind: 'strong', text: plainOf(part) }
    return { kind: 'other', text: part.type === 'break' ? ' ' : plainOf(part) }
  })
}

function plainOf(node: MarkdownNode): string {
  const texts: string[] = []
  // Markup can be nested arbitrarily deep, so this does not recurse.
  const waiting = [node]
  for (let part = waiting.pop(); part; part = waiting.pop()) {
    if (typeof part.value === 'string') texts.push(part.value)
    else if (typeof part.alt === 'string') texts.push(part.alt)
    else waiting.push(...childrenOf(part).reverse())
  }
  return texts.join('').replaceAll(/[ \t]*(?:\r\n|\n|\r)[ \t]*/g, ' ')
}

function childrenOf(node: MarkdownNode): MarkdownNode[] {
  return [...(node.children ?? [])]
}

function startOf(node: MarkdownNode, offset: number): number {
  return (node.position?.start.line ?? 1) + offset
}
