import { stripHidden } from '../../contract/text/hidden-characters.ts'
import { Containers } from './containers.ts'
import { deleted, isDeleted } from './deleted-text.ts'
import { findRevealed } from './find-revealed.ts'
import { InlineWriter } from './inline-writer.ts'
import { isHidden, isShownByStyles } from './is-hidden.ts'
import { decideRaised, isRaised, type Raised } from './raised-text.ts'
import { type Markup, type RichText, RichWriter } from './rich-writer.ts'
import { Seam } from './seam.ts'
import { isPlainRow, Rows } from './table-rows.ts'
import { blockTags, controls, headings, listTags } from './tag-kinds.ts'
import { tidy } from './tidy.ts'
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
  /** What is before its first line: `- ` or `3. ` at the start of an item, white space in the rest of the item. */
  readonly lead: string
  /** What is before its other lines. */
  readonly indent: string
  /** The same with markup, if asked for. */
  readonly rich?: RichText
}

export interface BlockOptions {
  /** False: what a browser without scripts shows. */
  readonly scripts?: boolean
  /** Also what attributes and styles hide. For pages that hide themselves until their scripts have run. */
  readonly hidden?: boolean
  /** Also writes links, and for Markdown the other markup. */
  readonly markup?: Markup | undefined
}

/** All visible blocks in document order. */
export function toBlocks(page: Page, { scripts = true, hidden = false, markup }: BlockOptions = {}): Block[] {
  const blocks: Block[] = []
  const revealed = findRevealed(page)
  /** Open elements and how many children of each have been read. */
  const path: Element[] = [page.root]
  const read: number[] = [0]
  const around: Element[] = [page.root]
  const plain = new InlineWriter()
  const rich = markup && new RichWriter(page, markup)
  const containers = new Containers()
  const rows = new Rows()
  const tables = rich ? [rows, rich.rows] : [rows]
  /** How open `<sup>` and `<sub>` are written. */
  const raised: Raised[] = []
  let apart: Raised['apart'] = 'nothing'
  const seam = new Seam()
  /** The last pieces of the block's text. Reading the text itself would copy it each time. */
  let recent: readonly [string, string, string] = ['', '', '']
  let linked = 0
  let links = 0
  let inLink = 0
  let inCode = 0
  let row: Element | undefined
  let lists = 0
  let freshItem = false

  function end() {
    const code = inCode > 0
    const written = plain.finish()
    const clean = code ? trimCode(written) : row ? toRow(rows.finish(written)) : tidy(written)
    const element = row ?? around.at(-1)!
    const kind = code ? 'code' : row ? 'row' : headings.has(element.tag) ? 'heading' : freshItem ? 'item' : 'text'
    if (clean !== '') {
      const prefixes = containers.take()
      const { lead, indent } = prefixes
      const size = Math.min(linked, clean.length)
      const block: Block = { element, kind, text: clean, linked: size, links, lists, lead, indent }
      blocks.push(rich ? { ...block, rich: rich.finish(block, prefixes) } : block)
      freshItem = false
    } else rich?.finishEmpty(row !== undefined)
    linked = 0
    links = 0
    apart = 'nothing'
    recent = ['', '', '']
  }

  function say(piece: string) {
    const isJoined = apart !== 'nothing' && (apart === 'digits' ? /^\d/ : /^[\p{L}\p{N}]/u).test(piece)
    const words = isJoined || (inCode === 0 && seam.isBetween(recent[2], piece)) ? ` ${piece}` : piece
    apart = 'nothing'
    if (words === '') return
    recent = [recent[1], recent[2], words]
    plain.write(words)
    rich?.write(words)
  }

  function enter(element: Element) {
    const { tag } = element
    if (tag === 'br') return lineBreak()
    if (tag === 'a') {
      inLink++
      links++
    }
    if (inCode === 0 && tag !== 'pre') enterInline(element)
    if (!blockTags.has(tag)) return seam.enter(element)
    if (inCode > 0 && tag !== 'pre') return lineInCode()
    if (row) {
      if (tag !== 'td' && tag !== 'th') return say(' ')
      rows.enterCell(element, plain.finish())
      rich?.enterCell(element)
      return
    }
    end()
    around.push(element)
    containers.enter(element)
    if (tag === 'pre') inCode++
    if (tag === 'table') for (const each of tables) each.enterTable()
    if (tag === 'tr') {
      if (isPlainRow(element, page)) row = element
      else for (const each of tables) each.skipRow()
    }
    if (listTags.has(tag)) lists++
    if (tag === 'li') freshItem = true
  }

  function leave(element: Element) {
    const { tag } = element
    if (tag === 'a') inLink--
    if (inCode === 0) leaveInline(element)
    if (!blockTags.has(tag)) return seam.leave(element)
    if (inCode > 0 && tag !== 'pre') return lineInCode()
    if (row && row !== element) return say(' ')
    end()
    around.pop()
    containers.leave(element)
    if (row === element) row = undefined
    if (tag === 'pre') inCode--
    if (tag === 'table') for (const each of tables) each.leaveTable()
    if (listTags.has(tag)) lists--
    if (tag === 'li') freshItem = false
  }

  function enterInline(element: Element) {
    const { tag } = element
    if (tag === 'q') say('"')
    if (isRaised(element)) {
      const how = decideRaised(element, recent.map((piece) => piece.slice(-40)).join(''))
      if (how.start !== '') say(how.start)
      raised.push(how)
    }
    if (isDeleted(element)) plain.open(deleted)
    rich?.enter(element)
  }

  function leaveInline(element: Element) {
    const { tag } = element
    rich?.leave(element)
    if (isDeleted(element)) plain.close()
    if (tag === 'q') say('"')
    if (isRaised(element)) {
      const how = raised.pop()!
      if (how.end !== '') say(how.end)
      apart = how.apart
    }
  }

  function lineInCode() {
    if (recent[2] !== '' && !recent[2].endsWith('\n')) say('\n')
  }

  /** One `<br>` starts a line, two start a block. */
  function lineBreak() {
    if (row) say(' ')
    else if (inCode === 0 && /\n\s*$/.test(recent.map((piece) => piece.slice(-20)).join(''))) end()
    else say('\n')
  }

  function isSeen(child: Element): boolean {
    if (child.tag === 'noscript') return !scripts
    if (controls.has(child.tag) || (child.tag === 'button' && !isDisclosure(child))) return false
    return !isHidden(child) || revealed.has(child) || (hidden && isShownByStyles(child))
  }

  /** The button of an accordion has its heading inside or around it. */
  function isDisclosure(button: Element): boolean {
    if (headings.has(around.at(-1)!.tag)) return true
    const end = Math.min(button.end, button.index + maxInButton)
    for (let at = button.index + 1; at < end; at++) if (headings.has(page.elements[at]!.tag)) return true
    return false
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
      say(piece)
      if (inLink > 0) linked += piece.length
    } else if (isSeen(child)) {
      enter(child)
      path.push(child)
      read.push(0)
    } else seam.skip(child)
  }
  rich?.finishPage()
  return blocks
}

/** Any white space except a single space. Most texts do not match and need no copy. */
const space = / \s+|[^\S ]\s*/g

function trimCode(code: string): string {
  return code.replace(/^\n+/, '').trimEnd()
}

/** Empty cells keep their columns. */
function toRow(cells: readonly string[]): string {
  const texts = cells.map(tidy)
  return texts.some((text) => text !== '') ? texts.join(' | ').replace(/ {2,}/g, ' ').trim() : ''
}

/** Elements. */
const maxInButton = 10
