import { type MarkdownNode, readMarkdown } from '../../authoring/markdown/read/parse-markdown.ts'
import { type Painted, type Part, paint } from '../../contract/text/painted.ts'
import { printable } from '../../contract/text/printable.ts'
import { textOf, widthOf, wrap } from '../../runtime/approval/text/wrap.ts'
import { toAddress } from './address.ts'
import { type BlockReader, createBlockReader } from './markdown-blocks.ts'
import { toTableRows } from './markdown-table.ts'

/** A row that fits the width. */
export type Row = readonly Part[]

type Style = Exclude<Painted['style'], string>

/** Longer blocks are shown as they are: parsing takes more than linear time. */
const maxBlockLength = 10_000
/** After this time, the blocks of a text are shown as they are. */
const maxParseMs = 1000
/** Deeper blocks are flattened. */
const maxDepth = 8

/** Renders untrusted Markdown as rows. Only text, styles and http links come out of it; HTML is shown as text. */
export function toMarkdownRows(text: string, width: number): Row[] {
  const rows: Row[] = []
  const { push, end } = createMarkdownWriter({ width: () => width, write: (more) => { for (const row of more) rows.push(row) } }) // biome-ignore format: one line
  push(text)
  end()
  return rows
}

interface WriterOptions {
  /** Read for each block, so that a resize applies to the next one. */
  readonly width: () => number
  readonly write: (rows: readonly Row[]) => void
}

/** Renders streamed Markdown, each block when it is complete, with a blank row between blocks. */
export function createMarkdownWriter({ width, write }: WriterOptions): BlockReader {
  let isFirst = true
  let leftMs = maxParseMs
  const reader = createBlockReader(({ kind, text, begins }) => {
    const rows = kind === 'code' ? toCodeRows(text, width()) : toTextRows(text)
    if (rows.length === 0) return
    write(begins && !isFirst ? [[], ...rows] : rows)
    isFirst = false
  })

  function toTextRows(text: string): Row[] {
    if (text.length > maxBlockLength || leftMs <= 0) return toPlainRows(text, width())
    const startedAt = performance.now()
    const tree = readMarkdown(text)
    leftMs -= performance.now() - startedAt
    return toBlocks(tree, { width: width(), depth: 0 })
  }

  return {
    push: reader.push,
    end() {
      reader.end()
      isFirst = true
      leftMs = maxParseMs
    },
  }
}

/** The same for text that is not Markdown: lines are kept and wrapped at words. */
export function toPlainRows(text: string, width: number): Row[] {
  return toWrapped(toLogicalLines([text.trimEnd()]), width)
}

interface Place {
  readonly width: number
  readonly depth: number
}

function toBlocks(node: MarkdownNode, place: Place, isTight = false): Row[] {
  const rows: Row[] = []
  for (const child of node.children ?? []) {
    const block = toBlock(child, place)
    if (block.length === 0) continue
    if (rows.length > 0 && !isTight) rows.push([])
    for (const row of block) rows.push(row)
  }
  return rows
}

function toBlock(node: MarkdownNode, place: Place): Row[] {
  const { width } = place
  switch (node.type) {
    case 'heading':
      return toInlineRows(node, width, node.depth === 1 ? ['bold', 'underline'] : ['bold'])
    case 'list':
      return place.depth < maxDepth ? toListRows(node, place) : toInlineRows(node, width)
    case 'blockquote':
      return place.depth < maxDepth
        ? indentRows(toBlocks(node, deeper(place, 2)), paint('dim', '> '))
        : toInlineRows(node, width)
    case 'code':
      return toCodeRows(node.value ?? '', width)
    case 'table':
      return toTableRows(
        (node.children ?? []).map((row) => (row.children ?? []).map((cell) => toInlines(cell, []))),
        width,
      )
    case 'thematicBreak':
      return [[paint('dim', '─'.repeat(Math.min(width, 40)))]]
    case 'definition':
      return toWrapped(toLogicalLines([`[${node.label ?? ''}]: `, ...toLinkParts(node.url ?? '', [])]), width)
    case 'html':
      return toWrapped(toLogicalLines([paint('dim', node.value ?? '')]), width)
    default:
      return toInlineRows(node, width)
  }
}

/** Lines of code keep their indentation. */
function toCodeRows(text: string, width: number): Row[] {
  const lines = toLogicalLines([paint('cyan', text)])
  return indentRows(toWrapped(lines, Math.max(1, width - 4)), '    ')
}

