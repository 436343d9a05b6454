import type { StoredTask, Tasks } from '../../../runtime/storage/tasks.ts'
import { hasEnded } from './task.ts'

interface Follower {
  readonly caller: string
  /** The last known version of each followed task. */
  readonly versions: Map<string, string>
  readonly onChange: (task: StoredTask | undefined, id: string) => void
}

/** Leases and tasks expire without a change of the storage. */
const lookEveryMs = 2000

/** Reports changes of tasks, in whichever process they happen. */
export class TaskChanges {
  readonly #tasks: Tasks
  readonly #followers = new Set<Follower>()
  #stopWatching: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #isDue = false

  constructor(tasks: Tasks) {
    this.#tasks = tasks
  }

  /**
   * Follows tasks from the given versions until they end, which is the last change reported; undefined: the task is gone.
   * Returns what stops it.
   */
  follow(tasks: readonly StoredTask[], onChange: Follower['onChange']): () => void {
    const [first] = tasks
    if (!first) return () => {}
    const versions = new Map(tasks.map((task) => [task.id, toVersion(task)]))
    const follower = { caller: first.caller, versions, onChange }
    this.#followers.add(follower)
    this.#stopWatching ??= this.#tasks.watch(() => this.look())
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

  async #lookAll() {
    while (this.#isDue) {
      this.#isDue = false
      for (const follower of this.#followers) await this.#lookFor(follower).catch(() => {})
    }
  }

  async #lookFor(follower: Follower) {
    const { caller, versions, onChange } = follower
    for (const [id, version] of versions) {
      const task = await this.#tasks.find(id, caller, Date.now())
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
