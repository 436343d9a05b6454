import { stripHidden } from '../../contract/text/hidden-characters.ts'
import { isHidden } from './is-hidden.ts'
import type { Element, Page } from './tree.ts'

/** A unit of text: a paragraph, a heading, a list item or a table row. */
export interface Block {
  /** The innermost block-level element around it. */
  readonly element: Element
  readonly kind: 'text' | 'heading' | 'item' | 'row' | 'code'
  /** White space collapsed, `\n` for a line break; verbatim in code. Never empty. */
  readonly text: string
  /** Number of characters inside links. */
  readonly linked: number
  readonly links: number
  /** Nesting depth of lists. */
  readonly lists: number
}

/** All visible blocks in document order; with `scripts: false`, as in a browser without scripts. */
export function toBlocks(page: Page, { scripts = true }: { scripts?: boolean } = {}): Block[] {
  const blocks: Block[] = []
  /** Open elements and how many children of each have been read. */
  const path: Element[] = [page.root]
  const read: number[] = [0]
  const around: Element[] = [page.root]
  let text = ''
  let linked = 0
  let links = 0
  let inLink = 0
  let inCode = 0
  let row: Element | undefined
  let lists = 0
  let freshItem = false

  function end() {
    const code = inCode > 0
    const clean = code ? text.replace(/^\n+/, '').trimEnd() : tidy(text)
    if (clean !== '') {
      const element = row ?? around.at(-1)!
      const kind = code ? 'code' : row ? 'row' : headings.has(element.tag) ? 'heading' : freshItem ? 'item' : 'text'
      blocks.push({ element, kind, text: clean, linked: Math.min(linked, clean.length), links, lists })
      freshItem = false
    }
    text = ''
    linked = 0
    links = 0
  }

  function enter(element: Element) {
    const { tag } = element
    if (tag === 'br') return lineBreak()
    if (tag === 'a') {
      inLink++
      links++
    }
    if (!blockTags.has(tag)) return
    if (row && cellTags.has(tag)) {
      if (text.trim() !== '') text += ' | '
      return
    }
    if (row) {
      text += ' '
      return
    }
    end()
    around.push(element)
    if (tag === 'pre') inCode++
    if (tag === 'tr' && isPlainRow(element, page)) row = element
    if (listTags.has(tag)) lists++
    if (tag === 'li') freshItem = true
  }

  function leave(element: Element) {
    const { tag } = element
    if (tag === 'a') inLink--
    if (!blockTags.has(tag)) return
    if (row && row !== element) {
      text += ' '
      return
    }
    end()
    around.pop()
    if (row === element) row = undefined
    if (tag === 'pre') inCode--
    if (listTags.has(tag)) lists--
    if (tag === 'li') freshItem = false
  }

  /** One `<br>` starts a line, two start a block. */
  function lineBreak() {
    if (row) text += ' '
    else if (inCode === 0 && /\n\s*$/.test(text.slice(-20))) end()
    else text += '\n'
  }

  function isSeen(child: Element): boolean {
    if (child.tag === 'noscript') return !scripts
    return !isHidden(child) && !controls.has(child.tag)
  }

  while (path.length > 0) {
    const top = path.at(-1)!
    const child = top.children[read[read.length - 1]!++]
    if (child === undefined) {
      leave(top)
      path.pop()
      read.pop()
    } else if (typeof child === 'string') {
      const seen = stripHidden(child, 'prose')
      const piece = inCode > 0 ? seen : seen.replace(space, ' ')
      text += piece
      if (inLink > 0) linked += piece.length
    } else if (isSeen(child)) {
      enter(child)
      path.push(child)
      read.push(0)
    }
  }
  return blocks
}

/** Any white space except a single space. Most texts do not match and need no copy. */
const space = / \s+|[^\S ]\s*/g

function tidy(text: string): string {
  const folded = text.replace(/ {2,}/g, ' ').replace(/ ?\n ?/g, '\n')
  // A loop, because a regular expression anchored at the end is quadratic on runs of spaces.
  let [start, end] = [0, folded.length]
  while (start < end && edges.includes(folded[start]!)) start++
  while (end > start && edges.includes(folded[end - 1]!)) end--
  return folded.slice(start, end)
}

const edges = ' \n|'

/** Renders a row of short cells as one line. Layout tables have longer cells. */
function isPlainRow(row: Element, page: Page): boolean {
  let cells = 0
  let length = 0
  for (let at = row.index + 1; at < row.end; at++) {
    const element = page.elements[at]!
    if (cellTags.has(element.tag)) cells++
    else if (!innerTags.has(element.tag) && blockTags.has(element.tag)) return false
    for (const child of element.children) if (typeof child === 'string') length += child.trim().length
    if (length > maxInRow) return false
  }
  return cells > 1
}

const maxInRow = 400
const cellTags = new Set(['td', 'th'])
const innerTags = new Set(['p', 'div'])
const listTags = new Set(['ul', 'ol', 'menu', 'dir'])
const headings = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])

/** Controls, and the ruby text above Japanese words. */
const controls = new Set(['select', 'button', 'textarea', 'input', 'progress', 'meter', 'rt', 'rp'])

const blockTags = new Set(
  (
    'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer ' +
    'form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol p pre section summary table tbody td ' +
    'tfoot th thead tr ul xmp'
  ).split(' '),
)
