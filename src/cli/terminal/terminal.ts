import { styleText } from 'node:util'
import type { Part } from '../../contract/text/painted.ts'
import { printableLines } from '../../contract/text/printable.ts'
import type { InterruptHandler } from './interrupts.ts'

export { type Part, paint } from '../../contract/text/painted.ts'

/** One line, or several where its text has line breaks. */
export type Line = Part | readonly Part[]

/** Where a command writes. Whatever it writes is made printable here, so nothing that a tool said gets through raw. */
export interface Terminal {
  /** What was asked for, on stdout. */
  print(...lines: readonly Line[]): void
  /** The same as it comes, without a line end. */
  write(line: Line): void
  /** Whether what was written last is a line without its end. `print` and `log` end it where both are on the same terminal. */
  readonly lineIsOpen: boolean
  /** Everything else, on stderr. */
  log(...lines: readonly Line[]): void
  /**
   * Calls a handler whenever the terminal has become narrower, on a screen that was cleared for it: what was printed has wrapped,
   * and begins at the left margin where it should not. Gives what ends this.
   */
  onNarrower(redraw: () => void): () => void
  /** Width of stdout in characters; undefined where it is no terminal. */
  readonly columns: number | undefined
  /** Aborted by Ctrl-C, a request to end, or a reader of stdout that has gone. */
  readonly signal: AbortSignal
  /** Lets Ctrl-C go to a handler first; what it gives is whether that is all. Gives what ends this. */
  onInterrupt(handler: InterruptHandler): () => void
  /** Waits until whoever reads stdout has taken most of what was printed, so that a long output does not pile up here. */
  ready(): Promise<void>
  /** Waits until all that was written has left the process. */
  flush(): Promise<void>
}

interface TerminalOptions {
  readonly signal: AbortSignal
  readonly divert?: Terminal['onInterrupt']
}

export function createTerminal({ signal, divert = () => () => {} }: TerminalOptions): Terminal {
  // A stream is made when it is first looked at, and most commands need but one.
  const used = new Set<NodeJS.WriteStream>()
  let lineIsOpen = false

  function write(stream: NodeJS.WriteStream, text: string) {
    // Nobody may be there to read what is told, and that is no failure.
    if (!used.has(stream)) stream.on('error', () => {})
    used.add(stream)
    if (stream.writable) stream.write(text)
  }

  function writeLines(stream: NodeJS.WriteStream, lines: readonly Line[]) {
    if (lines.length === 0) return
    const isSame = stream === process.stdout || (stream.isTTY && process.stdout.isTTY)
    if (lineIsOpen && isSame && stream.isTTY) write(process.stdout, '\n')
    if (isSame) lineIsOpen = false
    write(stream, `${lines.map((line) => toText(stream, line)).join('\n')}\n`)
  }

  return {
    print: (...lines) => writeLines(process.stdout, lines),
    write(line) {
      const text = toText(process.stdout, line)
      write(process.stdout, text)
      if (text !== '') lineIsOpen = !text.endsWith('\n')
    },
    get lineIsOpen() {
      return lineIsOpen
    },
    log: (...lines) => writeLines(process.stderr, lines),
    onNarrower: (redraw) => onNarrower(process.stdout, redraw),
    get columns() {
      // A terminal that does not know its size reports 0.
      return process.stdout.isTTY ? process.stdout.columns || 80 : undefined
    },
    signal,
    onInterrupt: divert,
    async ready() {
      const { stdout } = process
      if (!stdout.writableNeedDrain || signal.aborted) return
      await new Promise<void>((resolve) => {
        const done = () => {
          for (const event of ['drain', 'close', 'error']) stdout.off(event, done)
          signal.removeEventListener('abort', done)
          resolve()
        }
        for (const event of ['drain', 'close', 'error']) stdout.on(event, done)
        signal.addEventListener('abort', done)
      })
    },
    async flush() {
      for (const stream of used) if (stream.writable) await new Promise((resolve) => stream.write('', resolve))
      // What could not be written is told by an event, and that comes a moment later.
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

/** Calls back on a cleared screen when a terminal has become narrower, where a stream is one. Gives what ends this. */
export function onNarrower(stream: NodeJS.WriteStream, redraw: () => void): () => void {
  let { columns } = stream
  const onResize = () => {
    const isNarrower = stream.columns < columns
    columns = stream.columns
    if (!isNarrower) return
    stream.write('\x1b[H\x1b[2J')
    redraw()
  }
  if (stream.isTTY) stream.on('resize', onResize)
  return () => void stream.off('resize', onResize)
}

/** A line as it is written to a stream: harmless, and coloured where that is wanted. */
export function toText(stream: NodeJS.WriteStream, line: Line): string {
  if (typeof line === 'string') return printableLines(line)
  if ('style' in line)
    // styleText knows NO_COLOR; it would also colour a pipe where FORCE_COLOR is set, and we never do.
    return stream.isTTY ? styleText(line.style, printableLines(line.text), { stream }) : printableLines(line.text)
  return line.map((part) => toText(stream, part)).join('')
}
