import { stripHidden } from '../../contract/text/hidden-characters.ts'
import { printable } from '../../contract/text/printable.ts'
import { clipTo } from '../../runtime/approval/text/wrap.ts'

/** A status on stderr: what is being waited for, how long so far, and the last lines of a command's output. */
export interface Spinner {
  /** Adds output of a running command. It is untrusted; what would control the terminal is removed. */
  addOutput(text: string): void
  /** Clears the status for other output; it reappears below that. */
  clear(): void
  /** Stops and clears the status. */
  stop(): void
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const everyMs = 100
/** How many lines of output are shown. */
const shownLines = 5
/** Without animation, lines are printed one after another; these many at most. */
const maxPlainLines = 40
/** Of a large piece of output, only its end can be shown. */
const maxOutputLength = 8192

interface SpinnerOptions {
  /** Delay before it appears. Default: one second. */
  readonly beforeMs?: number
  readonly stream?: NodeJS.WriteStream
  readonly environment?: { readonly [name: string]: string | undefined }
}

/** Shows a label and the elapsed time; does nothing if stderr is not a terminal. A function is called for each frame. */
export function startSpinner(what: string | (() => string), options: SpinnerOptions = {}): Spinner {
  const { beforeMs = 1000, stream = process.stderr, environment = process.env } = options
  if (!stream.isTTY) return { addOutput() {}, clear() {}, stop() {} }
  const toLabel = () => printable(typeof what === 'string' ? what : what())
  return canAnimate(environment) ? animate(toLabel, { beforeMs, stream }) : printLines(toLabel, { beforeMs, stream })
}

/** `NO_COLOR` asks for plain output, a dumb terminal cannot erase, and a CI log shows every frame. */
function canAnimate({ NO_COLOR, TERM, CI }: NonNullable<SpinnerOptions['environment']>): boolean {
  return !NO_COLOR && TERM !== 'dumb' && !CI
}

type Shown = Required<Pick<SpinnerOptions, 'beforeMs' | 'stream'>>

function animate(toLabel: () => string, { beforeMs, stream }: Shown): Spinner {
  const startedAt = performance.now()
  const lines = createLines()
  let turns = 0
  /** Rows above the cursor; undefined if nothing is shown. */
  let above: number | undefined
  const turn = () => {
    const width = (stream.columns || 80) - 1
    const seconds = Math.floor((performance.now() - startedAt) / 1000)
    const end = ` ${seconds} s`
    const label = clipTo(toLabel(), Math.max(8, width - 2 - end.length))
    const output = lines.last(shownLines).map((line) => `\x1b[2m  ${clipTo(line, width - 2)}\x1b[22m`)
    stream.write(`${toErasure(above)}${[...output, `${frames[turns++ % frames.length]} ${label}${end}`].join('\n')}`)
    above = output.length
  }
  let repeat: NodeJS.Timeout | undefined
  const begin = setTimeout(() => {
    turn()
    repeat = setInterval(turn, everyMs)
  }, beforeMs)
  const clear = () => {
    if (above !== undefined) stream.write(toErasure(above))
    above = undefined
  }
  return {
    addOutput: lines.add,
    clear,
    stop() {
      clearTimeout(begin)
      clearInterval(repeat)
      clear()
    },
  }
}

function toErasure(above = 0): string {
  return `\r${above > 0 ? `\x1b[${above}A` : ''}\x1b[J`
}

/** One line per label and line of output, without escape sequences. */
function printLines(toLabel: () => string, { beforeMs, stream }: Shown): Spinner {
  const lines = createLines()
  let before = ''
  let printed = 0
  const print = () => {
    const label = toLabel()
    const added = [...lines.take().map((line) => `  ${line}`), ...(label === before ? [] : [`… ${label}`])]
    before = label
    for (const line of added) if (printed++ < maxPlainLines) stream.write(`${line}\n`)
  }
  let repeat: NodeJS.Timeout | undefined
  const begin = setTimeout(() => {
    print()
    repeat = setInterval(print, beforeMs)
  }, beforeMs)
  return {
    addOutput: lines.add,
    clear() {},
    stop() {
      clearTimeout(begin)
      clearInterval(repeat)
    },
  }
}

/** The last lines of streamed text. A carriage return starts a line over, as progress bars do. */
function createLines() {
  let complete: string[] = []
  let open = ''
  return {
    add(text: string) {
      const pieces = (open + text.slice(-maxOutputLength)).split(/\r\n|\n/)
      open = pieces.pop()!.slice(-maxOutputLength)
      complete = [...complete, ...pieces].slice(-maxPlainLines)
    },
    last: (count: number) => [...complete, open].map(toShownLine).filter((line) => line !== '').slice(-count), // biome-ignore format: one line
    /** The complete lines since the last time. */
    take() {
      const taken = complete.map(toShownLine)
      complete = []
      return taken
    },
  }
}

function toShownLine(line: string): string {
  return stripHidden(line.trimEnd().split('\r').at(-1)!.replaceAll('\t', '    '), 'line')
}
