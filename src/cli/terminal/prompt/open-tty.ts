import { closeSync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isatty, ReadStream, WriteStream } from 'node:tty'
import type { ScreenSize } from '../../../runtime/approval/text/to-summary.ts'
import { type Line, onNarrower, toText } from '../terminal.ts'

/** The controlling terminal, even if stdin and stderr are redirected. */
export interface Tty {
  size(): ScreenSize
  print(lines: readonly Line[]): void
  /**
   * Asks on a new line. Undefined at end of input and when the signal aborts. When the terminal gets narrower, the screen
   * is cleared, `redraw` prints the text above the question, and the question is printed again.
   */
  ask(question: Line, signal: AbortSignal, redraw?: () => void): Promise<string | undefined>
  close(): void
}

/** Input typed before the question was visible is discarded; it may take this long to arrive. */
const drainMs = 30

/** Undefined if neither stdin nor stderr is a terminal, so a question cannot be answered. */
export function openTty(): Tty | undefined {
  if (!isatty(0) && !isatty(2)) return undefined
  const output = isatty(2) ? process.stderr : openOutput()
  const input = output && openInput()
  if (!output || !input) return undefined
  let typed = ''
  let ended = false
  let notice = () => {}
  input.setEncoding('utf8').on('data', (text) => {
    typed += text
    notice()
  })
  for (const event of ['end', 'error', 'close'])
    input.on(event, () => {
      ended = true
      notice()
    })

  function print(lines: readonly Line[]) {
    output!.write(lines.map((line) => `${toText(output!, line, output!.columns || 80)}\n`).join(''))
  }

  async function ask(question: Line, signal: AbortSignal, redraw = () => {}): Promise<string | undefined> {
    await sleep(drainMs)
    typed = ''
    const showQuestion = () => output!.write(toText(output!, question, output!.columns || 80))
    showQuestion()
    const release = onNarrower(output!, () => {
      redraw()
      showQuestion()
    })
    const isOver = () => ended || signal.aborted || /[\r\n]/.test(typed)
    while (!isOver())
      await new Promise<void>((resolve) => {
        notice = resolve
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
    release()
    const [line] = typed.split(/[\r\n]/)
    if (!ended && !signal.aborted) return line
    print([''])
    return undefined
  }

  return {
    size: () => ({ columns: output.columns || 80, rows: output.rows || 24 }),
    print,
    ask,
    close() {
      input.destroy()
      if (output !== process.stderr) output.destroy()
    },
  }
}

function openInput(): ReadStream | undefined {
  const own = openDevice('r')
  if (own !== undefined) return new ReadStream(own)
  return process.stdin.isTTY ? process.stdin : undefined
}

function openOutput(): WriteStream | undefined {
  const own = openDevice('w')
  return own === undefined ? undefined : new WriteStream(own)
}

/** The controlling terminal of this process, if any. */
function openDevice(flags: 'r' | 'w'): number | undefined {
  if (process.platform === 'win32') return undefined
  try {
    const device = openSync('/dev/tty', flags)
    if (isatty(device)) return device
    closeSync(device)
  } catch {
    // Fall back to stdin if it is a terminal.
  }
  return undefined
}
