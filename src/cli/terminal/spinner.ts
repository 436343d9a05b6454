import { printable } from '../../contract/text/printable.ts'

/** A spinner on stderr. */
export interface Spinner {
  /** Clears the line for other output; the spinner reappears below it. */
  clear(): void
  /** Stops and clears the spinner. */
  stop(): void
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const everyMs = 100

interface SpinnerOptions {
  /** Delay before it appears. Default: two seconds. */
  readonly beforeMs?: number
  readonly stream?: NodeJS.WriteStream
}

/** Shows a label and the elapsed time; does nothing if stderr is not a terminal. A function is called for each frame. */
export function startSpinner(what: string | (() => string), options: SpinnerOptions = {}): Spinner {
  const { beforeMs = 2000, stream = process.stderr } = options
  if (!stream.isTTY) return { clear() {}, stop() {} }
  const startedAt = performance.now()
  let turns = 0
  let shown = false
  const turn = () => {
    const seconds = Math.floor((performance.now() - startedAt) / 1000)
    shown = true
    stream.write(
      `\r\u001b[2K${frames[turns++ % frames.length]} ${printable(typeof what === 'string' ? what : what())} ${seconds} s`,
    )
  }
  let repeat: NodeJS.Timeout | undefined
  const begin = setTimeout(() => {
    turn()
    repeat = setInterval(turn, everyMs)
  }, beforeMs)
  const clear = () => {
    if (shown) stream.write('\r\u001b[2K')
    shown = false
  }
  return {
    clear,
    stop() {
      clearTimeout(begin)
      clearInterval(repeat)
      clear()
    },
  }
}
