import { styleText } from 'node:util'
import { printableLines } from '../contract/printable.ts'

export interface Painted {
  readonly text: string
  readonly style: Parameters<typeof styleText>[0]
}

export type Part = string | Painted
/** One line, or several where its text has line breaks. */
export type Line = Part | readonly Part[]

/** Where a command writes. Whatever it writes is made printable here, so nothing that a tool said gets through raw. */
export interface Terminal {
  /** What was asked for, on stdout. */
  print(...lines: readonly Line[]): void
  /** Everything else, on stderr. */
  tell(...lines: readonly Line[]): void
  /** Width of stdout in characters; undefined where it is no terminal. */
  readonly columns: number | undefined
  /** Aborted by Ctrl-C, a request to end, or a reader of stdout that has gone. */
  readonly signal: AbortSignal
  /** Waits until all that was written has left the process. */
  flush(): Promise<void>
}

export function paint(style: Painted['style'], text: string): Painted {
  return { text, style }
}

export function createTerminal(signal: AbortSignal): Terminal {
  // A stream is made when it is first looked at, and most commands need but one.
  const used = new Set<NodeJS.WriteStream>()

  function write(stream: NodeJS.WriteStream, lines: readonly Line[]) {
    // Nobody may be there to read what is told, and that is no failure.
    if (!used.has(stream) && lines.length > 0) stream.on('error', () => {})
    used.add(stream)
    if (!stream.writable || lines.length === 0) return
    stream.write(`${lines.map((line) => toText(stream, line)).join('\n')}\n`)
  }

  return {
    print: (...lines) => write(process.stdout, lines),
    tell: (...lines) => write(process.stderr, lines),
    get columns() {
      return process.stdout.isTTY ? process.stdout.columns : undefined
    },
    signal,
    async flush() {
      for (const stream of used) if (stream.writable) await new Promise((resolve) => stream.write('', resolve))
      // What could not be written is told by an event, and that comes a moment later.
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

/** A line as it is written to a stream: harmless, and coloured where that is wanted. */
export function toText(stream: NodeJS.WriteStream, line: Line): string {
  if (typeof line === 'string') return printableLines(line)
  if ('style' in line)
    // styleText knows NO_COLOR; it would also colour a pipe where FORCE_COLOR is set, and we never do.
    return stream.isTTY ? styleText(line.style, printableLines(line.text), { stream }) : printableLines(line.text)
  return line.map((part) => toText(stream, part)).join('')
}
