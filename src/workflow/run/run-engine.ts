import type { CallResult } from '../../contract/call-result.ts'
import type { Contract } from '../../contract/contract.ts'
import type { PartCall } from '../../contract/run-part.ts'
import type { Caller, Progress } from '../../contract/tool.ts'
import type { Approver } from '../../runtime/approval/approver.ts'
import type { ReadyRun, Runs, StoredRun } from '../../runtime/storage/runs.ts'
import type { Approvals, Ledger } from '../../runtime/storage/storage.ts'
import { type DriveEnd, RunDrive } from './drive-run.ts'
import { recordEnd } from './record-end.ts'
import { isOwnerDead, openOwner } from './run-owner.ts'
import { fromStoredRequest, type StoredRequest } from './stored-request.ts'
import type { WorkflowRuns } from './workflow-runs.ts'

export interface EngineOptions {
  readonly runs: Runs
  readonly approvals: Approvals
  readonly ledger: Ledger
  /** Real path of the workspace. */
  readonly workspace: string
  /** Makes the call of a step whose run no caller waits for. Never rejects. */
  readonly call: (call: BackgroundCall) => Promise<CallResult>
  readonly findContract: (tool: string, caller: Caller) => Promise<Contract | undefined>
  /** Whether this process serves the workflow: another one of the workspace may. */
  readonly serves: (workflow: string) => Promise<boolean>
  /** What the run of a workflow would call. */
  readonly plan: WorkflowRuns['plan']
  readonly onFault: (message: string, cause: unknown) => void
  readonly settings?: EngineSettings
}

interface EngineSettings {
  /** A process that does not renew its lease for this long has died. */
  readonly leaseMs?: number
  /** How long a run that ended is kept. */
  readonly keepMs?: number
  /** How often to look for runs whose process ended. */
  readonly lookMs?: number
}

interface BackgroundCall extends PartCall, Pick<StoredRequest, 'caller' | 'trace'> {
  /** Who is asked. Absent: the queue. */
  readonly approver?: Approver | undefined
}

type LiveCall = (call: PartCall) => Promise<CallResult>

/** A run that this process drives, or is about to. */
class ActiveRun {
  #drive: RunDrive | undefined
  #isAborted = false
  ended: Promise<void> = Promise.resolve()

  begin(drive: RunDrive): Promise<DriveEnd> {
    this.#drive = drive
    if (this.#isAborted) drive.abort()
    return drive.drive()
  }

  wake() {
    this.#drive?.wake()
  }

  abort() {
    this.#isAborted = true
    this.#drive?.abort()
  }
}

const defaults = { leaseMs: 20_000, keepMs: 30 * 86_400_000, lookMs: 5_000 }
/** Runs that this process drives at once, besides those that callers wait for. */
const maxActive = 64

/**
 * The runs that this process drives. The storage decides every race: a run has one owner, which renews its lease, and stores
 * changes in its own epoch alone. A run whose process died is claimed by the next process that looks: at once if that process is
 * known to be dead, otherwise after the lease.
 */
export class RunEngine {
  readonly options: EngineOptions
  readonly #owner = openOwner()
  readonly #active = new Map<string, ActiveRun>()
  /** Calls of callers that wait for their run: its steps ask where they asked. */
  readonly #live = new Map<string, LiveCall>()
  /** Runs that something in this process waits for, and whom to tell. */
  readonly #followed = new Map<string, Set<Follower>>()
  #approver: Approver | undefined
  #isServing = false
  #isPausing = false
  /** Until when the leases of all own runs last. */
  #renewedUntil = 0
  #beat: NodeJS.Timeout | undefined
  #timer: NodeJS.Timeout | undefined
  #stopWatching: (() => void) | undefined
  #looking: Promise<void> | undefined
  #isLookDue = false

  constructor(options: EngineOptions) {
    this.options = options
  }

  get isPausing(): boolean {
    return this.#isPausing
  }

  get keepMs(): number {
    return this.options.settings?.keepMs ?? defaults.keepMs
  }

