import { styleText } from 'node:util'
import { printableLines } from './printable.ts'

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
  /** True where a person can be asked: stdin and stderr are a terminal. */
  readonly interactive: boolean
  /** Width of stdout in characters; undefined where it is no terminal. */
  readonly columns: number | undefined
  /** Aborted by Ctrl-C, a request to end, or a reader of stdout that has gone. */
  readonly signal: AbortSignal
}

export function paint(style: Painted['style'], text: string): Painted {
  return { text, style }
}

export function createTerminal(signal: AbortSignal): Terminal {
  const { stdin, stdout, stderr } = process
  return {
    print: (...lines) => write(stdout, lines),
    tell: (...lines) => write(stderr, lines),
    interactive: Boolean(stdin.isTTY && stderr.isTTY),
    columns: stdout.isTTY ? stdout.columns : undefined,
    signal,
  }
}

function write(stream: NodeJS.WriteStream, lines: readonly Line[]) {
  if (!stream.writable || lines.length === 0) return
  stream.write(`${lines.map((line) => toText(stream, line)).join('\n')}\n`)
}

function toText(stream: NodeJS.WriteStream, line: Line): string {
  if (typeof line === 'string') return printableLines(line)
  if ('style' in line)
    // styleText knows NO_COLOR; it would also colour a pipe where FORCE_COLOR is set, and we never do.
    return stream.isTTY ? styleText(line.style, printableLines(line.text), { stream }) : printableLines(line.text)
  return line.map((part) => toText(stream, part)).join('')
}
