import { printable } from '../contract/printable.ts'

/** Something turns on stderr while a person waits. */
export interface Spinner {
  /** Takes it away. */
  stop(): void
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const beforeMs = 2000
const everyMs = 100

/** Shows what is waited for and for how long, once that is more than two seconds; nothing where stderr is no terminal. */
export function startSpinner(what: string, stream: NodeJS.WriteStream = process.stderr): Spinner {
  if (!stream.isTTY) return { stop() {} }
  const startedAt = performance.now()
  let turns = 0
  let shown = false
  const turn = () => {
    const seconds = Math.floor((performance.now() - startedAt) / 1000)
    shown = true
    stream.write(`\r\u001b[2K${frames[turns++ % frames.length]} ${printable(what)} ${seconds} s`)
  }
  let repeat: NodeJS.Timeout | undefined
  const begin = setTimeout(() => {
    turn()
    repeat = setInterval(turn, everyMs)
  }, beforeMs)
  return {
    stop() {
      clearTimeout(begin)
      clearInterval(repeat)
      if (shown) stream.write('\r\u001b[2K')
      shown = false
    },
  }
}
