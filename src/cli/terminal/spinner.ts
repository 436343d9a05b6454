import { printable } from '../../contract/text/printable.ts'

/** Something turns on stderr while a person waits. */
export interface Spinner {
  /** Removes it from the line, so that something else can be printed; it reappears below. */
  clear(): void
  /** Takes it away. */
  stop(): void
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const everyMs = 100

interface SpinnerOptions {
  /** Nothing is shown before. Default: two seconds. */
  readonly beforeMs?: number
  readonly stream?: NodeJS.WriteStream
}

/** Shows what is waited for and for how long; nothing where stderr is not a terminal. A function is asked at each turn. */
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
