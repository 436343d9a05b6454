import { measure, widthOf } from '../../runtime/approval/text/wrap.ts'

/** Prefix of every row of model text. Nothing else starts with it. */
export const gutter = '│ '

interface GutterOptions {
  /** Writes a piece of a row, or a line break. */
  readonly write: (text: string) => void
  /** Terminal width, read for each row so that a resize applies at once. If undefined, rows are not wrapped. */
  readonly columns: () => number | undefined
  /** Whether other output has ended the row, so that the next piece starts a new one. */
  readonly isInterrupted?: () => boolean
}

export interface Gutter {
  push(text: string): void
  /** Flushes buffered text and ends the row. */
  end(): void
}

/**
 * Keeps streamed model text behind a gutter. It wraps rows before the terminal does, because a row wrapped by the terminal
 * continues at the left margin, where it could pass for a tool line, a question or a prompt. Expects printable text.
 */
export function createGutter({ write, columns, isInterrupted = () => false }: GutterOptions): Gutter {
  /** Columns used in the current row; undefined between rows. */
  let taken: number | undefined
  /** The last word so far. More of it may follow, so it is buffered until it is known to fit. */
  let word = ''
  /** Spaces before the word, dropped if the row wraps here. */
  let spaces = 0

  function push(text: string) {
    for (const [token] of text.matchAll(/\n|\t|[^\S\n\t]+|\S+/g)) {
      if (token === '\n') breakRow()
      else if (/\S/.test(token)) addToWord(token)
      else {
        flush()
        const to = (taken ?? 0) + spaces
        spaces += token === '\t' ? tabWidth - (to % tabWidth) : widthOf(token)
      }
    }
  }

  /** Words wider than a row are written in pieces instead of being buffered whole. */
  function addToWord(text: string) {
    word += text
    while (widthOf(word) > room()) {
      if ((taken ?? 0) > 0) endRow()
      const end = measure(word, room()) || [...word][0]!.length
      const piece = word.slice(0, end)
      put(widthOf(piece) > room() ? '?' : piece)
      word = word.slice(end)
      endRow()
    }
  }

  function flush() {
    if (word === '') return
    const fits = (taken ?? 0) + spaces + widthOf(word) <= room()
    if (!fits && (taken ?? 0) > 0) endRow()
    const indent = Math.min(spaces, room() - widthOf(word))
    put(`${' '.repeat(Math.max(0, indent))}${word}`)
    spaces = 0
    word = ''
  }

  function put(text: string) {
    if (taken === undefined || isInterrupted()) {
      write(gutter)
      taken = 0
    }
    write(text)
    taken += widthOf(text)
  }

  function endRow() {
    if (taken !== undefined && !isInterrupted()) write('\n')
    taken = undefined
    spaces = 0
  }

  function breakRow() {
    flush()
    if (taken === undefined || isInterrupted()) put('')
    endRow()
  }

  /** The last column stays empty: terminals differ in when they wrap a full row. */
  function room(): number {
    return Math.max(1, (columns() ?? Infinity) - gutter.length - 1)
  }

  return {
    push,
    end() {
      flush()
      endRow()
    },
  }
}

const tabWidth = 4

/** Wraps a whole text into rows with the gutter. */
export function toGutterRows(text: string, columns: number | undefined): string[] {
  let rows = ''
  const { push, end } = createGutter({ columns: () => columns, write: (piece) => { rows += piece } }) // biome-ignore format: one line
  push(text)
  end()
  return rows.trimEnd().split('\n')
}
