import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '../../../contract/json.ts'
import { isPublicCaller } from '../../../contract/public-access.ts'
import { errorCodes, type Reply, toErrorReply, toNotification, toReply } from '../../../protocol/reply.ts'
import type { QuestionState } from '../../../runtime/storage/storage.ts'
import {
  runLink,
  type StoredTask,
  type TaskChange,
  type Tasks,
  type WaitingTask,
} from '../../../runtime/storage/tasks.ts'
import type { RunDetails } from '../../../workflow/run/workflow-runs.ts'
import type { Asked } from '../call-offer.ts'
import type { CallReply, CallServices } from '../call-tool.ts'
import { cancelledByClient } from '../connection.ts'
import { LiveCall } from '../live-call.ts'
import { toRunEnd, viewRunTask } from './run-task.ts'
import { fromStored, toBackground, toStored } from './stored-call.ts'
import { takesTasks, toTask, type ViewedTask } from './task.ts'
import { type FindTask, TaskChanges } from './task-changes.ts'
import type { TaskQuestion } from './task-question.ts'
import { toUnanswered } from './unanswered.ts'
import { WaitingTasks } from './waiting-tasks.ts'

export interface TaskSettings {
  /** A call that runs longer becomes a task. Default: 5 s. */
  readonly afterMs?: number | undefined
  /** How long a task is kept after it has ended. Default: 1 hour. */
  readonly keepMs?: number | undefined
  /** A process that does not renew its lease for this long has died. Default: 20 s. */
  readonly leaseMs?: number | undefined
}

interface RunnerOptions {
  readonly services: CallServices
  readonly tasks: Tasks
  readonly settings: () => TaskSettings
  /** Makes the call through the pipeline. Never rejects. */
  readonly run: (asked: Asked, live: LiveCall) => Promise<CallReply>
}

interface RunningTask {
  readonly live: LiveCall
  readonly keepMs: number
  ended: Promise<void>
  /** It is a view of a run. */
  followsRun?: boolean
  /** Ends the call if its client does not answer. */
  silence?: NodeJS.Timeout | undefined
}

const defaults = { afterMs: 5000, keepMs: 3_600_000, leaseMs: 20_000 }
/** A person who is asked has this long. */
const askMs = 600_000

/**
 * Calls that continue after their request was answered. Their state is in the storage, which decides every race: only the owner
 * of a running task stores its end, and only once. A call that waits for approval does not run at all: its request is stored,
 * and made again through the pipeline once its question is answered, which uses up the answer as any repeated call does. A
 * task that ran in a process that died is never run again.
 */
export class TaskRunner {
  readonly changes: TaskChanges
  readonly #options: RunnerOptions
  readonly #owner = randomUUID()
  readonly #running = new Map<string, RunningTask>()
  readonly #waiting: WaitingTasks
  #beat: NodeJS.Timeout | undefined
  #isStopping = false

