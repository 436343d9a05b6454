import { widthOf } from '../../runtime/approval/text/wrap.ts'

interface CommandLineOptions {
  /** The width of the terminal; undefined if there is none. */
  readonly width: number | undefined
  readonly before: string
}

/** A command for a shell. If it is too long for a line it continues after a backslash, so that it can be copied. */
export function toCommandLines(command: string, { width = Infinity, before }: CommandLineOptions): string[] {
  const lines: string[] = []
  let line = before
  for (const word of toWords(command)) {
    const isFirst = line.trim() === '' || line === before
    const next = isFirst ? `${line}${word}` : `${line} ${word}`
    if (isFirst || widthOf(next) + 2 <= width) line = next
    else {
      lines.push(`${line} \\`)
      line = `${' '.repeat(widthOf(before) + 2)}${word}`
    }
  }
  // The last line needs no room for a backslash.
  return [...lines, line]
}

/** Words of a shell: quotes keep spaces together, and an option keeps its value. */
function toWords(command: string): string[] {
  const words = command.match(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+|['"\\]\S*/g) ?? []
  const isValue = (index: number) => /^--\w/.test(words[index - 1] ?? '') && !words[index]!.startsWith('-')
  return words.flatMap((word, index) => {
    if (isValue(index)) return []
    return index + 1 < words.length && isValue(index + 1) ? [`${word} ${words[index + 1]}`] : [word]
  })
}
