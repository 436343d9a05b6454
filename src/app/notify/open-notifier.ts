import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Risk } from '../../contract/contract.ts'
import { printable } from '../../contract/text/printable.ts'
import type { ApprovalRequest } from '../../runtime/approval/approver.ts'
import type { Config } from '../config/config.ts'

/** What people are told of a question: no input, no preview, no secret. */
export interface Notice {
  readonly id: string
  readonly tool: string
  readonly risk: Risk
  readonly caller: string
  /** Name of the folder, without the path to it. */
  readonly workspace: string
  /** Where it is answered; absent if no console runs. */
  readonly link?: string
}

export interface Notifier {
  /** Sends a notice of a new question as `approval.notify` in the config says. Returns at once. */
  notify(request: ApprovalRequest, id: string): void
  /** Gives up what has not been sent. */
  close(): Promise<void>
}

interface NotifierOptions {
  /** Read for each question. */
  readonly config: () => Config
  readonly findConsole: () => Promise<string | undefined>
  /** Receives a line for the operator when sending fails, and when it works again. */
  readonly report: (message: string) => void
  /** Milliseconds between attempts. Default: about four minutes in total. */
  readonly retryMs?: readonly number[]
}

/** Returns why a notice was not delivered, and whether trying again may help; undefined if it was. */
export type Deliver = (notice: Notice, signal: AbortSignal) => Promise<Undelivered | undefined>

interface Undelivered {
  readonly fault: string
  readonly isFinal: boolean
}

const maxWaiting = 100
const maxAtOnce = 4
const usualRetryMs = [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]

export function openNotifier({ config, findConsole, report, retryMs = usualRetryMs }: NotifierOptions): Notifier {
  const closed = new AbortController()

  const post: Deliver = async (notice, signal) => {
    const { approval, policy } = config()
    if (!approval?.notify?.webhook) return undefined
    const { postNotice } = await import('./post-notice.ts')
    return postNotice(notice, { ...approval.notify.webhook, allowHosts: policy?.allowHosts, signal })
  }

  const run: Deliver = async (notice, signal) => {
    const { approval, policy } = config()
    if (!approval?.notify?.command) return undefined
    const { runHook } = await import('./run-hook.ts')
    return runHook(notice, { command: approval.notify.command, keepEnvironment: policy?.keepEnvironment, signal })
  }

  const ends = { signal: closed.signal, report }
  const webhook = createChannel('the webhook in approval.notify', { ...ends, retryMs, deliver: post })
  const command = createChannel('the command in approval.notify', { ...ends, retryMs: [], deliver: run })

  async function send(request: ApprovalRequest, id: string) {
    const notice = toNotice(request, { id, console: await findConsole().catch(() => undefined) })
    const { webhook: hook, command: program } = config().approval?.notify ?? {}
    if (hook) webhook.add(notice)
    if (program) command.add(notice)
  }

  return {
    notify(request, id) {
      if (config().approval?.notify) void send(request, id)
    },
    async close() {
      closed.abort()
      await Promise.all([webhook.ended(), command.ended()])
    },
  }
}

function toNotice(
  { binding, contract, caller }: ApprovalRequest,
  { id, console }: { readonly id: string; readonly console: string | undefined },
): Notice {
  return {
    id,
    tool: printable(binding.tool),
    risk: contract.risk,
    caller: printable(caller.name),
    workspace: printable(basename(binding.workspace)),
    ...(console !== undefined && { link: `${console}/console/inbox/${encodeURIComponent(id)}` }),
  }
}

interface ChannelOptions {
  readonly deliver: Deliver
  readonly retryMs: readonly number[]
  readonly signal: AbortSignal
  readonly report: (message: string) => void
}

/** Delivers notices, a few at once and with a bounded number waiting. Reports a failure once, and the recovery. */
function createChannel(name: string, { deliver, retryMs, signal, report }: ChannelOptions) {
  const waiting: Notice[] = []
  const running = new Set<Promise<void>>()
  let isFailing = false
  let lost = 0

  function add(notice: Notice) {
    if (signal.aborted) return
    if (waiting.length >= maxWaiting) lost += 1
    else waiting.push(notice)
    next()
  }

  function next() {
    while (running.size < maxAtOnce && waiting.length > 0 && !signal.aborted) {
      const sending: Promise<void> = attempt(waiting.shift()!).finally(() => {
        running.delete(sending)
        next()
      })
      running.add(sending)
    }
  }

  async function attempt(notice: Notice): Promise<void> {
    for (const delay of [...retryMs, undefined]) {
      const failure = await deliver(notice, signal).catch((cause) => ({ fault: toMessage(cause), isFinal: true }))
      if (signal.aborted) return
      if (!failure) return recover()
      fail(failure.fault, !failure.isFinal && delay !== undefined)
      if (failure.isFinal || delay === undefined) break
      await sleep(delay, undefined, { signal, ref: false }).catch(() => {})
      if (signal.aborted) return
    }
    lost += 1
  }

  function fail(fault: string, retries: boolean) {
    if (isFailing) return
    isFailing = true
    report(`People were not notified of a question: ${name} failed (${printable(fault)}).${retries ? ' Trying again for a few minutes.' : ''} Questions can still be answered: toolpact approvals.`) // biome-ignore format: one line
  }

  function recover() {
    if (!isFailing) return
    isFailing = false
    report(`Notifications work again: ${name}.${lost > 0 ? ` ${lost} were lost: toolpact approvals lists what is pending.` : ''}`) // biome-ignore format: one line
    lost = 0
  }

  return {
    add,
    async ended() {
      await Promise.allSettled(running)
    },
  }
}

function toMessage(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
