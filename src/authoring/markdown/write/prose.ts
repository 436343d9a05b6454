import { printable } from '../../../contract/text/printable.ts'
import type { Block, Inline } from '../read/block.ts'
import { textOf } from '../read/block.ts'
import { parseMarkdown } from '../read/parse-markdown.ts'

/** Markdown that is read back as exactly this text: paragraphs. Undefined where there is none that people could read. */
export function toParagraphs(text: string): string | undefined {
  return choose(text, (markdown) => {
    const blocks = parseMarkdown(markdown)
    const paragraphs = blocks.filter((block) => block.kind === 'paragraph')
    if (paragraphs.length < blocks.length || !paragraphs.every(({ inlines }) => isPlainText(inlines))) return false
    return paragraphs.map(({ inlines }) => textOf(inlines)).join('\n\n') === text
  })
}

/** The same as an item of a list, where `before` stands in front of it. */
export function toItemText(text: string, before = ''): string | undefined {
  if (text !== text.trim() || text.includes('\n')) return undefined
  return choose(text, (markdown) => {
    const [list, ...more] = parseMarkdown(`- ${before}${markdown}`) as [Block, ...Block[]]
    if (list.kind !== 'list' || more.length > 0 || list.items.length !== 1) return false
    const [{ inlines, items, codes }] = list.items as [(typeof list.items)[number]]
    return items.length === 0 && codes.length === 0 && isPlainText(inlines) && textOf(inlines) === before + text
  })
}

/** Text that people can read in place of one that Markdown cannot hold; it may say less. */
export function toRoughText(text: string): string {
  return toParagraphs(printable(text.replaceAll(/\s+/g, ' ')).trim()) ?? ''
}

/** As it is where that means the same, else with its marks escaped. What could not be seen is not written as prose. */
function choose(text: string, carries: (markdown: string) => boolean): string | undefined {
  if (text === '' || printable(text.replaceAll('\n', ' ')) !== text.replaceAll('\n', ' ')) return undefined
  return [text, escapeMarks(text)].find(carries)
}

function isPlainText(inlines: readonly Inline[]): boolean {
  return inlines.every(({ kind }) => kind === 'text')
}

function escapeMarks(text: string): string {
  return text
    .replaceAll(/[\\`*_[\]<>&|~]/g, String.raw`\$&`)
    .replaceAll(/^(#|[-+=])/gm, String.raw`\$1`)
    .replaceAll(/^(\d{1,9})([.)])/gm, String.raw`$1\$2`)
}