  constructor(options: RunnerOptions) {
    this.#options = options
    const { tasks, services } = options
    const { approvals, workspace, runs } = services.served
    this.changes = new TaskChanges(tasks, runs)
    this.#waiting = new WaitingTasks({
      ...{ tasks, approvals, workspace, runs },
      onAnswered: (task, state) => this.#resume(task, state),
      onRunEnded: (task, run) => this.#storeEnd(task, run),
    })
  }

  get tasks(): Tasks {
    return this.#options.tasks
  }

  /** Whether a call may become a task. Callers without a token share a name, and could see each other's tasks. */
  takes({ client, exchange: { caller } }: Asked): boolean {
    return takesTasks(client) && !isPublicCaller(caller)
  }

  /** After this time, a running call becomes a task. */
  get afterMs(): number {
    return this.#settings.afterMs
  }

  /** Makes a running call a task. Undefined if there are too many: its request then waits for it. */
  async adopt(live: LiveCall, reply: Promise<CallReply>): Promise<Reply | undefined> {
    const { current, caller } = live
    const { keepMs } = this.#settings
    const { runId } = live
    const task = await this.#add(current, { keepMs, ...(runId !== undefined && { runId }) })
    if (!task) return undefined
    if (runId !== undefined) {
      live.leaveRun()
      this.#waiting.look()
      return this.#toCreated(current, task)
    }
    if (current.exchange.controller.signal.aborted) {
      await this.tasks.cancel(task.id, caller.name, Date.now())
      return undefined
    }
    this.#start(task, { live, keepMs, work: () => reply })
    return this.#toCreated(current, task)
  }

  /** Makes a call a task that waits for the answer to its question. Undefined if there are too many. */
  async hold(asked: Asked, question: TaskQuestion): Promise<Reply | undefined> {
    const task = await this.#add(asked, { keepMs: this.#settings.keepMs, question })
    if (!task) return undefined
    await this.#await(question)
    return this.#toCreated(asked, task)
  }

  /** Answers a request for a task at once (2025-11-25). */
  async begin(asked: Asked, ttl: number | undefined): Promise<Reply> {
    const keepMs = Math.min(Math.max(ttl ?? Number.POSITIVE_INFINITY, minKeepMs), this.#settings.keepMs)
    const task = await this.#add(asked, { keepMs })
    if (!task) {
      const message = 'Too many tasks are open. Wait for one to end, or call without a task.'
      return toErrorReply(asked.request.id, { code: errorCodes.internal, message })
    }
    const live = new LiveCall(asked, true)
    this.#start(task, { live, keepMs, work: () => this.#options.run(live.current, live) })
    this.#announce(asked, task)
    return this.#toCreated(asked, task)
  }

  /** A task as its client sees it now: one that follows a run is a view of that. */
  async find(
    id: string,
    { client, exchange: { caller } }: Pick<Asked, 'client' | 'exchange'>,
  ): Promise<ViewedTask | undefined> {
    const task = await this.tasks.find(id, caller.name, Date.now())
    return task && viewRunTask(this.#options.services, { client, caller }, task)
  }

  /** The same for what follows changes. */
  finderFor(asked: Pick<Asked, 'client' | 'exchange'>): FindTask {
    return (id) => this.find(id, asked)
  }

  /** What the running tool of a task last reported, if it runs in this process. */
  messageOf(id: string): string | undefined {
    return this.#running.get(id)?.live.message
  }

  /** Looks at once for what a client has just changed. */
  async look() {
    await Promise.all([this.changes.look(), this.#waiting.look()])
  }

  /** Begins no more tasks of others. */
  close() {
    this.#waiting.close()
  }

  /** Waits for running tasks, and then ends them: clients are told that they were interrupted. */
  async settle(graceMs: number): Promise<void> {
    const stop = new AbortController()
    const ended = () => Promise.all([...this.#running.values()].map(({ ended }) => ended))
    if (this.#running.size > 0)
      await Promise.race([ended(), sleep(graceMs, undefined, { signal: stop.signal }).catch(() => {})])
    stop.abort()
    this.#isStopping = true
    for (const { live } of this.#running.values()) live.controller.abort(stopped)
    await ended()
    this.changes.close()
    clearInterval(this.#beat)
  }

  get #settings() {
    const { afterMs, keepMs, leaseMs } = this.#options.settings()
    return {
      afterMs: afterMs ?? defaults.afterMs,
      keepMs: keepMs ?? defaults.keepMs,
      leaseMs: leaseMs ?? defaults.leaseMs,
    }
  }

  /** Undefined if there are too many tasks, or the storage fails: then the call is answered without one. */
  async #add(
    asked: Asked,
    { keepMs, question, runId }: { readonly keepMs: number; readonly question?: TaskQuestion; readonly runId?: string },
  ): Promise<StoredTask | undefined> {
    const { served, search } = this.#options.services
    const { name, arguments: input = {} } = asked.request.params
    const target = search?.toTarget(String(name), input)
    const now = Date.now()
    const task = {
      id: randomBytes(24).toString('base64url'),
      caller: asked.exchange.caller.name,
      workspace: served.workspace,
      tool: target && 'tool' in target ? target.tool : String(name),
      expiresAt: (question?.expiresAt ?? (runId === undefined ? now : now + maxRunMs)) + keepMs,
      ...(question && { questionId: question.id }),
      ...(runId !== undefined && { questionId: `${runLink}${runId}` }),
      ...(question?.inputRequests && { inputRequests: question.inputRequests }),
    }
    const lease = question || runId !== undefined ? {} : { lease: this.#lease }
    const added = { ...task, ...lease, request: toStored(asked, keepMs) }
    const isAdded = await this.tasks.add(added, now).then(
      (limit) => limit === undefined,
      () => false,
    )
    const state = question || runId !== undefined ? ('waiting' as const) : ('running' as const)
    return isAdded ? { ...task, state, createdAt: now, updatedAt: now } : undefined
  }

  get #lease() {
    return { owner: this.#owner, until: Date.now() + this.#settings.leaseMs }
  }

  /** The question counts as awaited, also while no process runs. */
  async #await({ id, expiresAt }: TaskQuestion) {
    const { approvals } = this.#options.services.served
    await approvals.extend(id, { callId: id, waitsUntil: expiresAt }, Date.now()).catch(() => {})
    this.#waiting.look()
  }

  async #resume({ id, tool }: WaitingTask, state: QuestionState): Promise<void> {
    const { services, run } = this.#options
    // Another server of this workspace may offer the tool. Whether the caller may use it is checked with its groups, by the call.
    const found = await services.served.catalog.find(tool)
    if (found.kind !== 'found') return
    const task = await this.tasks.claim(id, this.#lease, Date.now())
    if (!task) return
    const { asked, keepMs } = fromStored(task)
    const live = new LiveCall(asked, true)
    const unanswered = toUnanswered(services, asked, state)
    this.#start(task, { live, keepMs, work: async () => unanswered ?? run(live.current, live) })
  }

  #start(task: StoredTask, { live, keepMs, work }: Pick<RunningTask, 'live' | 'keepMs'> & Work) {
    const { id } = task
    const running: RunningTask = { live, keepMs, ended: Promise.resolve() }
    this.#running.set(id, running)
    this.#beat ??= setInterval(() => this.#renew(), this.#settings.leaseMs / 4)
    live.detach(toBackground(live.current, id), () => this.#ask(id))
    live.onRun((runId) => this.#followRun(id, running, runId))
    const stop = this.changes.follow([task], (now) => this.#hear(id, now))
    running.ended = work()
      .then((reply) => this.#end(id, running, reply))
      .catch(() => {})
      .finally(() => {
        stop()
        clearTimeout(running.silence)
        this.#running.delete(id)
        if (this.#running.size > 0) return
        clearInterval(this.#beat)
        this.#beat = undefined
      })
  }

  /** The call has started a run, which the task follows from now on, in whichever process it goes on. */
  async #followRun(id: string, running: RunningTask, runId: string) {
    running.followsRun = true
    const expiresAt = Date.now() + maxRunMs + running.keepMs
    const link = { state: 'waiting', questionId: `${runLink}${runId}`, inputRequests: undefined, expiresAt } as const
    const isFollowed = await this.#change(id, link).catch(() => false)
    if (isFollowed) running.live.leaveRun()
    else running.live.controller.abort(cancelledByClient)
    this.changes.look()
    this.#waiting.look()
  }

  /** A task that follows a run which has ended no longer counts as open. Until then, and if this fails, it is a view of the run. */
  async #storeEnd({ id }: WaitingTask, run: RunDetails) {
    const task = await this.tasks.claim(id, this.#lease, Date.now())
    if (!task) return
    const { asked, keepMs } = fromStored(task)
    const viewer = { client: asked.client, caller: asked.exchange.caller }
    const end = await toRunEnd(this.#options.services, viewer, run)
    const expiresAt = Date.now() + keepMs
    if (end?.state === 'completed') await this.#change(id, { ...end, state: 'completed', expiresAt })
    else await this.tasks.cancel(id, task.caller, Date.now())
    this.changes.look()
  }

  #renew() {
    this.tasks.renew(this.#lease, Date.now()).catch(() => {})
  }

  async #end(id: string, { live, keepMs }: RunningTask, reply: CallReply) {
    const { question } = reply
    if (question) {
      const { inputRequests, expiresAt } = question
      await this.#change(id, {
        ...{ state: 'waiting', questionId: question.id, inputRequests },
        expiresAt: expiresAt + keepMs,
      })
      await this.#await(question)
    } else {
      const { result, error } = JSON.parse(reply.text)
      const expiresAt = Date.now() + keepMs
      const isInterrupted = this.#isStopping && live.controller.signal.aborted
      if (isInterrupted) await this.#change(id, { state: 'interrupted', expiresAt })
      else if (error) await this.#change(id, { state: 'failed', result: error, expiresAt })
      else await this.#change(id, { state: 'completed', result, isError: result.isError === true, expiresAt })
    }
    this.changes.look()
  }

  async #change(id: string, change: TaskChange): Promise<boolean> {
    return this.tasks.change(id, this.#owner, change, Date.now())
  }

  /** The tool asks its client. */
  async #ask(id: string) {
    const running = this.#running.get(id)
    if (!running) return
    const { live } = running
    clearTimeout(running.silence)
    running.silence = setTimeout(() => live.controller.abort(unheard), askMs).unref()
    const inputRequests = live.outstanding as unknown as JsonObject
    const isAsked = await this.#change(id, { inputRequests }).catch(() => false)
    if (isAsked) this.changes.look()
    else live.controller.abort(cancelledByClient)
  }

  /** The task was cancelled or answered. */
  #hear(id: string, task: StoredTask | undefined) {
    const running = this.#running.get(id)
    if (!running || running.followsRun) return
    const { live } = running
    if (task?.state !== 'running') return live.controller.abort(cancelledByClient)
    live.answer(task.inputResponses ?? {})
    if (Object.keys(live.outstanding).length === 0) clearTimeout(running.silence)
  }

  #toCreated({ request, client }: Asked, task: StoredTask): Reply {
    const { serverMeta } = this.#options.services
    if (!client.isModern) return toReply(request.id, { task: toTask(task, client) })
    return toReply(request.id, { resultType: 'task', ...toTask(task, client), _meta: serverMeta })
  }

  /** Notifies a client of 2025-11-25 of each status, while it is connected. */
  #announce(asked: Asked, task: StoredTask) {
    const { connection } = asked.exchange
    if (!connection) return
    const notify = (now: ViewedTask | undefined) => {
      if (now) connection.push(toNotification('notifications/tasks/status', toTask(now, asked.client)))
    }
    const stop = this.changes.follow([task], notify, this.finderFor(asked))
    connection.gone.addEventListener('abort', stop, { once: true })
  }
}

interface Work {
  readonly work: () => Promise<CallReply>
}

/** Clients may ask for a shorter time, but must be able to fetch a result. */
const minKeepMs = 10_000

/** A run may wait for days: its task is kept as long as that may take. */
const maxRunMs = 2_592_000_000

const stopped = new DOMException('The server is stopping', 'AbortError')
const unheard = new DOMException('The client did not send its input', 'AbortError')
