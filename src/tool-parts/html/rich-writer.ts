import type { Prefixes } from './containers.ts'
import { deleted, isDeleted } from './deleted-text.ts'
import { InlineWriter, type Mark } from './inline-writer.ts'
import { toLinkTargets } from './link-target.ts'
import { escapeLines, toCell, toCodeBlock, toHeading, toImage } from './markdown-text.ts'
import { lineOf, toPlainLine } from './plain-line.ts'
import { Rows } from './table-rows.ts'
import { headings } from './tag-kinds.ts'
import { tidy } from './tidy.ts'
import type { Block } from './to-blocks.ts'
import { closest, type Element, type Page } from './tree.ts'

export interface Markup {
  /** The address of the page, which its links are relative to. */
  readonly url: string
  readonly format: 'text' | 'markdown'
  readonly links: 'none' | 'inline' | 'list'
}

export interface Anchor {
  readonly text: string
  readonly url: string
}

/** Images without words beside them, as Markdown. They belong to the block before them or else to the one after. */
export interface Pictures {
  readonly text: string
}

/** A block with its links, and in Markdown with all markup. */
export interface RichText {
  readonly lead: string
  readonly indent: string
  readonly text: string
  /** The cells of a row. */
  readonly cells: readonly string[] | undefined
  readonly isHeader: boolean
  readonly anchors: readonly Anchor[]
  readonly before: Pictures | undefined
  after: Pictures | undefined
}

/** Writes blocks with markup, beside the plain text. */
export class RichWriter {
  readonly #writer: InlineWriter
  readonly #isMarkdown: boolean
  readonly #links: Markup['links']
  readonly #toTarget: (address: string | undefined) => string | undefined
  readonly #rows = new Rows()
  #anchors: Anchor[] = []
  #pictures: string[] = []
  #last: RichText | undefined
  #headings = 0
  #codes = 0

  constructor(page: Page, { url, format, links }: Markup) {
    this.#isMarkdown = format === 'markdown'
    this.#writer = new InlineWriter({ markdown: this.#isMarkdown })
    this.#links = links
    this.#toTarget = toLinkTargets(page, url)
  }

  get rows(): Rows {
    return this.#rows
  }

  write(piece: string): void {
    this.#writer.write(piece)
  }

  enterCell(element: Element): void {
    this.#rows.enterCell(element, this.#writer.finish())
  }

  enter(element: Element): void {
    const { tag } = element
    if (isDeleted(element)) this.#writer.open(deleted)
    if (tag === 'a') this.#writer.open(this.#toLink(element))
    if (!this.#isMarkdown) return
    const mark = emphasis[tag]
    if (mark) this.#writer.open(this.#headings > 0 ? none : mark)
    if (headings.has(tag)) this.#headings++
    if (codeTags.has(tag) && this.#codes++ === 0) this.#writer.beginCode()
    if (tag === 'img') this.#writeImage(element)
  }

  leave(element: Element): void {
    const { tag } = element
    if (this.#isMarkdown) {
      if (codeTags.has(tag) && --this.#codes === 0) this.#writer.endCode()
      if (headings.has(tag)) this.#headings--
      if (emphasis[tag]) this.#writer.close()
    }
    if (tag === 'a') this.#writer.close()
    if (isDeleted(element)) this.#writer.close()
  }

  finish(block: Omit<Block, 'rich'>, prefixes: Prefixes): RichText {
    const written = this.#writer.finish()
    const { lead, indent } = this.#isMarkdown ? prefixes.markdown : prefixes
    const cells = block.kind === 'row' ? this.#rows.finish(written).map(tidy) : undefined
    const rich: RichText = {
      lead,
      indent,
      text: this.#isMarkdown ? toMarkdown(block, written) : block.kind === 'code' ? block.text : tidy(written),
      cells: this.#isMarkdown ? cells?.map(toCell) : cells,
      isHeader: block.kind === 'row' && isHeader(block.element),
      anchors: this.#anchors,
      before: this.#takePictures(),
      after: undefined,
    }
    this.#anchors = []
    this.#last = rich
    return rich
  }

  /** The end of a block without words. */
  finishEmpty(isRow: boolean): void {
    const text = tidy(this.#writer.finish())
    if (isRow) this.#rows.finish('')
    if (text !== '') this.#pictures.push(text)
  }

  finishPage(): void {
    this.#takePictures()
  }

  #takePictures(): Pictures | undefined {
    if (this.#pictures.length === 0) return undefined
    const pictures = { text: this.#pictures.join('\n\n') }
    this.#pictures = []
    if (this.#last) this.#last.after = pictures
    return pictures
  }

  #toLink(element: Element): Mark {
    const url = this.#links === 'none' || isNoteLink(element) ? undefined : this.#toTarget(element.attributes.href)
    if (url === undefined) return none
    if (this.#links === 'inline')
      return this.#isMarkdown ? { start: '[', end: `](${url})` } : { start: '', end: ` <${url}>` }
    const text = lineOf(element, 200)
    this.#anchors.push({ text, url })
    return none
  }

  #writeImage({ attributes }: Element) {
    const alt = toPlainLine(attributes.alt ?? '', 500)
    const url = this.#toTarget(attributes.src) ?? this.#toTarget(attributes['data-src'])
    if (alt !== '' && url !== undefined) this.#writer.writeRaw(toImage(alt, url))
  }
}

const none: Mark = { start: '', end: '' }
const strong: Mark = { start: '**', end: '**' }
const stressed: Mark = { start: '*', end: '*' }
const emphasis: Readonly<Record<string, Mark | undefined>> = { b: strong, strong, i: stressed, em: stressed }
const codeTags = new Set(['code', 'kbd', 'samp', 'tt'])

function toMarkdown({ kind, element, text }: Omit<Block, 'rich'>, written: string): string {
  if (kind === 'row') return ''
  if (kind === 'code') return toCodeBlock(text, findLanguage(element))
  const tidied = tidy(written)
  return kind === 'heading' ? toHeading(tidied, Number(element.tag[1])) : escapeLines(tidied)
}

/** Whether it is the mark of a footnote, which leads to another place on the page. */
function isNoteLink({ attributes: { href = '' }, parent, children }: Element): boolean {
  if (!href.includes('#')) return false
  return (
    parent?.tag === 'sup' || (children.length === 1 && typeof children[0] !== 'string' && children[0]!.tag === 'sup')
  )
}

function isHeader(row: Element): boolean {
  const cells = row.children.filter((child) => typeof child !== 'string')
  return row.parent?.tag === 'thead' || (cells.length > 1 && cells.every(({ tag }) => tag === 'th'))
}

/** Of `<pre>`, of the code in it, or of the elements right around it. */
function findLanguage(pre: Element): string {
  const code = pre.children.find((child) => typeof child !== 'string' && child.tag === 'code') as Element | undefined
  const around = closest(pre, ({ attributes }) => languageMark.test(attributes.class ?? ''))
  for (const element of [code, around && pre.index - around.index < 4 ? around : undefined]) {
    const found = languageMark.exec(element?.attributes.class ?? '')?.[1]
    if (found !== undefined) return found.toLowerCase()
  }
  return ''
}

const languageMark =
  /(?:^|\s)(?:lang(?:uage)?-|highlight-(?:source|text)-|brush:\s?|sourceCode\s)([A-Za-z][\w+#-]{0,19})(?=$|[\s;])/
