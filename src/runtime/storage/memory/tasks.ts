import type { JsonObject } from '../../../contract/json.ts'
import { ToolpactError } from '../../../contract/toolpact-error.ts'
import {
  type ClaimedTask,
  findRunOf,
  findTaskLimit,
  mayEvict,
  type StoredTask,
  type TaskState,
  type Tasks,
  takeResponses,
  taskLimits,
  withoutAnswered,
} from '../tasks.ts'
import { createChanges } from './changes.ts'

interface KeptTask extends Omit<ClaimedTask, 'request' | 'result' | 'inputRequests' | 'inputResponses'> {
  readonly owner: string
  readonly leaseUntil: number
  /** Stored as text, so that callers cannot mutate it. */
  readonly request: string
  readonly result?: string | undefined
  readonly inputRequests?: string | undefined
  readonly inputResponses?: string | undefined
}

export function openMemoryTasks(mustBeOpen: () => void): Tasks {
  /** In the order in which they were added. */
  const tasks = new Map<string, KeptTask>()
  const { changed, watch } = createChanges()

  function sweep(now: number) {
    mustBeOpen()
    for (const task of tasks.values()) {
      if (task.state === 'running' && task.leaseUntil <= now)
        set(task.id, { state: 'interrupted', updatedAt: task.leaseUntil, inputRequests: undefined })
      else if (task.state !== 'running' && task.expiresAt <= now) tasks.delete(task.id)
    }
  }

  function set(id: string, changes: Partial<KeptTask>) {
    const task = tasks.get(id)!
    tasks.set(id, { ...task, ...changes })
    changed()
  }

  const own = (id: string, caller: string) => {
    const task = tasks.get(id)
    return task?.caller === caller ? task : undefined
  }

  /** Frees room by deleting ended tasks of a caller, oldest first, until `isEnough`. */
  function makeRoom(caller: string, isEnough: () => boolean, except?: string) {
    for (const task of tasks.values()) {
      if (isEnough()) return
      if (task.caller === caller && !isOpen(task.state) && task.id !== except) tasks.delete(task.id)
    }
  }

  function usedBy(caller?: string) {
    const counted = [...tasks.values()].filter((task) => caller === undefined || task.caller === caller)
    return {
      open: counted.filter(({ state }) => isOpen(state)).length,
      tasks: counted.length,
      bytes: counted.reduce((sum, task) => sum + bytesOf(task), 0),
    }
  }

  return {
    async add({ id, caller, lease, request, inputRequests, ...task }, now) {
      sweep(now)
      if (tasks.has(id)) throw new ToolpactError('exists_already', `The task ${id} exists already: add each one once.`)
      const text = JSON.stringify(request)
      const findLimit = () => findTaskLimit(Buffer.byteLength(text), { caller: usedBy(caller), total: usedBy() })
      makeRoom(caller, () => !mayEvict(findLimit()))
      const limit = findLimit()
      if (limit) return limit
      tasks.set(id, {
        ...task,
        ...{ id, caller, createdAt: now, updatedAt: now, request: text, inputRequests: toText(inputRequests) },
        ...{ state: lease ? 'running' : 'waiting', owner: lease?.owner ?? '', leaseUntil: lease?.until ?? 0 },
      })
      changed()
      return undefined
    },
    async find(id, caller, now) {
      sweep(now)
      const task = own(id, caller)
      return task && toTask(task)
    },
    async list(caller, { after, limit }, now) {
      sweep(now)
      const sorted = [...tasks.values()].filter((task) => task.caller === caller).sort(newestFirst)
      const later = after ? sorted.filter((task) => newestFirst(task, after) > 0) : sorted
      return later.slice(0, limit).map((task) => toTask({ ...task, result: undefined }))
    },
    async waiting(workspace, now) {
      sweep(now)
      return [...tasks.values()].flatMap(({ id, caller, tool, questionId, ...task }) =>
        task.state === 'waiting' && task.workspace === workspace ? [{ id, caller, tool, questionId: questionId! }] : [],
      )
    },
    async claim(id, { owner, until }, now) {
      sweep(now)
      const before = tasks.get(id)
      if (before?.state !== 'waiting') return undefined
      const questionId = findRunOf(before) === undefined ? undefined : before.questionId
      set(id, { state: 'running', owner, leaseUntil: until, updatedAt: now, questionId, ...noInput } as KeptTask)
      const task = tasks.get(id)!
      return { ...toTask(task), request: JSON.parse(task.request) }
    },
    async renew({ owner, until }, now) {
      sweep(now)
      for (const [id, task] of tasks)
        if (task.state === 'running' && task.owner === owner) tasks.set(id, { ...task, leaseUntil: until })
    },
    async change(id, owner, change, now) {
      sweep(now)
      const task = tasks.get(id)
      if (task?.state !== 'running' || task.owner !== owner) return false
      const { inputRequests, ...rest } = { inputRequests: undefined, ...change }
      const result = 'result' in rest ? toText(rest.result) : undefined
      const inputResponses = 'state' in rest ? undefined : task.inputResponses
      const left = withoutAnswered(inputRequests, JSON.parse(inputResponses ?? '{}'))
      set(id, { questionId: undefined, ...rest, updatedAt: now, inputRequests: toText(left), inputResponses, result } as KeptTask) // biome-ignore format: one line
      const isWithin = () => usedBy(task.caller).bytes <= taskLimits.caller.bytes
      if (result !== undefined) makeRoom(task.caller, isWithin, id)
      return true
    },
    async answer(id, caller, responses, now) {
      sweep(now)
      const task = own(id, caller)
      if (!task) return undefined
      if (!isOpen(task.state) || task.inputRequests === undefined) return []
      const { keys, taken, left } = takeResponses(JSON.parse(task.inputRequests), responses)
      if (keys.length === 0) return []
      const given = { ...(task.inputResponses && JSON.parse(task.inputResponses)), ...taken }
      set(id, { inputRequests: toText(left), inputResponses: JSON.stringify(given), updatedAt: now })
      return keys
    },
    async cancel(id, caller, now) {
      sweep(now)
      const task = own(id, caller)
      if (task && isOpen(task.state)) set(id, { state: 'cancelled', updatedAt: now, ...noInput })
      return task && toTask(task)
    },
    watch,
  }
}

const noInput = { inputRequests: undefined, inputResponses: undefined }

function isOpen(state: TaskState): boolean {
  return state === 'running' || state === 'waiting'
}

function bytesOf({ request, result = '' }: KeptTask): number {
  return Buffer.byteLength(request) + Buffer.byteLength(result)
}

function newestFirst(a: Pick<StoredTask, 'id' | 'createdAt'>, b: Pick<StoredTask, 'id' | 'createdAt'>): number {
  if (a.createdAt !== b.createdAt) return b.createdAt - a.createdAt
  return a.id === b.id ? 0 : a.id < b.id ? 1 : -1
}

function toText(value: JsonObject | undefined): string | undefined {
  return value && JSON.stringify(value)
}

function toTask({ owner, leaseUntil, request, ...task }: KeptTask): StoredTask {
  const parsed = ['inputRequests', 'inputResponses', 'result'] as const
  const texts = parsed.flatMap((key) => (task[key] === undefined ? [] : [[key, JSON.parse(task[key])]]))
  const { inputRequests, inputResponses, result, questionId, ...known } = task
  return { ...known, ...(questionId !== undefined && { questionId }), ...Object.fromEntries(texts) }
}