  /** The owner and lease for a run that this process adds or claims. */
  get lease() {
    return { owner: this.#owner.name, until: Date.now() + this.#leaseMs }
  }

  serve(approver: Approver | undefined) {
    this.#approver = approver
    this.#isServing = true
    this.#watch()
    this.look()
  }

  pause() {
    this.#isPausing = true
    for (const active of this.#active.values()) active.wake()
    for (const followers of this.#followed.values()) for (const { onPause } of followers) onPause?.()
  }

  /** Drives a run that this process has added or claimed. */
  start(run: StoredRun, live?: LiveCall) {
    if (live) this.#live.set(run.id, live)
    this.#beat ??= setInterval(() => this.#renew(), this.#leaseMs / 4)
    const active = new ActiveRun()
    this.#active.set(run.id, active)
    active.ended = this.#driveToEnd(run, active)
  }

  /** The caller of the run no longer waits for it. */
  detach(id: string) {
    this.#live.delete(id)
  }

  /** Another process may go on with the run, or it has ended. */
  drop(id: string) {
    this.#active.get(id)?.abort()
  }

  isActive(id: string): boolean {
    return this.#active.has(id)
  }

  /** Reports progress and ends of a run, and makes this process go on with it. Returns what stops that. */
  follow(id: string, follower: Follower): () => void {
    const followers = this.#followed.get(id) ?? new Set()
    this.#followed.set(id, followers.add(follower))
    this.#watch()
    return () => {
      followers.delete(follower)
      if (followers.size === 0 && this.#followed.get(id) === followers) this.#followed.delete(id)
      this.#unwatch()
    }
  }

  /** Looks for runs that can go on. Never rejects. */
  look(): Promise<void> {
    this.#isLookDue = true
    this.#looking ??= this.#lookAll().finally(() => {
      this.#looking = undefined
      if (this.#isLookDue) this.look()
    })
    return this.#looking
  }

  /** Steps in flight end; their runs can be claimed at once. */
  async close() {
    this.pause()
    this.#isServing = false
    this.#followed.clear()
    this.#unwatch()
    await this.#looking
    await Promise.all([...this.#active.values()].map(({ ended }) => ended))
    clearInterval(this.#beat)
    const { owner } = this.lease
    await this.options.runs.renew({ owner, until: 0 }, Date.now()).catch(() => {})
    this.#owner.close()
  }

  get #leaseMs(): number {
    return this.options.settings?.leaseMs ?? defaults.leaseMs
  }

  async #open({ id, owner, epoch, createdAt, leaseUntil }: StoredRun): Promise<RunDrive> {
    const { runs, approvals, ledger } = this.options
    const [texts, steps] = [await runs.texts(id), await runs.steps(id)]
    const request = await fromStoredRequest(texts!.request)
    const { caller, trace } = request
    return new RunDrive(
      { id, owner, epoch, createdAt, request, steps },
      {
        ...{ runs, approvals, ledger, keepMs: this.keepMs },
        call: (made) => this.#live.get(id)?.(made) ?? this.options.call({ ...made, caller, ...(trace && { trace }), approver: this.#approver }), // biome-ignore format: one line
        findContract: (tool) => this.options.findContract(tool, caller),
        // A process that stalled for long may have lost the run without knowing it.
        mayBegin: () => Date.now() < Math.max(leaseUntil, this.#renewedUntil),
        isPausing: () => this.#isPausing,
        onProgress: (update) => this.#tell(id, update),
      },
    )
  }

  async #driveToEnd(run: StoredRun, active: ActiveRun) {
    const { id } = run
    let end: DriveEnd = 'lost'
    try {
      end = await active.begin(await this.#open(run))
    } catch (cause) {
      active.abort()
      this.options.onFault(`The run ${id} could not go on.`, cause)
    } finally {
      if (this.#active.get(id) === active) this.#active.delete(id)
      if (this.#active.size === 0) {
        clearInterval(this.#beat)
        this.#beat = undefined
      }
    }
    if (end === 'paused') return
    if (end === 'ended' && !this.#live.has(id)) await this.#recordEnd(run)
    for (const { onEnd } of this.#followed.get(id) ?? []) onEnd(end)
    // What it waits for may have come before it began to wait.
    if (this.#isServing || this.#followed.size > 0) this.look()
  }

  /** The call that started the run may have ended without an outcome, with its process. */
  async #recordEnd({ id, workflow: tool, createdAt: startedAt }: StoredRun, by?: string) {
    const { runs, ledger, onFault } = this.options
    const recorded = runs.texts(id).then((texts) => {
      const code = (texts?.result?.error as { code?: string } | undefined)?.code
      return recordEnd(ledger, {
        callId: id,
        tool,
        startedAt,
        errorCode: code ?? null,
        ...(by !== undefined && { by }),
      })
    })
    await recorded.catch((cause) => onFault(`The end of the run ${id} could not be recorded.`, cause))
  }

  #tell(id: string, update: Progress) {
    for (const { onProgress } of this.#followed.get(id) ?? []) onProgress?.(update)
  }

  #renew() {
    const { lease } = this
    const renewed = () => {
      this.#renewedUntil = lease.until
    }
    this.options.runs.renew(lease, Date.now()).then(renewed, () => {})
  }

  #watch() {
    if (this.#stopWatching) return
    const { runs, approvals } = this.options
    const stops = [runs.watch(() => this.look()), approvals.watch(() => this.look())]
    this.#stopWatching = () => {
      for (const stop of stops) stop()
      clearTimeout(this.#timer)
    }
  }

  #unwatch() {
    if (this.#isServing || this.#followed.size > 0) return
    this.#stopWatching?.()
    this.#stopWatching = undefined
  }

  async #lookAll() {
    this.#isLookDue = false
    clearTimeout(this.#timer)
    if (!this.#stopWatching || this.#isPausing) return
    const begun = performance.now()
    let nextAt: number | undefined
    try {
      nextAt = await this.#takeReady()
    } catch (cause) {
      this.options.onFault('The runs that can go on could not be looked up.', cause)
    }
    await this.#checkOwn()
    if (!this.#stopWatching) return
    const waitMs = Math.min(this.options.settings?.lookMs ?? defaults.lookMs, (nextAt ?? Number.POSITIVE_INFINITY) - Date.now()) // biome-ignore format: one line
    this.#timer = setTimeout(() => this.look(), Math.max(waitMs, 1))
    if (this.#isServing && this.#followed.size === 0) this.#timer.unref()
    // Many changes, or many waiting runs, must not keep this process busy with looking.
    const pauseMs = Math.min((performance.now() - begun) * 10, 1000)
    if (this.#isLookDue && pauseMs > 20) await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }

  async #takeReady(): Promise<number | undefined> {
    const now = Date.now()
    const { runs: found, nextAt } = await this.options.runs.ready(this.options.workspace, now)
    for (const run of found) {
      if (this.#active.has(run.id)) continue
      if (!this.#followed.has(run.id) && (!this.#isServing || this.#active.size >= maxActive)) continue
      if (this.#isPausing) break
      await this.#claim(run)
    }
    for (const active of this.#active.values()) active.wake()
    return nextAt
  }

  async #claim({ id, state, epoch, owner, isDue }: ReadyRun) {
    const { runs, serves } = this.options
    // Its drive failed in this process.
    const isAbandoned = owner === this.#owner.name
    const isDead = state === 'running' && (isAbandoned || isOwnerDead(owner))
    if (!isDue && !isDead) return
    const found = await runs.find(id)
    if (!found || !(await serves(found.workflow))) return
    const run = await runs.claim(id, { ...this.lease, epoch, state, isOwnerDead: isDead }, Date.now())
    if (run) this.start(run)
  }

  /** Runs that were cancelled, or claimed, by another process. */
  async #checkOwn() {
    for (const [id, active] of this.#active) {
      const run = await this.options.runs.find(id).catch(() => undefined)
      if (run && (run.owner !== this.#owner.name || run.state !== 'running') && this.#active.get(id) === active)
        active.abort()
    }
    for (const [id, followers] of this.#followed) {
      if (this.#active.has(id)) continue
      const run = await this.options.runs.find(id).catch(() => undefined)
      if (run?.state !== 'running' && run?.state !== 'waiting')
        for (const { onEnd } of followers) onEnd(run?.state === 'needs_person' ? 'needs_person' : 'ended')
    }
  }
}

export interface Follower {
  /** The run ended, needs a person, waits, or is run by another process. */
  readonly onEnd: (end: DriveEnd) => void
  readonly onProgress?: ((update: Progress) => void) | undefined
  /** This process begins no more steps. */
  readonly onPause?: () => void
}
