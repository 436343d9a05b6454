import { measure, widthOf } from '../../runtime/approval/text/wrap.ts'

/** What begins every row of text that a model wrote. Nothing that we print begins so. */
export const gutter = '│ '

interface GutterOptions {
  /** Writes a piece of a row, or a line break. */
  readonly write: (text: string) => void
  /** Width of the terminal, read for each row, so that a resize counts at once. Without one rows are not wrapped. */
  readonly columns: () => number | undefined
  /** Whether something else has been printed since, so that the next piece begins a new row. */
  readonly isInterrupted?: () => boolean
}

export interface Gutter {
  push(text: string): void
  /** Writes what is held back, and ends the row. */
  end(): void
}

/**
 * Keeps streamed text right of a gutter. It breaks rows itself, before the terminal would: a row that the terminal breaks goes on
 * at the left margin, where it could pass for a tool line, a question or a prompt. Expects printable text.
 */
export function createGutter({ write, columns, isInterrupted = () => false }: GutterOptions): Gutter {
  /** Columns taken in the open row; undefined where none is open. */
  let taken: number | undefined
  /** The end of what was pushed: the word may go on, so it is not known yet whether it fits. */
  let word = ''
  /** Spaces before the word. They are dropped where the row breaks. */
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

  /** A word wider than a row is written piece by piece, so that it is never held back as a whole. */
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

  /** The last column stays free: terminals differ in when a row that fills it breaks. */
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

/** A whole text as rows in the gutter. */
export function toGutterRows(text: string, columns: number | undefined): string[] {
  let rows = ''
  const { push, end } = createGutter({ columns: () => columns, write: (piece) => { rows += piece } }) // biome-ignore format: one line
  push(text)
  end()
  return rows.trimEnd().split('\n')
}
