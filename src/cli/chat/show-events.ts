import type { ChatEvent, EndEvent, ResultEvent } from '../../agent/chat/chat-entry.ts'
import { type ContentBlock, isContentBlock } from '../../contract/content/content-block.ts'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { printable } from '../../contract/text/printable.ts'
import { toRows } from '../../runtime/approval/text/rows.ts'
import { clipTo, widthOf } from '../../runtime/approval/text/wrap.ts'
import { toDuration } from '../terminal/columns.ts'
import { toSize } from '../terminal/content.ts'
import { toProblemText } from '../terminal/print-result.ts'
import { createStatus, type Status } from '../terminal/status.ts'
import { type Line, paint, type Terminal } from '../terminal/terminal.ts'
import { createAnswerWriter } from './gutter.ts'

export interface ShownEvents {
  show(event: ChatEvent): void
  /** What is waited for. */
  readonly status: Status
  /** Hides the status while the user is asked. */
  whileAsking<Result>(ask: () => Promise<Result>): Promise<Result>
}

/**
 * Prints a session as it runs: model text on stdout, and a line or two per call on stderr. In a terminal, model text stays in a
 * gutter and quoted lines never wrap, so that only our own text starts at the left margin.
 */
export function showEvents(terminal: Terminal, status: Status = createStatus()): ShownEvents {
  /** An incomplete character at the end of the stream, without a terminal. */
  let held = ''
  let isAsking = false
  /** Events of the current turn, for redrawing. */
  let turn: ChatEvent[] = []
  /** How long the person waited for each result. */
  const waited = new WeakMap<ChatEvent, number>()
  let writer = openWriter()

  function openWriter() {
    return createAnswerWriter({
      columns: () => terminal.columns ?? usualWidth,
      write(rows) {
        status.clear()
        terminal.print(...rows)
      },
    })
  }

  function write(text: string) {
    // The status stays until a block is complete.
    if (terminal.columns !== undefined) return writer.push(text)
    status.show(undefined)
    const whole = held + text
    held = unfinished(whole)
    terminal.write(whole.slice(0, whole.length - held.length))
  }

  function endText() {
    if (terminal.columns !== undefined) return writer.end()
    terminal.write(held)
    held = ''
    if (terminal.lineIsOpen) terminal.write('\n')
  }

  function show(event: ChatEvent) {
    if (turn.at(-1)?.type === 'end') turn = []
    turn.push(event)
    if (event.type === 'call') status.restart()
    if (event.type === 'result') waited.set(event, status.waitedMs())
    print(event)
  }

  function print(event: ChatEvent) {
    if (event.type === 'text') return write(event.text)
    status.show(undefined)
    endText()
    const width = (terminal.columns ?? usualWidth) - 1
    switch (event.type) {
      case 'asking':
        status.show(`${event.model} works`)
        break
      case 'call':
        terminal.log(toCallLine(event.tool, event.input, width))
        status.show(`${event.tool} is running`)
        break
      case 'result':
        terminal.log(...toResultLines(event, { width, waitedMs: waited.get(event) ?? event.durationMs }))
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
    writer = openWriter()
    for (const event of turn) print(event)
  })

  return {
    show,
    status,
    whileAsking(ask) {
      isAsking = true
      return status.whileAsking(ask).finally(() => {
        isAsking = false
      })
    },
  }
}

function note(text: string): Line {
  return [paint('yellow', 'Note:'), ` ${text}`]
}

const usualWidth = 100

/** The call on one line. */
function toCallLine(tool: string, input: JsonValue, width: number): Line {
  const text =
    typeof input === 'object' && input !== null && !Array.isArray(input)
      ? Object.entries(input).map(([key, value]) => `${key}=${clipTo(toShort(value), 60)}`).join(' ') // biome-ignore format: one line
      : toShort(input)
  const name = clipTo(printable(tool), width - 2)
  return [paint('cyan', '→ '), paint('bold', name), clipTo(` ${printable(text)}`, width - 2 - widthOf(name))]
}

const maxLines = 4

interface ResultOptions {
  readonly width: number
  readonly waitedMs: number
}

/** The first lines of a result. */
function toResultLines(event: ResultEvent, { width, waitedMs }: ResultOptions): Line[] {
  const { success, output, code, message, problems = [] } = event
  const rows = { width, indent: 4 }
  // Refusals end with their reason, so they are wrapped; outputs are cut.
  if (!success)
    return [
      ...toRows(paint('red', '  ✗ '), [clipTo(printable(`${code}: ${message}`), (width - 4) * maxLines)], rows),
      ...problems
        .slice(0, maxLines)
        .flatMap((problem) => toRows('    ', [clipTo(toProblemText(problem), (width - 4) * maxLines)], rows)),
    ]
  const time = toDuration(waitedMs)
  const [first = '', ...more] = toText(output).trimEnd().split('\n')
  const left = more.length - (maxLines - 1)
  return [
    [paint('green', '  ✓ '), clipTo(printable(first), width - time.length - 6), paint('dim', `  ${time}`)],
    ...more.slice(0, maxLines - 1).map((line) => paint('dim', `    ${clipTo(printable(line), width - 4)}`)),
    ...(left > 0 ? [paint('dim', `    … ${left} more ${left === 1 ? 'line' : 'lines'}`)] : []),
  ]
}

/** The output's own text, the texts of MCP content, or JSON. */
function toText(value: JsonValue): string {
  const { output, content } = (isObject(value) ? value : {}) as JsonObject
  if (typeof output === 'string') return output
  if (Array.isArray(content) && content.every(isContentBlock)) return content.map(toBlockText).join('\n')
  return JSON.stringify(value)
}

function toBlockText({ type, text, data, mimeType, uri, resource }: ContentBlock): string {
  if (type === 'text') return String(text)
  if (type === 'resource_link') return `[link: ${uri}]`
  if (type !== 'resource') return `[${mimeType}, ${toSize(Buffer.byteLength(String(data), 'base64'))}]`
  const { text: inner, uri: address } = resource as JsonObject
  return typeof inner === 'string' ? inner : `[resource: ${address}]`
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
