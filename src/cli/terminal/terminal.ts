import { styleText } from 'node:util'
import type { Part } from '../../contract/text/painted.ts'
import { printableLines } from '../../contract/text/printable.ts'
import type { InterruptHandler } from './interrupts.ts'
import { layOut } from './lay-out.ts'
import type { Pager } from './pager.ts'
import { speaksForServer } from './worker-role.ts'

export { type Part, paint } from '../../contract/text/painted.ts'

/** One line, or several if the text contains line breaks. */
export type Line = Part | readonly Part[]

/** Output of a command. All text is escaped here, so no control characters from tools reach the terminal. */
export interface Terminal {
  /** Writes results to stdout. On a terminal, lines wrap at words. */
  print(...lines: readonly Line[]): void
  /** Writes to stdout without wrapping: data and scripts, which are copied whole. */
  printExactly(...lines: readonly Line[]): void
  /** Writes to stdout without a line end, for streaming. */
  write(line: Line): void
  /** Whether the last write left the line unfinished. `print` and `log` finish it if they share its terminal. */
  readonly lineIsOpen: boolean
  /** Writes messages to stderr. On a terminal, lines wrap at words. */
  log(...lines: readonly Line[]): void
  /** The same for what all workers of a server would say alike: the first one says it. */
  logOnce(...lines: readonly Line[]): void
  /**
   * Calls the handler on a cleared screen whenever the terminal gets narrower, because wrapped rows would start at the left
   * margin. Returns a function that removes the handler.
   */
  onNarrower(redraw: () => void): () => void
  /** Width of stdout in characters; undefined if it is not a terminal. */
  readonly columns: number | undefined
  /** Aborted by Ctrl-C, SIGTERM or SIGHUP, or when the reader of stdout has gone. */
  readonly signal: AbortSignal
  /** Registers a handler that sees Ctrl-C first and returns whether it handled it. Returns a function that removes it. */
  onInterrupt(handler: InterruptHandler): () => void
  /** Backpressure: resolves when stdout has drained. */
  ready(): Promise<void>
  /** Resolves when all output has been written. */
  flush(): Promise<void>
}

interface TerminalOptions {
  readonly signal: AbortSignal
  readonly divert?: Terminal['onInterrupt']
  /** Ends the command when its output is no longer read. */
  readonly stop?: () => void
}

/** The terminal of the process, which follows the options of the command line. */
interface OwnTerminal extends Terminal {
  /** JSON is not wrapped. Output that is longer than the screen goes to the pager, if the user has one. */
  configure(options: { readonly json?: boolean | undefined; readonly pages?: boolean }): Promise<void>
}

export function createTerminal({ signal, divert = () => () => {}, stop = () => {} }: TerminalOptions): OwnTerminal {
  // Node creates a stream on first access, and most commands need only one.
  const used = new Set<NodeJS.WriteStream>()
  let lineIsOpen = false
  let isJson = false
  let pager: Pager | undefined
  /** Messages after results are part of what is paged. */
  let isPaged = false

  function write(stream: NodeJS.WriteStream, text: string) {
    if (pager && (stream === process.stdout || (isPaged && stream.isTTY))) {
      isPaged = true
      return pager.write(text)
    }
    // A missing reader is not a failure.
    if (!used.has(stream)) stream.on('error', () => {})
    used.add(stream)
    if (stream.writable) stream.write(text)
  }

  function writeLines(stream: NodeJS.WriteStream, lines: readonly Line[], width = widthOfStream(stream)) {
    if (lines.length === 0) return
    const isSame = stream === process.stdout || (stream.isTTY && process.stdout.isTTY)
    if (lineIsOpen && isSame && stream.isTTY) write(process.stdout, '\n')
    if (isSame) lineIsOpen = false
    write(stream, `${lines.map((line) => toText(stream, line, width)).join('\n')}\n`)
  }

  return {
    print: (...lines) => writeLines(process.stdout, lines, isJson ? Infinity : undefined),
    printExactly: (...lines) => writeLines(process.stdout, lines, Infinity),
    async configure({ json = false, pages = false }) {
      isJson = json
      if (!pages || json || !process.stdout.isTTY) return
      const { openPager } = await import('./pager.ts')
      pager = openPager(process.env, { stdout: process.stdout, onQuit: stop, signal })
      if (pager) divert(() => pager!.isOpen)
    },
    write(line) {
      const text = toText(process.stdout, line)
      write(process.stdout, text)
      if (text !== '') lineIsOpen = !text.endsWith('\n')
    },
    get lineIsOpen() {
      return lineIsOpen
    },
    log: (...lines) => writeLines(process.stderr, lines),
    logOnce(...lines) {
      if (speaksForServer()) writeLines(process.stderr, lines)
    },
    onNarrower: (redraw) => onNarrower(process.stdout, redraw),
    get columns() {
      const width = widthOfStream(process.stdout)
      return width === Infinity ? undefined : width
    },
    signal,
    onInterrupt: divert,
    async ready() {
      await pager?.ready()
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
      await pager?.close()
      for (const stream of used) if (stream.writable) await new Promise((resolve) => stream.write('', resolve))
      // Write errors are emitted a tick later.
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

/** Calls back on a cleared screen when the terminal gets narrower. Returns a function that stops listening. */
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

function widthOfStream({ isTTY, columns }: NodeJS.WriteStream): number {
  // A terminal that does not know its size reports 0.
  return isTTY ? columns || 80 : Infinity
}

/** Escapes a line, wraps it to the width, and colours it if the stream is a terminal. */
export function toText(stream: NodeJS.WriteStream, line: Line, width = Infinity): string {
  if (width < Infinity) return layOut(line, width).map((row) => toText(stream, row)).join('\n') // biome-ignore format: one line
  if (typeof line === 'string') return printableLines(line)
  if ('style' in line) {
    if (!stream.isTTY) return printableLines(line.text)
    // styleText honours NO_COLOR. It would also honour FORCE_COLOR for pipes, which we never colour.
    const text = styleText(line.style, printableLines(line.text), { stream })
    return line.link === undefined || process.env.TERM === 'dumb' ? text : toHyperlink(text, line.link)
  }
  return line.map((part) => toText(stream, part)).join('')
}

/** OSC 8. Terminals that do not know it show the text alone. The address is escaped as all text is. */
function toHyperlink(text: string, address: string): string {
  return `\x1b]8;;${printableLines(address)}\x1b\\${text}\x1b]8;;\x1b\\`
}
