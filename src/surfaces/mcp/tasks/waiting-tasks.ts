import { hasRunEnded } from '../../../runtime/storage/runs.ts'
import type { Approvals, QuestionState } from '../../../runtime/storage/storage.ts'
import { findRunOf, type Tasks, type WaitingTask } from '../../../runtime/storage/tasks.ts'
import type { RunDetails, WorkflowRuns } from '../../../workflow/run/workflow-runs.ts'

interface WaitingOptions {
  readonly tasks: Tasks
  readonly approvals: Approvals
  readonly workspace: string
  /** What tasks of workflows follow. */
  readonly runs: WorkflowRuns | undefined
  /** The question of a task was answered, or has expired. */
  readonly onAnswered: (task: WaitingTask, state: QuestionState) => Promise<void>
  /** The run of a task has ended. */
  readonly onRunEnded: (task: WaitingTask, run: RunDetails) => Promise<void>
}

/** After the start, to let the first requests through. */
const firstLookMs = 500
/** Finds tasks whose process has died. */
const lookEveryMs = 15_000
/** Questions expire without a change of the storage. */
const expiryMs = 2000

/**
 * Finds waiting tasks whose question was answered, of any process that has died too. It watches the queue only while tasks of
 * the workspace wait, so that servers without tasks pay for a small query now and then.
 */
export class WaitingTasks {
  readonly #options: WaitingOptions
  readonly #first: NodeJS.Timeout
  readonly #timer: NodeJS.Timeout
  #stopWatching: (() => void) | undefined
  #expiry: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #isDue = false
  #isClosed = false

  constructor(options: WaitingOptions) {
    this.#options = options
    this.#first = setTimeout(() => this.look(), firstLookMs).unref()
    this.#timer = setInterval(() => this.look(), lookEveryMs).unref()
  }

  /** Never rejects. */
  look(): Promise<void> {
    this.#isDue = true
    this.#looking ??= this.#lookAll().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  close() {
    this.#isClosed = true
    clearTimeout(this.#first)
    clearInterval(this.#timer)
    this.#rest()
  }

  async #lookAll() {
    while (this.#isDue && !this.#isClosed) {
      this.#isDue = false
      await this.#lookOnce().catch(() => {})
    }
  }

  async #lookOnce() {
    const { tasks, approvals, workspace, onAnswered, runs, onRunEnded } = this.#options
    const waiting = await tasks.waiting(workspace, Date.now())
    if (waiting.length === 0) return this.#rest()
    // First, so that no answer is missed.
    if (!this.#isClosed) this.#attend()
    for (const task of waiting) {
      const runId = findRunOf(task)
      if (runId !== undefined) {
        const run = await runs?.find(runId)
        if (run && hasRunEnded(run.state) && !this.#isClosed) await onRunEnded(task, run)
        continue
      }
      const state = await approvals.look(task.questionId, Date.now())
      if (state.state !== 'pending' && !this.#isClosed) await onAnswered(task, state)
    }
  }

  #attend() {
    this.#stopWatching ??= this.#watch()
    this.#expiry ??= setInterval(() => this.look(), expiryMs).unref()
  }

  #watch() {
    const { approvals, runs } = this.#options
    const stops = [approvals, runs].map((store) => store?.watch(() => this.look()))
    return () => {
      for (const stop of stops) stop?.()
    }
  }

  #rest() {
    this.#stopWatching?.()
    clearInterval(this.#expiry)
    this.#stopWatching = undefined
    this.#expiry = undefined
  }
}
