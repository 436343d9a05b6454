import type { Progress } from '../../contract/tool.ts'
import type { Approver } from '../../runtime/approval/approver.ts'
import { type Spinner, startSpinner } from './spinner.ts'

/** What a command is waiting for, shown on stderr after a second, and how long the person has waited. */
export interface Status {
  /** Replaces what is shown; undefined shows nothing. While a person is asked, it is shown afterwards. */
  show(what: string | (() => string) | undefined): void
  /** Erases the status for other output; it reappears below that. */
  clear(): void
  /** Progress of the tool, shown after what is shown. */
  setProgress(update: Progress): void
  addOutput(text: string): void
  /** Hides the status, and stops the clock, while a person is asked. */
  whileAsking<Result>(ask: () => Promise<Result>): Promise<Result>
  /** Whether a person is being asked: other output would tear the question apart. */
  isAsking(): boolean
  /** The same for every question of an approver. */
  around(approver: Approver): Approver
  /** Restarts the clock. */
  restart(): void
  /** Milliseconds since the clock was started, without the time that questions were open. */
  waitedMs(): number
}

export function createStatus(): Status {
  let spinner: Spinner | undefined
  let shown: string | (() => string) | undefined
  let progress = ''
  let startedAt = performance.now()
  let askedMs = 0
  let questions = 0

  function show(what: string | (() => string) | undefined) {
    spinner?.stop()
    shown = what
    progress = ''
    spinner = undefined
    if (questions > 0) return
    const toLabel = () => `${typeof what === 'function' ? what() : what}${progress}`
    spinner = what === undefined ? undefined : startSpinner(toLabel)
  }

  async function whileAsking<Result>(ask: () => Promise<Result>): Promise<Result> {
    const askedAt = performance.now()
    questions++
    show(shown)
    try {
      return await ask()
    } finally {
      askedMs += performance.now() - askedAt
      questions--
      show(shown)
    }
  }

  return {
    show,
    clear: () => spinner?.clear(),
    setProgress(update) {
      progress = `: ${toProgressText(update)}`
    },
    addOutput: (text) => spinner?.addOutput(text),
    whileAsking,
    isAsking: () => questions > 0,
    around(approver) {
      const ask = (...asked: Parameters<Approver>) => whileAsking(() => approver(...asked))
      return Object.assign(ask, { isBlind: approver.isBlind ?? false })
    },
    restart() {
      startedAt = performance.now()
      askedMs = 0
    },
    waitedMs: () => performance.now() - startedAt - askedMs,
  }
}

/** `3/10 reading`; the number alone only without a message. */
function toProgressText({ progress, total, message }: Progress): string {
  if (total === undefined) return message ?? `${progress}`
  return message === undefined ? `${progress}/${total}` : `${progress}/${total} ${message}`
}
