import type { StoredTask, Tasks } from '../../../runtime/storage/tasks.ts'
import type { WorkflowRuns } from '../../../workflow/run/workflow-runs.ts'
import { hasEnded } from './task.ts'

interface Follower {
  readonly caller: string
  /** The last known version of each followed task. */
  readonly versions: Map<string, string>
  readonly onChange: (task: StoredTask | undefined, id: string) => void
  readonly find: FindTask
}

/** Finds a task as its client sees it. */
export type FindTask = (id: string, caller: string) => Promise<StoredTask | undefined>

/** Leases and tasks expire without a change of the storage. */
const lookEveryMs = 2000

/** Reports changes of tasks, in whichever process they happen. */
export class TaskChanges {
  readonly #tasks: Tasks
  readonly #runs: Pick<WorkflowRuns, 'watch'> | undefined
  readonly #followers = new Set<Follower>()
  #stopWatching: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #isDue = false

  /** `runs`: what tasks of workflows follow. */
  constructor(tasks: Tasks, runs: Pick<WorkflowRuns, 'watch'> | undefined) {
    this.#tasks = tasks
    this.#runs = runs
  }

  /**
   * Follows tasks from the given versions until they end, which is the last change reported; undefined: the task is gone.
   * Returns what stops it. `find`: default: as they are stored.
   */
  follow(tasks: readonly StoredTask[], onChange: Follower['onChange'], find?: FindTask): () => void {
    const [first] = tasks
    if (!first) return () => {}
    const versions = new Map(tasks.map((task) => [task.id, toVersion(task)]))
    const stored: FindTask = (id, caller) => this.#tasks.find(id, caller, Date.now())
    const follower = { caller: first.caller, versions, onChange, find: find ?? stored }
    this.#followers.add(follower)
    this.#stopWatching ??= this.#watch()
    this.#timer ??= setInterval(() => this.look(), lookEveryMs).unref()
    return () => this.#drop(follower)
  }

  /** Looks at once, because this process has changed a task. Never rejects. */
  look(): Promise<void> {
    this.#isDue = true
    this.#looking ??= this.#lookAll().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  close() {
    for (const follower of this.#followers) this.#drop(follower)
  }

  #watch() {
    const stops = [this.#tasks, this.#runs].map((store) => store?.watch(() => this.look()))
    return () => {
      for (const stop of stops) stop?.()
    }
  }

  async #lookAll() {
    while (this.#isDue) {
      this.#isDue = false
      for (const follower of this.#followers) await this.#lookFor(follower).catch(() => {})
    }
  }

  async #lookFor(follower: Follower) {
    const { caller, versions, onChange, find } = follower
    for (const [id, version] of versions) {
      const task = await find(id, caller)
      const next = task && toVersion(task)
      if (next === version || !this.#followers.has(follower)) continue
      if (!task || hasEnded(task.state)) versions.delete(id)
      else versions.set(id, next!)
      onChange(task, id)
    }
    if (versions.size === 0) this.#drop(follower)
  }

  #drop(follower: Follower) {
    this.#followers.delete(follower)
    if (this.#followers.size > 0) return
    this.#stopWatching?.()
    clearInterval(this.#timer)
    this.#stopWatching = undefined
    this.#timer = undefined
  }
}

function toVersion({ state, updatedAt, inputRequests = {}, inputResponses = {} }: StoredTask): string {
  return JSON.stringify([state, updatedAt, Object.keys(inputRequests), Object.keys(inputResponses)])
}
