import type { JsonObject } from '../../contract/json.ts'

/**
 * Runs of workflows. A running one has an owner, which renews its lease and proves with `epoch` that it still is the owner:
 * claiming a run raises the epoch, so a process that stalled can store nothing any more. A waiting run has no owner:
 * any process may claim it once its time has come or its question was answered.
 */
export interface Runs {
  /**
   * Stores a run with its owner, in epoch 1. Deletes runs that ended, oldest first, to make room; if that is not enough, returns
   * the limit that the run would exceed.
   */
  add(run: NewRun, now: number): Promise<RunLimit | undefined>
  find(id: string): Promise<StoredRun | undefined>
  /** What the run was started with, and what it returned. */
  texts(id: string): Promise<RunTexts | undefined>
  /** Its steps that have begun, in the order in which they did. */
  steps(id: string): Promise<StoredStep[]>
  /** Newest first. */
  list(query: RunsQuery): Promise<StoredRun[]>
  /**
   * Runs of a workspace that a process may have to claim: waiting ones whose time has come or whose question is no longer
   * pending, and running ones of any owner.
   */
  ready(workspace: string, now: number): Promise<ReadyRuns>
  /** Makes the owner of the lease run it, in the next epoch. Undefined if it changed in the meantime, or its owner lives. */
  claim(id: string, claim: RunClaim, now: number): Promise<StoredRun | undefined>
  /** Extends the leases of all running runs of an owner. */
  renew(lease: RunLease, now: number): Promise<void>
  /** Stores, in one transaction, what the owner did. False if it is no longer the owner: then nothing was stored. */
  change(id: string, change: RunChange, now: number): Promise<boolean>
  /** Ends a run that has not ended; its owner can store nothing any more. Returns it as it was before. */
  cancel(id: string, result: JsonObject, ends: RunEnd): Promise<StoredRun | undefined>
  /** Calls `onChange` soon after any process changed a run. Leases and times also pass. Returns what stops it. */
  watch(onChange: () => unknown): () => void
}

/**
 * `waiting`: for an answer, or a time. `needs_person`: a process ended during a step that may not run twice, and a person must
 * say how it goes on.
 */
export type RunState = (typeof runStates)[number]

export const runStates = ['running', 'waiting', 'needs_person', 'completed', 'failed', 'cancelled'] as const

/** A run, without what it was started with. */
export interface StoredRun {
  /** The id of the call that started it. */
  readonly id: string
  /** Full id of the workflow's tool. */
  readonly workflow: string
  readonly contractDigest: string
  /** Name of the caller, without its session. */
  readonly caller: string
  /** Real path of the workspace that it runs in. */
  readonly workspace: string
  readonly state: RunState
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly updatedAt: number
  /** A run that ended is deleted then. */
  readonly expiresAt: number
  readonly owner: string
  readonly epoch: number
  readonly leaseUntil: number
  /** Steps that ended, and all. */
  readonly done: number
  readonly total: number
}

/** A run to store. */
export interface NewRun
  extends Pick<
    StoredRun,
    'id' | 'workflow' | 'contractDigest' | 'caller' | 'workspace' | 'owner' | 'leaseUntil' | 'total'
  > {
  readonly request: JsonObject
}

/** What a run was started with, and what it returned. */
export interface RunTexts {
  readonly request: JsonObject
  /** Of a run that ended: `output`, or `error`. */
  readonly result?: JsonObject
}

/** `running`: begun, and its outcome is not stored. `interrupted`: its process ended, and it may not run again by itself. */
export type StepState = 'running' | 'waiting' | 'interrupted' | 'done' | 'failed' | 'skipped'

/** A step that has begun. */
export interface StoredStep {
  /** `STEP`, `STEP/ITEM`, or `STEP/undo` for a compensation. */
  readonly key: string
  readonly state: StepState
  readonly startedAt: number
  readonly endedAt?: number
  /** The call that it makes, chosen before it is made. */
  readonly callId?: string
  /** The question that it waits for. */
  readonly questionId?: string
  /** Until when it waits; of a question, when that expires. */
  readonly wakesAt?: number
  /** Its `output` or `error`, and what is known of an interrupted one. */
  readonly value?: JsonObject
}

/** A run to look at. `isDue`: it waits for nothing any more, or its lease is over. */
export interface ReadyRun extends Pick<StoredRun, 'id' | 'state' | 'owner' | 'epoch'> {
  readonly isDue: boolean
}

/** Runs that a process may have to claim, and how many wait. */
export interface ReadyRuns {
  readonly runs: readonly ReadyRun[]
  /** How many runs of the workspace wait. */
  readonly waiting: number
  /** When the next of them is due by its time. */
  readonly nextAt?: number
}

/** The process that runs a run, until when unless it renews the lease. */
export interface RunLease {
  readonly owner: string
  readonly until: number
}

/** A claim of a run as it was seen. */
export interface RunClaim extends RunLease {
  /** As it was seen. */
  readonly epoch: number
  readonly state: RunState
  /** The process that owns it is known to be dead, so its lease does not count. */
  readonly isOwnerDead?: boolean
}

/** What the owner stores. */
export interface RunChange {
  readonly owner: string
  readonly epoch: number
  /** Added, or replaced by key. */
  readonly steps?: readonly StoredStep[]
  /** Keys of steps that begin again. */
  readonly reset?: readonly string[]
  readonly done?: number
  /** Whether it must survive a power failure. */
  readonly durable: boolean
  /** The run is no longer running. */
  readonly end?: RunEnd & { readonly state: Exclude<RunState, 'running'>; readonly result?: JsonObject }
}

/** When a run ended or began to wait, and when it is deleted if it ended. */
export interface RunEnd {
  readonly now: number
  readonly expiresAt: number
}

/** Selects runs. All conditions must match. */
export interface RunsQuery {
  readonly state?: RunState
  readonly workflow?: string
  readonly caller?: string
  readonly workspace?: string
  /** The last run of the previous page. */
  readonly after?: Pick<StoredRun, 'id' | 'createdAt'>
  readonly limit: number
}

/** Limits of stored runs. `open`: those that have not ended. */
export const runLimits = { caller: { open: 10_000 }, total: { runs: 50_000 } } as const

/** A limit that a run would exceed. */
export interface RunLimit {
  readonly scope: 'caller' | 'total'
  readonly unit: 'open' | 'runs'
  readonly max: number
}

/** The limit that another run would exceed. */
export function findRunLimit(used: { readonly open: number; readonly runs: number }): RunLimit | undefined {
  const { caller, total } = runLimits
  if (used.open >= caller.open) return { scope: 'caller', unit: 'open', max: caller.open }
  if (used.runs >= total.runs) return { scope: 'total', unit: 'runs', max: total.runs }
  return undefined
}

export function hasRunEnded(state: RunState): boolean {
  return state === 'completed' || state === 'failed' || state === 'cancelled'
}
