import { stripHidden } from '../../../contract/text/hidden-characters.ts'
import { isHidden } from './is-hidden.ts'
import type { Element, Page } from './tree.ts'

/** A piece of text that stands on its own: a paragraph, a heading, an item of a list, a row of a table. */
export interface Block {
  /** The innermost element around it that makes a block. */
  readonly element: Element
  readonly kind: 'text' | 'heading' | 'item' | 'row' | 'code'
  /** White space folded, `\n` for a line break; as written in code. Never empty. */
  readonly text: string
  /** How many characters of it are in links. */
  readonly linked: number
  readonly links: number
  /** How many lists it is in. */
  readonly lists: number
}

/** All that people see of a page, in its order; on demand, what they see whose browsers run no scripts. */
export function toBlocks(page: Page, { scripts = true }: { scripts?: boolean } = {}): Block[] {
  const blocks: Block[] = []
  /** The elements around, and how many children of each were read. */
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

  /** One begins a line, two begin a block. */
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

/** All white space but a single space, which is what it becomes: most texts need no copy. */
const space = / \s+|[^\S ]\s*/g

function tidy(text: string): string {
  const folded = text.replace(/ {2,}/g, ' ').replace(/ ?\n ?/g, '\n')
  // By hand: a pattern for the end of a text takes long on texts that are full of what it looks for.
  let [start, end] = [0, folded.length]
  while (start < end && edges.includes(folded[start]!)) start++
  while (end > start && edges.includes(folded[end - 1]!)) end--
  return folded.slice(start, end)
}

const edges = ' \n|'

/** A row of short cells is one line. Tables that lay out a page have more in their cells. */
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

/** What people operate rather than read, and the small print above Japanese words. */
const controls = new Set(['select', 'button', 'textarea', 'input', 'progress', 'meter', 'rt', 'rp'])

const blockTags = new Set(
  (
    'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer ' +
    'form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol p pre section summary table tbody td ' +
    'tfoot th thead tr ul xmp'
  ).split(' '),
)
