import type { Note } from './draft.ts'

/** Max size of a document. */
export const maxBytes = 1_048_576
/** Max characters without a blank line, because parsing a passage is superlinear. */
const maxPassage = 16_384
/** Max length of a line prefix that only nests. */
const maxNesting = 128

/**
 * Prepares untrusted text so that it can be parsed in bounded time. Passages that would take too long are replaced by blank
 * lines.
 */
export function boundText(text: string, note: Note): string[] {
  if (text.length > maxBytes || Buffer.byteLength(text) > maxBytes) {
    const message = `The document has more than ${maxBytes} bytes and was not read.`
    note({
      line: 1,
      kind: 'wrong',
      code: 'too-large',
      severity: 'error',
      message,
      fix: 'Split it into several documents.',
    })
    return []
  }
  const lines = text.split(/\r\n|\n|\r/)
  let fence: string | undefined
  let begin = 0
  let length = 0
  for (const [index, line] of lines.entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence === undefined && /^[ \t>*+-]*/.exec(line)![0].length > maxNesting) leaveOut(index, index)
    if (fence === undefined && mark) fence = mark
    else if (fence !== undefined && mark && isClosing(line, fence)) fence = undefined
    if (fence !== undefined || mark || line.trim() === '') {
      begin = index + 1
      length = 0
      continue
    }
    length += line.length + 1
    if (length > maxPassage) {
      leaveOut(begin, index)
      begin = index + 1
      length = 0
    }
  }
  return lines

  function leaveOut(from: number, to: number) {
    lines.fill('', from, to + 1)
    const message = 'This passage is too long or nested too deep and was not read.'
    note({ line: from + 1, kind: 'left', code: 'too-deep', message, fix: 'Put blank lines between its parts.' })
  }
}

/** Whether this line closes the block that `fence` opened. */
export function isClosing(line: string, fence: string): boolean {
  const found = /^\s*(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1]
  return found !== undefined && found[0] === fence[0] && found.length >= fence.length
}