function toListRows(node: MarkdownNode, place: Place): Row[] {
  const start = node.start ?? 1
  return (node.children ?? []).flatMap((item, index) => {
    const mark = node.ordered ? `${start + index}. ` : '• '
    const rows = toBlocks(item, deeper(place, widthOf(mark)), !item.spread)
    const [first = [], ...rest] = rows
    const gap = index > 0 && node.spread ? [[]] : []
    return [...gap, [mark, ...first], ...indentRows(rest, ' '.repeat(widthOf(mark)))]
  })
}

function deeper({ width, depth }: Place, by: number): Place {
  return { width: Math.max(1, width - by), depth: depth + 1 }
}

function indentRows(rows: readonly Row[], mark: Part): Row[] {
  return rows.map((row) => (row.length === 0 && textOf(mark).trim() === '' ? row : [mark, ...row]))
}

function toInlineRows(node: MarkdownNode, width: number, style: Style = []): Row[] {
  return toWrapped(toLogicalLines(toInlines(node, style)), width)
}

/** The text of a node. Markup can be nested arbitrarily deep, so this does not recurse. */
function toInlines(root: MarkdownNode, rootStyle: Style): Part[] {
  const parts: Part[] = []
  const waiting: (readonly [MarkdownNode, Style] | Part)[] = [[root, rootStyle]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (!Array.isArray(next)) {
      parts.push(next as Part)
      continue
    }
    const [node, style] = next as readonly [MarkdownNode, Style]
    if (typeof node.value === 'string') parts.push(...toLeaf(node, style))
    else if (node.type === 'break') parts.push('\n')
    else if (node.type === 'image')
      parts.push(paint('dim', `[image: ${node.alt ?? ''}] `), ...toLinkParts(node.url ?? '', style)) // biome-ignore format: one line
    else {
      const inner = styles[node.type] ? [...style, ...styles[node.type]!] : style
      const after =
        node.type === 'link' && !isItsOwnText(node) ? [' (', ...toLinkParts(node.url ?? '', style), ')'] : []
      waiting.push(...after.reverse(), ...[...(node.children ?? [])].reverse().map((child) => [child, inner] as const))
    }
  }
  return parts
}

const styles: { readonly [type: string]: Style } = {
  strong: ['bold'],
  emphasis: ['italic'],
  link: ['underline'],
}

function toLeaf({ type, value = '' }: MarkdownNode, style: Style): Part[] {
  if (type === 'inlineCode') return [paint([...style, 'cyan'], value)]
  if (type === 'html') return [paint([...style, 'dim'], value)]
  return value.split(bareAddress).flatMap((piece, index) => {
    if (index % 2 === 1) return toLinkParts(piece, style)
    return piece === '' ? [] : [style.length > 0 ? paint(style, piece) : piece]
  })
}

/** Ends before punctuation that belongs to the sentence. */
const bareAddress = /(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]}*_])/

/** An autolink, or a link whose text is its address. */
function isItsOwnText({ url, children = [] }: MarkdownNode): boolean {
  return children.length === 1 && children[0]!.value === url
}

/** The address itself is always visible, because the text of a link may lie about it. */
function toLinkParts(url: string, style: Style): Part[] {
  const link = toAddress(url)
  return [{ text: url, style: [...style, 'underline', 'blue'], ...(link !== undefined && { link }) }]
}

/** Splits parts at line breaks. Hidden characters are escaped here, so that widths are right. */
function toLogicalLines(parts: readonly Part[]): Part[][] {
  const lines: Part[][] = [[]]
  for (const part of parts) {
    for (const [index, text] of textOf(part)
      .split(/\r\n|\n|\r/)
      .entries()) {
      if (index > 0) lines.push([])
      const clean = printable(text.replaceAll('\t', '    '))
      if (clean !== '') lines.at(-1)!.push(typeof part === 'string' ? clean : { ...part, text: clean })
    }
  }
  return lines
}

function toWrapped(lines: readonly Part[][], width: number): Row[] {
  return lines.flatMap((line) => wrap(line, width).map(trimRow))
}

function trimRow(row: readonly Part[]): Row {
  const last = row.at(-1)
  if (last === undefined || !textOf(last).endsWith(' ')) return row
  const text = textOf(last).trimEnd()
  return [...row.slice(0, -1), ...(text === '' ? [] : [typeof last === 'string' ? text : { ...last, text }])]
}
