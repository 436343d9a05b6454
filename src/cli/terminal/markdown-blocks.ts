/** A part of a Markdown text that can be rendered alone. */
export interface MarkdownBlock {
  /** A block without its blank lines, or a line of fenced code. */
  readonly kind: 'text' | 'code'
  readonly text: string
  /** False for the second and later lines of fenced code. */
  readonly begins: boolean
}

export interface BlockReader {
  push(text: string): void
  /** Emits the rest. The reader can be used again for another text. */
  end(): void
}

/**
 * Splits streamed Markdown into blocks, each emitted as soon as it is complete: at the blank line after it, or line by
 * line for fenced code. Items of a list stay together, with their indented parts.
 */
export function createBlockReader(emit: (block: MarkdownBlock) => void): BlockReader {
  let rest = ''
  let block: string[] = []
  let isAfterBlank = false
  let fence: string | undefined
  let isFirst = true

  function flush() {
    if (block.length > 0) emit({ kind: 'text', text: block.join('\n'), begins: true })
    block = []
    isAfterBlank = false
  }

  function readLine(line: string) {
    if (fence !== undefined) {
      const [, marks = ''] = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(line) ?? []
      if (marks.startsWith(fence)) fence = undefined
      else emit({ kind: 'code', text: line, begins: isFirst })
      isFirst = false
      return
    }
    if (line.trim() === '') {
      isAfterBlank = block.length > 0
      return
    }
    const isList = listItem.test(block[0] ?? '')
    const goesOn = isList && (/^(?: {2,}|\t)/.test(line) || listItem.test(line))
    if (isAfterBlank && goesOn) block.push('')
    else if (isAfterBlank) flush()
    const opening = isList && goesOn ? null : /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line)
    if (opening) {
      flush()
      fence = opening[1]!
      isFirst = true
    } else block.push(line)
    isAfterBlank = false
  }

  return {
    push(text) {
      const lines = (rest + text).split(/\r?\n/)
      rest = lines.pop()!
      for (const line of lines) readLine(line)
    },
    end() {
      if (rest !== '') readLine(rest)
      rest = ''
      flush()
      fence = undefined
    },
  }
}

const listItem = /^ {0,3}(?:[-*+]|\d{1,9}[.)])\s/
