import { escapeMarkdown, toCodeSpan } from './markdown-text.ts'

/** What surrounds a part of a line, such as `**` for strong text. */
export interface Mark {
  readonly start: string
  readonly end: string
}

/**
 * Writes the text of one block. A mark is written with the first word inside it and closed before trailing white space,
 * so that marks never surround nothing, and never begin or end with a space. Marks that are open when a block ends
 * continue in the next block.
 */
export class InlineWriter {
  readonly #markdown: boolean
  readonly #marks: Mark[] = []
  /** How many of the marks have been written in this block. */
  #written = 0
  /** Only appended to: reading a text that is still growing would copy it each time. */
  #text = ''
  /** The end of a mark and white space after it, held back until it is known what follows. */
  #ending: Mark | undefined
  #space = ''
  #code: string | undefined

  constructor({ markdown = false }: { markdown?: boolean } = {}) {
    this.#markdown = markdown
  }

  write(piece: string): void {
    if (this.#code !== undefined) this.#code += piece
    else if (this.#marks.length === 0 && this.#ending === undefined) this.#text += this.#escape(piece)
    else {
      const words = piece.trim()
      if (words === '') {
        this.#space += piece
        return
      }
      const start = piece.indexOf(words[0]!)
      this.#space += piece.slice(0, start)
      this.#writeMarks()
      this.#text += this.#escape(words)
      this.#space = piece.slice(start + words.length)
    }
  }

  /** Writes what is already in the format of the writer. */
  writeRaw(markup: string): void {
    if (this.#code !== undefined) return
    this.#writeMarks()
    this.#text += markup
  }

  open(mark: Mark): void {
    this.#marks.push(this.#code === undefined ? mark : none)
  }

  close(): void {
    const mark = this.#marks.pop()!
    if (this.#written <= this.#marks.length) return
    this.#written = this.#marks.length
    this.#text += this.#ending?.end ?? ''
    this.#ending = mark
  }

  /** From here to `endCode`, text is verbatim and marks are ignored. */
  beginCode(): void {
    this.#code ??= ''
  }

  endCode(): void {
    const code = this.#code
    this.#code = undefined
    if (code === undefined) return
    if (code.trim() === '') this.#space += code
    else this.writeRaw(toCodeSpan(code))
  }

  /** The text of the block; the writer continues with the next one. */
  finish(): string {
    const isCode = this.#code !== undefined
    this.endCode()
    let text = this.#text + (this.#ending?.end ?? '')
    for (let at = this.#written - 1; at >= 0; at--) text += this.#marks[at]!.end
    text += this.#space
    this.#text = ''
    this.#space = ''
    this.#ending = undefined
    this.#written = 0
    if (isCode) this.beginCode()
    return text
  }

  #writeMarks() {
    const next = this.#marks[this.#written]
    // `**a****b**` would not be read as two strong words.
    const continues = next !== undefined && next === this.#ending && this.#space === '' && next.start === next.end
    if (continues) this.#written++
    else this.#text += this.#ending?.end ?? ''
    this.#ending = undefined
    this.#text += this.#space
    this.#space = ''
    for (; this.#written < this.#marks.length; this.#written++) this.#text += this.#marks[this.#written]!.start
  }

  #escape(piece: string): string {
    return this.#markdown ? escapeMarkdown(piece) : piece
  }
}

const none: Mark = { start: '', end: '' }
