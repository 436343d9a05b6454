import { printable } from '../../contract/text/printable.ts'
import type { EndEvent } from '../../runtime/pipeline/call-event.ts'
import type { CallEvents } from '../../surfaces/console/call-events.ts'
import { paint, type Terminal } from '../terminal/terminal.ts'

/** Lines per second. More cannot be read, and would slow the calls down. */
const maxLines = 20

/** Prints a line for each call that ends: time, tool, caller, outcome, duration. */
export function printCalls(calls: CallEvents, terminal: Terminal): void {
  let began = 0
  let printed = 0
  let omitted = 0

  calls.listen((event) => {
    if (event.kind !== 'ended') return
    const now = performance.now()
    if (now - began >= 1000) {
      if (omitted > 0) terminal.log(paint('dim', `${' '.repeat(10)}${omitted} more calls: toolpact ledger`))
      began = now
      printed = 0
      omitted = 0
    }
    if (printed++ < maxLines) terminal.log(toLine(event))
    else omitted++
  })
}

function toLine({ at, tool, caller, code, durationMs }: EndEvent) {
  const time = new Date(at).toTimeString().slice(0, 8)
  const outcome = code === null ? paint('green', 'ok') : paint('red', printable(code))
  const spent = durationMs < 1000 ? `${Math.round(durationMs)} ms` : `${(durationMs / 1000).toFixed(1)} s`
  return [paint('dim', time), `  ${printable(tool)}  ${printable(caller.name)}  `, outcome, `  ${spent}`]
}
