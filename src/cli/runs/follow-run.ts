import { hasRunEnded } from '../../runtime/storage/runs.ts'
import type { RunDetails, RunStep, WorkflowRuns } from '../../workflow/run/workflow-runs.ts'
import { toColumns } from '../terminal/columns.ts'
import type { Status } from '../terminal/status.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { flatten, toStepRow, toWaitText } from './run-lines.ts'

interface FollowOptions {
  /** Receives the run at first and after each change. */
  readonly print: (run: RunDetails) => void
  /** Ends the wait; the run goes on. */
  readonly signal: AbortSignal
}

/** Changes that another process makes are reported soon; times pass without a change. */
const lookEveryMs = 2000

/** Follows a run until it has ended, needs a person, or the signal aborts. Returns the run as it was last. */
export async function followRun(runs: WorkflowRuns, id: string, { print, signal }: FollowOptions): Promise<RunDetails> {
  let last = (await runs.find(id))!
  print(last)
  const changed = createSignal()
  const stopWatching = runs.watch(changed.set)
  const timer = setInterval(changed.set, lookEveryMs)
  signal.addEventListener('abort', changed.set, { once: true })
  try {
    while (!isOver(last) && !signal.aborted) {
      await changed.next()
      last = (await runs.find(id)) ?? last
      print(last)
    }
    return last
  } finally {
    stopWatching()
    clearInterval(timer)
    signal.removeEventListener('abort', changed.set)
  }
}

/** Changes that arrive between two waits count as one. It is set at first, so that no change is missed. */
function createSignal() {
  let pending = Promise.withResolvers<void>()
  pending.resolve()
  return {
    set: () => pending.resolve(),
    async next() {
      await pending.promise
      pending = Promise.withResolvers<void>()
    },
  }
}

/** Whether nothing happens any more without a person who decides. */
function isOver({ state }: Pick<RunDetails, 'state'>): boolean {
  return hasRunEnded(state) || state === 'needs_person'
}

interface PrinterOptions {
  readonly terminal: Pick<Terminal, 'log' | 'columns'>
  readonly status?: Status | undefined
  /** Nothing is printed. */
  readonly quiet?: boolean | undefined
}

/** Prints a line for each step that ends or begins to wait, once. What is in flight is the status. */
export function createStepPrinter({ terminal, status, quiet }: PrinterOptions): FollowOptions['print'] {
  const seen = new Map<string, string>()
  const widths: number[] = []

  return (run) => {
    // What changes meanwhile is printed after the answer, which changes a step.
    if (quiet || status?.isAsking()) return
    const waits = new Map(run.waitsFor.map((wait) => [wait.step, wait]))
    const steps = flatten(run.steps)
    const changed = steps.filter((step) => isWorthALine(step) && seen.get(step.key) !== step.state)
    for (const step of changed) seen.set(step.key, step.state)
    if (changed.length > 0) {
      status?.clear()
      const rows = changed.map((step) => toStepRow(step, waits.get(step.key)))
      terminal.log(...toColumns(rows, { widths, width: terminal.columns }))
    }
    status?.show(isOver(run) ? undefined : () => toStatusText(run, steps))
  }
}

/** `pending` and `running` steps are in the status. */
function isWorthALine({ state }: RunStep): boolean {
  return state !== 'pending' && state !== 'running'
}

function toStatusText({ progress: { done, total }, waitsFor }: RunDetails, steps: readonly RunStep[]): string {
  const running = steps.filter(({ state, items }) => state === 'running' && !items).map(({ key }) => key)
  const [wait] = waitsFor
  const what = running.length > 0 ? running.join(', ') : wait ? `${wait.step} ${toWaitText(wait)}` : 'next step'
  return `${done} of ${total} steps: ${what}`
}
