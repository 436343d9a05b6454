import type { ChatEvent, EndEvent, ResultEvent } from '../../agent/chat/chat-entry.ts'
import type { JsonValue } from '../../contract/json.ts'
import { printable, printableLines } from '../../contract/text/printable.ts'
import { toRows } from '../../runtime/approval/text/rows.ts'
import { clipTo, widthOf } from '../../runtime/approval/text/wrap.ts'
import { toDuration } from '../terminal/columns.ts'
import { type Spinner, startSpinner } from '../terminal/spinner.ts'
import { type Line, paint, type Terminal } from '../terminal/terminal.ts'
import { gutter as bar, createGutter } from './gutter.ts'

export interface ShownEvents {
  show(event: ChatEvent): void
  /** Hides the spinner while the user is asked. */
  whileAsking<Result>(ask: () => Promise<Result>): Promise<Result>
}

/**
 * Prints a session as it runs: model text on stdout, and a line or two per call on stderr. In a terminal, model text stays in a
 * gutter and quoted lines never wrap, so that only our own text starts at the left margin.
 */
export function showEvents(terminal: Terminal): ShownEvents {
  let spinner: Spinner | undefined
  /** The active spinner, if any. */
  let awaited: string | undefined
  /** An incomplete character at the end of the stream. */
  let held = ''
  let isAsking = false
  /** Events of the current turn, for redrawing. */
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
        terminal.log(note(`The model did not see this output, because ${printable(event.tool)} has no output schema. Use --free-form to show it.`)) // biome-ignore format: one line
        break
      case 'folded':
        terminal.log(note(`The ${event.messages} oldest messages no longer fit into the context of the model.`))
        break
      case 'interrupted':
        terminal.log(
          note(`${event.calls === 1 ? 'A call was' : `${event.calls} calls were`} in flight when this session was interrupted. Run \`toolpact ledger\` to see what ran.`), // biome-ignore format: one line
        )
        break
      case 'end':
        terminal.log(...toEndLines(event, width))
    }
  }

  terminal.onNarrower(() => {
    // An open question redraws itself.
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

/** A spinner redraws one row, so its text must fit. */
const maxWait = 24

/** The call on one line. */
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

/** The first lines of a result. */
function toResultLines({ success, output, code, message, durationMs }: Shown, width: number): Line[] {
  // Refusals end with their reason, so they are wrapped; outputs are cut.
  if (!success)
    return toRows(paint('red', '  ✗ '), [clipTo(printable(`${code}: ${message}`), (width - 4) * maxLines)], { width, indent: 4 }) // biome-ignore format: one line
  // If the output has its own text, show that. Its time excludes waiting for approval.
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

/** The last grapheme, if the next piece may extend it: joined emoji, keycaps, line breaks. */
function unfinished(text: string): string {
  if (!/[^\x00-\x7f]$|[\d#*\r]$/.test(text)) return ''
  return [...graphemes.segment(text.slice(-longestGrapheme))].at(-1)!.segment
}

const graphemes = new Intl.Segmenter()
const longestGrapheme = 64
