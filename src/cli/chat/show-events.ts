import type { ChatEvent, EndEvent, ResultEvent } from '../../agent/chat/chat-event.ts'
import type { JsonValue } from '../../contract/json.ts'
import { printable, printableLines } from '../../contract/text/printable.ts'
import { toRows } from '../../runtime/approval/text/rows.ts'
import { clipTo, widthOf } from '../../runtime/approval/text/wrap.ts'
import { type Spinner, startSpinner } from '../terminal/spinner.ts'
import { type Line, paint, type Terminal } from '../terminal/terminal.ts'
import { toDuration } from '../terminal/time.ts'
import { gutter as bar, createGutter } from './gutter.ts'

export interface ShownEvents {
  show(event: ChatEvent): void
  /** Nothing turns while a person is asked. */
  whileAsking<Result>(ask: () => Promise<Result>): Promise<Result>
}

/**
 * Shows a session as it goes on: what the model says on stdout, what it does on stderr, a line or two for each call. At a terminal
 * the model's text stays in a gutter, and the terminal never wraps lines that quote a model or a tool: only what we say begins at the left margin.
 */
export function showEvents(terminal: Terminal): ShownEvents {
  let spinner: Spinner | undefined
  /** What is waited for, while something is. */
  let awaited: string | undefined
  /** What may be part of a character. */
  let held = ''
  let isAsking = false
  /** The current turn, to show it again. */
  let turn: ChatEvent[] = []
  const gutter = createGutter({
    columns: () => terminal.columns,
    write: (text) => terminal.write(paint(text === bar ? 'dim' : [], text)),
    isInterrupted: () => !terminal.lineIsOpen,
  })

  function write(text: string) {
    const whole = held + text
    held = unfinished(whole)
    const ready = whole.slice(0, whole.length - held.length)
    if (ready === '') return
    if (terminal.columns === undefined) terminal.write(ready)
    else gutter.push(printableLines(ready))
  }

  function endLine() {
    const rest = held
    held = ''
    if (terminal.columns !== undefined) {
      gutter.push(printableLines(rest))
      gutter.end()
    } else {
      terminal.write(rest)
      if (terminal.lineIsOpen) terminal.write('\n')
    }
  }

  function wait(what: string | undefined) {
    spinner?.stop()
    awaited = what
    spinner = what === undefined ? undefined : startSpinner(what)
  }

  function show(event: ChatEvent) {
    if (turn.at(-1)?.type === 'end') turn = []
    turn.push(event)
    print(event)
  }

  function print(event: ChatEvent) {
    wait(undefined)
    if (event.type === 'text') return write(event.text)
    endLine()
    const width = (terminal.columns ?? usualWidth) - 1
    switch (event.type) {
      case 'asking':
        wait(clipTo(`${printable(event.model)} works`, maxWait))
        break
      case 'call':
        terminal.log(toCallLine(event.tool, event.input, width))
        wait(clipTo(`${printable(event.tool)} runs`, maxWait))
        break
      case 'result':
        terminal.log(...toResultLines(event, width))
        break
      case 'hidden':
        terminal.log(note(`The model was not shown this: ${printable(event.tool)} has no output schema. --free-form lets it read such output.`)) // biome-ignore format: one line
        break
      case 'folded':
        terminal.log(note(`The ${event.messages} oldest messages no longer fit into what the model reads.`))
        break
      case 'interrupted':
        terminal.log(
          note(`${event.calls === 1 ? 'A call was' : `${event.calls} calls were`} under way when this session broke off. toolpact ledger tells what ran.`), // biome-ignore format: one line
        )
        break
      case 'end':
        terminal.log(...toEndLines(event, width))
    }
  }

  terminal.onNarrower(() => {
    // A question shows itself again.
    if (isAsking) return
    endLine()
    for (const event of turn) print(event)
  })

  return {
    show,
    async whileAsking(ask) {
      const before = awaited
      wait(undefined)
      isAsking = true
      return ask().finally(() => {
        isAsking = false
        wait(before)
      })
    },
  }
}

function note(text: string): Line {
  return [paint('yellow', 'Note:'), ` ${text}`]
}

const usualWidth = 100

/** A spinner rewrites its row, so it must fit into one. */
const maxWait = 24

/** What is called, on one line. */
function toCallLine(tool: string, input: JsonValue, width: number): Line {
  const text =
    typeof input === 'object' && input !== null && !Array.isArray(input)
      ? Object.entries(input).map(([key, value]) => `${key}=${clipTo(toShort(value), 60)}`).join(' ') // biome-ignore format: one line
      : toShort(input)
  const name = clipTo(printable(tool), width - 2)
  return [paint('cyan', '→ '), paint('bold', name), clipTo(` ${printable(text)}`, width - 2 - widthOf(name))]
}

type Shown = Pick<ResultEvent, 'success' | 'output' | 'code' | 'message' | 'durationMs'>

const maxLines = 4

/** A few lines of what came back. */
function toResultLines({ success, output, code, message, durationMs }: Shown, width: number): Line[] {
  // A refusal ends with its reason, so it is wrapped where an output would be cut.
  if (!success)
    return toRows(paint('red', '  ✗ '), [clipTo(printable(`${code}: ${message}`), (width - 4) * maxLines)], { width, indent: 4 }) // biome-ignore format: one line
  // An output that says itself in words how it went is shown in those words, and knows its time without that of a person.
  const { output: words, execution_time_ms: ms } = (output ?? {}) as {
    output?: JsonValue
    execution_time_ms?: JsonValue
  }
  const time = toDuration(typeof ms === 'number' ? ms : durationMs)
  const text = typeof words === 'string' ? words : JSON.stringify(output)
  const [first = '', ...more] = text.trimEnd().split('\n')
  const left = more.length - (maxLines - 1)
  return [
    [paint('green', '  ✓ '), clipTo(printable(first), width - time.length - 6), paint('dim', `  ${time}`)],
    ...more.slice(0, maxLines - 1).map((line) => paint('dim', `    ${clipTo(printable(line), width - 4)}`)),
    ...(left > 0 ? [paint('dim', `    … ${left} more ${left === 1 ? 'line' : 'lines'}`)] : []),
  ]
}

function toEndLines({ outcome, message, suggestion, code }: EndEvent, width: number): Line[] {
  if (outcome === 'answered') return []
  if (outcome === 'stopped') return [paint('yellow', 'Stopped.')]
  const rows = { width, indent: 2 }
  return [
    ...toRows(paint('red', 'Error:'), [` ${printable(message ?? '')}`], rows),
    ...(suggestion === null ? [] : toRows('', [printable(suggestion)], rows)),
    paint('dim', `Code: ${printable(code ?? '')}`),
  ]
}

function toShort(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The last character as people count them, where what comes next may belong to it: joined emoji, keycaps, line breaks. */
function unfinished(text: string): string {
  if (!/[^\x00-\x7f]$|[\d#*\r]$/.test(text)) return ''
  return [...graphemes.segment(text.slice(-longestGrapheme))].at(-1)!.segment
}

const graphemes = new Intl.Segmenter()
const longestGrapheme = 64
