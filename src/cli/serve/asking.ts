import { printable } from '../../contract/printable.ts'
import type { ApprovalRequest } from '../../pipeline/approver.ts'
import type { Asking } from '../../surfaces/asking.ts'
import { queueWaitMs, toWaitMs } from '../choose-approver.ts'
import type { Options } from '../command.ts'
import { paint, type Terminal } from '../terminal.ts'
import { readUserName } from '../user-name.ts'

/** Who is asked about calls while the tools are served: nobody with `--yes`, else whoever a surface can reach. */
export function toAsking(options: Options, terminal: Terminal): Asking {
  return {
    ...(options.yes && { always: async () => ({ answer: 'yes', by: readUserName(), via: '--yes' }) }),
    waitMs: toWaitMs(options) ?? queueWaitMs,
    onWaiting: (request, id) => tellWaiting(request, id.slice(0, 8), terminal),
  }
}

const mostTouched = 80

function tellWaiting({ binding, caller, effects }: ApprovalRequest, id: string, terminal: Terminal) {
  const touched = printable(Object.values(effects).flat().join(', '))
  const shown = touched.length > mostTouched ? `${touched.slice(0, mostTouched)}…` : touched
  const what = `${printable(binding.tool)}${shown && ` (${shown})`}`
  terminal.tell([
    paint('yellow', 'Waiting:'),
    ` ${what} by ${printable(caller.name)} needs approval. Run toolpact approvals approve ${id}, or show, or deny.`,
  ])
}
