import type { Toolpact } from '../../app/app.ts'
import { findCallerEntries } from '../../app/config/caller-rights.ts'
import type { Notifier } from '../../app/notify/open-notifier.ts'
import { printable } from '../../contract/text/printable.ts'
import type { ApprovalRequest } from '../../runtime/approval/approver.ts'
import { toApproveCommand, toCallText } from '../../runtime/approval/texts.ts'
import { type AskIn, type Asking, defaultKeepMs, defaultWaitMs } from '../../surfaces/asking.ts'
import { type Options, UsageError } from '../options/command.ts'
import { approveAll, toWaitMs } from '../terminal/choose-approver.ts'
import { paint, type Terminal } from '../terminal/terminal.ts'

interface AskingParts {
  readonly toolpact: () => Toolpact
  readonly notifier: Notifier
}

/** Where approvals are asked while serving. The command line overrides the config, which is read for each call. */
export function toAsking(options: Options, terminal: Terminal, { toolpact, notifier }: AskingParts): Asking {
  const config = () => toolpact().config
  const given = toWaitMs(options)
  const chosen = toAskIn(options)
  const configured = () => config().approval?.waitMs ?? defaultWaitMs
  return {
    ...(options.yes && { always: approveAll }),
    askIn(caller) {
      const own = findCallerEntries(config(), caller).find((entry) => entry.approval)
      return chosen ?? own?.approval?.ask ?? config().approval?.ask ?? 'client'
    },
    findConsole: () => toolpact().consoleAddress.find(),
    get waitMs() {
      return Math.min(configured(), given ?? Number.POSITIVE_INFINITY)
    },
    get maxWaitMs() {
      return given ?? configured()
    },
    get keepMs() {
      return config().approval?.keepMs ?? defaultKeepMs
    },
    onWaiting(request, id) {
      if (!options.quiet) printWaiting(request, id, terminal)
      notifier.notify(request, id)
    },
  }
}

const places: readonly AskIn[] = ['client', 'queue', 'both', 'console']

function toAskIn({ 'ask-in': given }: Options): AskIn | undefined {
  const chosen = places.find((place) => place === given)
  if (given !== undefined && !chosen)
    throw new UsageError(`--ask-in cannot be '${given}'.`, `Use ${places.join(', ')}.`)
  return chosen
}

function printWaiting({ binding, caller, effects }: ApprovalRequest, id: string, terminal: Terminal) {
  const what = toCallText(printable(binding.tool), effects)
  terminal.log([
    paint('yellow', 'Waiting:'),
    ` ${what} by ${printable(caller.name)} needs approval. Run ${toApproveCommand(id)}, or show, or deny.`,
  ])
}
