import type { Row } from '../../../runtime/approval/text/rows.ts'
import { paint } from '../terminal.ts'
import type { Tty } from './open-tty.ts'

/** Pages through rows. False if the input ended. */
export async function page(rows: readonly Row[], tty: Tty, signalOf: () => AbortSignal): Promise<boolean> {
  let first = 0
  for (;;) {
    const height = Math.max(tty.size().rows - 2, 3)
    const last = Math.min(first + height, rows.length)
    tty.print(rows.slice(first, last))
    if (rows.length <= height) return true
    const place = `Rows ${first + 1} to ${last} of ${rows.length}.`
    const next = last < rows.length ? 'Enter: on, ' : ''
    const typed = await tty.ask(
      [paint('inverse', `${place} ${next}b: back, NUMBER: that row, q: to the question`), ' '],
      signalOf(),
    )
    if (typed === undefined) return false
    const answer = typed.trim().toLowerCase()
    if (answer === 'b') first = Math.max(0, first - height)
    else if (/^\d+$/.test(answer)) first = Math.max(0, Math.min(Number(answer), rows.length) - 1)
    else if (answer === '' && last < rows.length) first = last
    else return true
  }
}
