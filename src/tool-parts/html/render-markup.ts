import { escapeMarkdown } from './markdown-text.ts'
import { isTight, withPrefix } from './render-blocks.ts'
import type { Anchor, Markup, Pictures, RichText } from './rich-writer.ts'
import type { Block } from './to-blocks.ts'

type Rich = Block & { readonly rich: RichText }

/** Renders blocks that were read with markup: as Markdown, or as plain text with links. */
export function renderMarkup(blocks: readonly Block[], markup: Markup): string {
  const parts = markup.format === 'markdown' ? toMarkdownParts(blocks as Rich[]) : toTextParts(blocks as Rich[])
  if (markup.links === 'list') parts.push(...toLinkList(blocks as Rich[], markup))
  return parts.join('')
}

function toTextParts(blocks: readonly Rich[]): string[] {
  return blocks.flatMap((block, at) => {
    const { rich } = block
    const text = rich.cells ? rich.cells.join(' | ').replace(/ {2,}/g, ' ').trim() : rich.text
    const gap = at === 0 ? '' : isTight(blocks[at - 1]!, block) ? '\n' : '\n\n'
    return [gap, withPrefix(text, rich)]
  })
}

function toMarkdownParts(blocks: readonly Rich[]): string[] {
  const parts: string[] = []
  const shown = new Set<Pictures>()
  const show = (pictures: Pictures | undefined) => {
    if (!pictures || shown.has(pictures)) return
    shown.add(pictures)
    parts.push(parts.length === 0 ? '' : '\n\n', pictures.text)
  }
  for (let at = 0; at < blocks.length; at++) {
    const block = blocks[at]!
    const before = blocks[at - 1]
    show(block.rich.before)
    if (parts.length > 0) parts.push(toGap(before, block))
    if (block.rich.cells) {
      const rows = takeRows(blocks, at)
      parts.push(toTable(rows))
      at += rows.length - 1
    } else parts.push(withPrefix(block.rich.text, block.rich))
    show(blocks[at]!.rich.after)
  }
  return parts
}

/** Between blocks of the same quote, the blank line is part of the quote. */
function toGap(before: Rich | undefined, block: Rich): string {
  if (!before) return '\n\n'
  if (isTight(before, block)) return '\n'
  const quotes = /^(?:[> ]*>)?/.exec(sharedStart(before.rich.indent, block.rich.indent))![0]
  return `\n${quotes}\n`
}

function sharedStart(one: string, other: string): string {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return one.slice(0, length)
}

function takeRows(blocks: readonly Rich[], from: number): Rich[] {
  let end = from + 1
  while (end < blocks.length && blocks[end]!.kind === 'row' && isTight(blocks[end - 1]!, blocks[end]!)) end++
  return blocks.slice(from, end)
}

/** Tables in Markdown need a header; it is empty if the page has none. */
function toTable(rows: readonly Rich[]): string {
  const first = rows[0]!.rich
  const columns = rows.reduce((most, { rich }) => Math.max(most, rich.cells!.length), 0)
  const toLine = (cells: readonly string[]) =>
    `| ${Array.from({ length: columns }, (_, at) => cells[at] ?? '').join(' | ')} |`
  const lines = rows.map(({ rich }) => toLine(rich.cells!))
  if (!first.isHeader) lines.unshift(toLine([]))
  lines.splice(1, 0, toLine(Array.from({ length: columns }, () => '---')))
  return withPrefix(lines.join('\n'), first)
}

/** Each address once. */
function toLinkList(blocks: readonly Rich[], { format }: Markup): string[] {
  const links = new Map<string, Anchor>()
  for (const { rich } of blocks)
    for (const anchor of rich.anchors) if (!links.has(anchor.url)) links.set(anchor.url, anchor)
  if (links.size === 0) return []
  const toLine = ({ text, url }: Anchor) =>
    format === 'markdown'
      ? `\n- [${escapeMarkdown(text || url)}](${url})`
      : `\n- ${text === '' ? '' : `${text} `}<${url}>`
  return [format === 'markdown' ? '\n\n## Links\n' : '\n\nLinks:\n', ...[...links.values()].map(toLine)]
}
