import type { JsonObject } from '../../../contract/json.ts'
import { ToolpactError } from '../../../contract/toolpact-error.ts'
import { findRunLimit, hasRunEnded, type ReadyRun, type Runs, type StoredRun, type StoredStep } from '../runs.ts'
import type { Approvals } from '../storage.ts'
import { createChanges } from './changes.ts'

interface KeptRun {
  run: StoredRun
  readonly request: string
  result?: string
  /** As JSON, so that callers cannot mutate them. */
  readonly steps: Map<string, string>
}

export function openMemoryRuns(approvals: Approvals, mustBeOpen: () => void): Runs {
  const runs = new Map<string, KeptRun>()
  const { changed, watch } = createChanges()

  function sweep(now: number) {
    for (const [id, { run }] of runs) if (hasRunEnded(run.state) && run.expiresAt <= now) runs.delete(id)
  }

  function findLimit(caller: string) {
    const all = [...runs.values()].map(({ run }) => run)
    const open = all.filter((run) => run.caller === caller && !hasRunEnded(run.state)).length
    return findRunLimit({ open, runs: runs.size })
  }

  function makeRoom(caller: string) {
    for (const [id, { run }] of runs) {
      if (findLimit(caller)?.unit !== 'runs') return
      if (hasRunEnded(run.state)) runs.delete(id)
    }
  }

  async function isDue({ run, steps }: KeptRun, now: number): Promise<boolean> {
    if (run.state === 'running') return run.leaseUntil <= now
    for (const { questionId, wakesAt = Number.POSITIVE_INFINITY } of waitingSteps(steps)) {
      if (wakesAt <= now) return true
      if (questionId !== undefined && (await approvals.look(questionId, now)).state !== 'pending') return true
    }
    return false
  }

  return {
    async add({ request, ...run }, now) {
      mustBeOpen()
      sweep(now)
      if (runs.has(run.id)) throw new ToolpactError('exists_already', `The run ${run.id} exists already: add each one once.`) // biome-ignore format: one line
      makeRoom(run.caller)
      const limit = findLimit(run.caller)
      if (limit) return limit
      const begun = { state: 'running', createdAt: now, updatedAt: now, expiresAt: 0, epoch: 1, done: 0 } as const
      runs.set(run.id, { run: { ...run, ...begun }, request: JSON.stringify(request), steps: new Map() })
      changed()
      return undefined
    },
    async find(id) {
      mustBeOpen()
      return runs.get(id)?.run
    },
    async texts(id) {
      mustBeOpen()
      const found = runs.get(id)
      if (!found) return undefined
      return { request: JSON.parse(found.request), ...(found.result && { result: JSON.parse(found.result) }) }
    },
    async steps(id) {
      mustBeOpen()
      return toSteps(runs.get(id)?.steps ?? new Map())
    },
    async list({ after, limit, ...conditions }) {
      mustBeOpen()
      const wanted = Object.entries(conditions) as [keyof StoredRun, unknown][]
      return [...runs.values()]
        .map(({ run }) => run)
        .filter((run) => wanted.every(([key, value]) => value === undefined || run[key] === value))
        .sort(newestFirst)
        .filter((run) => !after || newestFirst(run, after) > 0)
        .slice(0, limit)
    },
    async ready(workspace, now) {
      mustBeOpen()
      const found: ReadyRun[] = []
      const times: number[] = []
      let waiting = 0
      for (const kept of [...runs.values()]) {
        const { id, state, owner, epoch } = kept.run
        if (kept.run.workspace !== workspace || (state !== 'running' && state !== 'waiting')) continue
        const due = await isDue(kept, now)
        if (state === 'waiting') {
          waiting += 1
          times.push(...waitingSteps(kept.steps).flatMap(({ wakesAt }) => wakesAt ?? []))
        }
        if (state === 'running' || due) found.push({ id, state, owner, epoch, isDue: due })
      }
      const later = times.filter((time) => time > now)
      return { runs: found, waiting, ...(later.length > 0 && { nextAt: Math.min(...later) }) }
    },
    async claim(id, { owner, until, epoch, state, isOwnerDead }, now) {
      mustBeOpen()
      const kept = runs.get(id)
      if (kept?.run.epoch !== epoch || kept.run.state !== state) return undefined
      if (state === 'running' && kept.run.leaseUntil > now && !isOwnerDead) return undefined
      kept.run = { ...kept.run, state: 'running', owner, leaseUntil: until, epoch: epoch + 1, updatedAt: now }
      changed()
      return kept.run
    },
    async renew({ owner, until }) {
      mustBeOpen()
      for (const kept of runs.values())
        if (kept.run.state === 'running' && kept.run.owner === owner) kept.run = { ...kept.run, leaseUntil: until }
    },
    async change(id, { owner, epoch, steps = [], reset = [], done, end }, now) {
      mustBeOpen()
      const kept = runs.get(id)
      if (kept?.run.state !== 'running' || kept.run.owner !== owner || kept.run.epoch !== epoch) return false
      for (const key of reset) kept.steps.delete(key)
      for (const step of steps) kept.steps.set(step.key, JSON.stringify(step))
      const ended = end && { state: end.state, expiresAt: end.expiresAt, owner: '', leaseUntil: 0 }
      kept.run = { ...kept.run, ...(done !== undefined && { done }), ...ended, updatedAt: now }
      if (end?.result) kept.result = JSON.stringify(end.result)
      else if (end) delete kept.result
      changed()
      return true
    },
    async cancel(id, result: JsonObject, { now, expiresAt }) {
      mustBeOpen()
      const kept = runs.get(id)
      if (!kept || hasRunEnded(kept.run.state)) return kept?.run
      const before = kept.run
      const ended = { state: 'cancelled', owner: '', leaseUntil: 0, expiresAt, updatedAt: now } as const
      kept.run = { ...before, ...ended, epoch: before.epoch + 1 }
      kept.result = JSON.stringify(result)
      changed()
      return before
    },
    watch,
  }
}

function toSteps(steps: ReadonlyMap<string, string>): StoredStep[] {
  return [...steps.values()].map((text): StoredStep => JSON.parse(text)).sort((a, b) => a.startedAt - b.startedAt)
}

function waitingSteps(steps: ReadonlyMap<string, string>): StoredStep[] {
  return toSteps(steps).filter(({ state }) => state === 'waiting')
}

function newestFirst(a: Pick<StoredRun, 'id' | 'createdAt'>, b: Pick<StoredRun, 'id' | 'createdAt'>): number {
  if (a.createdAt !== b.createdAt) return b.createdAt - a.createdAt
  return a.id === b.id ? 0 : a.id < b.id ? 1 : -1
}
