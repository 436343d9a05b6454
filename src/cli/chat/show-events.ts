import type { ChatEvent, EndEvent, ResultEvent } from '../../agent/chat/chat-event.ts'
import type { JsonValue } from '../../contract/json.ts'
import { printable } from '../../contract/printable.ts'
import { toDuration } from '../ledger-row.ts'
import { type Spinner, startSpinner } from '../spinner.ts'
import { type Line, paint, type Terminal } from '../terminal.ts'

export interface ShownEvents {
  show(event: ChatEvent): void
  /** Nothing turns while a person is asked. */
  whileAsking<Result>(ask: () => Promise<Result>): Promise<Result>
}

/** Shows a session as it goes on: what the model says on stdout, what it does on stderr, a line or two for each call. */
export function showEvents(terminal: Terminal): ShownEvents {
  let spinner: Spinner | undefined
  /** What is waited for, while something is. */
  let awaited: string | undefined
  /** What may be half of a character. */
  let held = ''
  let lineIsOpen = false

  function write(text: string) {
    const whole = held + text
    held = /[\ud800-\udbff\r]$/.exec(whole)?.[0] ?? ''
    const ready = whole.slice(0, whole.length - held.length)
    if (ready === '') return
    terminal.write(ready)
    lineIsOpen = !ready.endsWith('\n')
  }

  function endLine() {
    if (held !== '') terminal.write(held)
    if (lineIsOpen || held !== '') terminal.write('\n')
    lineIsOpen = false
    held = ''
  }

  function wait(what: string | undefined) {
    spinner?.stop()
    awaited = what
    spinner = what === undefined ? undefined : startSpinner(what)
  }

  function show(event: ChatEvent) {
    wait(undefined)
    if (event.type === 'text') return write(event.text)
    endLine()
    switch (event.type) {
      case 'asking':
        wait(`${printable(event.model)} works`)
        break
      case 'call':
        terminal.tell(toCallLine(event.tool, event.input, terminal.columns))
        wait(`${printable(event.tool)} runs`)
        break
      case 'result':
        terminal.tell(...toResultLines(event, terminal.columns))
        break
      case 'hidden':
        terminal.tell(note(`The model was not shown this: ${printable(event.tool)} has no output schema. --free-form lets it read such output.`)) // biome-ignore format: one line
        break
      case 'folded':
        terminal.tell(note(`The ${event.messages} oldest messages no longer fit into what the model reads.`))
        break
      case 'interrupted':
        terminal.tell(
          note(`${event.calls === 1 ? 'A call was' : `${event.calls} calls were`} under way when this session broke off. toolpact ledger tells what ran.`), // biome-ignore format: one line
        )
        break
      case 'end':
        terminal.tell(...toEndLines(event))
    }
  }

  return {
    show,
    async whileAsking(ask) {
      const before = awaited
      wait(undefined)
      return ask().finally(() => wait(before))
    },
  }
}

function note(text: string): Line {
  return [paint('yellow', 'Note:'), ` ${text}`]
}

const usualWidth = 100

/** What is called, on one line. */
function toCallLine(tool: string, input: JsonValue, columns = usualWidth): Line {
  const text =
    typeof input === 'object' && input !== null && !Array.isArray(input)
      ? Object.entries(input).map(([key, value]) => `${key}=${clip(toShort(value), 60)}`).join(' ') // biome-ignore format: one line
      : toShort(input)
  return [paint('cyan', '→ '), paint('bold', printable(tool)), ` ${clip(printable(text), columns - tool.length - 4)}`]
}

type Shown = Pick<ResultEvent, 'success' | 'output' | 'code' | 'message' | 'durationMs'>

const mostLines = 4

/** A few lines of what came back. */
function toResultLines({ success, output, code, message, durationMs }: Shown, columns = usualWidth): Line[] {
  if (!success) return [[paint('red', '  ✗ '), clip(printable(`${code}: ${message}`), columns - 4)]]
  // An output that says itself in words how it went is shown in those words, and knows its time without that of a person.
  const { output: words, execution_time_ms: ms } = (output ?? {}) as {
    output?: JsonValue
    execution_time_ms?: JsonValue
  }
  const time = toDuration(typeof ms === 'number' ? ms : durationMs)
  const text = typeof words === 'string' ? words : JSON.stringify(output)
  const [first = '', ...more] = text.trimEnd().split('\n')
  const left = more.length - (mostLines - 1)
  return [
    [paint('green', '  ✓ '), clip(printable(first), columns - time.length - 6), paint('dim', `  ${time}`)],
    ...more.slice(0, mostLines - 1).map((line) => paint('dim', `    ${clip(printable(line), columns - 4)}`)),
    ...(left > 0 ? [paint('dim', `    … ${left} more ${left === 1 ? 'line' : 'lines'}`)] : []),
  ]
}

function toEndLines({ outcome, message, suggestion, code }: EndEvent): Line[] {
  if (outcome === 'answered') return []
  if (outcome === 'stopped') return [paint('yellow', 'Stopped.')]
  return [
    [paint('red', 'Error:'), ` ${printable(message ?? '')}`],
    ...(suggestion === null ? [] : [printable(suggestion)]),
    paint('dim', `Code: ${printable(code ?? '')}`),
  ]
}

function toShort(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function clip(text: string, room: number): string {
  const most = Math.max(20, room)
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`
}
