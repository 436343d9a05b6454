import type { CallResult } from '../../contract/call-result.ts'
import { digest } from '../../contract/digest.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import type { RunFollow } from '../../contract/run-part.ts'
import type { Progress } from '../../contract/tool.ts'
import { whenReady } from '../../runtime/pipeline/when-ready.ts'
import type { RunDetails } from '../../workflow/run/workflow-runs.ts'
import type { Asking } from '../asking.ts'
import { isPending, toPendingError, toRunResult } from '../run-result.ts'
import type { Served } from '../served.ts'
import type { CallOptions, CallServices } from './call-tool.ts'
import type { LiveCall } from './live-call.ts'
import { type Reporter, repeatProgress } from './progress.ts'

interface WorkflowCall {
  /** Full id of the workflow's tool. */
  readonly id: string
  readonly input: JsonValue
  readonly live: LiveCall
  readonly progress: Reporter | undefined
}

/** Undefined if the tool is not a workflow. */
export function findWorkflow(
  { catalog, runs }: Served,
  tool: string,
  { caller }: Pick<LiveCall, 'caller'>,
): string | undefined | Promise<string | undefined> {
  if (!runs) return undefined
  return whenReady(catalog.findLoaded(tool, caller) ?? catalog.find(tool, caller), (found) =>
    found.kind === 'found' && found.tool.workflow ? found.id : undefined,
  )
}

/** Calls a workflow, or waits for the run that an equal call has started and left. */
export async function callWorkflow(
  { served, asking }: Pick<CallServices, 'served' | 'asking'>,
  options: CallOptions,
  call: WorkflowCall,
): Promise<CallResult> {
  const repeats = createRepeats(served)
  const isRepeatable = !call.live.mayBecomeTask
  const run = isRepeatable ? await repeats.find(call) : undefined
  if (run) return repeats.join(call, run, asking)
  const { onProgress, stop } = reportRun(asking, call.progress)
  options.onProgress = (update) => {
    onProgress(update)
    if (call.live.mayBecomeTask) call.live.message = update.message
  }
  options.run = toCallRun(asking, call)
  const result = await served.call(call.id, call.input, options).finally(stop)
  return isRepeatable ? repeats.keep(call, result) : result
}

/** How a call waits for its run: as a task follows it, otherwise for as long as the client surely waits. */
function toCallRun(asking: Asking, { live, progress }: WorkflowCall): RunFollow {
  const leave = new AbortController()
  return {
    onStart(id) {
      if (!live.mayBecomeTask) setTimeout(() => leave.abort(), toWaitMs(asking, progress)).unref()
      live.startRun(id, () => leave.abort())
    },
    detach: leave.signal,
  }
}

/** Reports the progress of a run, and repeats it while the run waits: many clients give up otherwise. */
function reportRun(asking: Asking, progress: Reporter | undefined) {
  let last: Progress = { progress: 0 }
  const stop = repeatProgress(progress, () => last.message, asking.progressMs)
  return {
    stop,
    onProgress(update: Progress) {
      last = update
      progress?.report(update)
    },
  }
}

/** As for approvals: a client without progress may have timed out unnoticed. */
function toWaitMs({ waitMs, maxWaitMs = waitMs }: Asking, progress: Reporter | undefined): number {
  return progress ? maxWaitMs : Math.min(waitMs, maxWaitMs)
}

/** How long a repeated call finds its run. */
const keepMs = 86_400_000
/** How many of the newest runs of a caller a repeated call may mean. */
const maxRuns = 20

const repeat =
  'Repeat the same call, unchanged, to wait for the result: it continues this run and does not start another.'

/**
 * For clients without tasks: a call that was answered before its run had ended is remembered, and the same call continues to
 * wait for that run, in any process, until its result was delivered.
 */
function createRepeats({ runs, replies }: Pick<Served, 'runs' | 'replies'>) {
  const digestOf = ({ input }: WorkflowCall) => digest({ input })

  /** Undefined if no run waits for this call to be repeated. */
  async function find(call: WorkflowCall): Promise<RunDetails | undefined> {
    const recent = await runs!.list({ workflow: call.id, caller: call.live.caller.name, limit: maxRuns })
    for (const { id } of recent) {
      const left = await readMark(`left ${id}`)
      if (left?.input !== digestOf(call) || (await readMark(`delivered ${id}`))) continue
      const run = await runs!.find(id)
      if (run) return run
    }
    return undefined
  }

  /** Waits for a run that an earlier call started. */
  async function join({ live, progress }: WorkflowCall, run: RunDetails, asking: Asking): Promise<CallResult> {
    const signal = AbortSignal.any([live.controller.signal, AbortSignal.timeout(toWaitMs(asking, progress))])
    const { onProgress, stop } = reportRun(asking, progress)
    const last = await runs!.wait(run.id, { signal, onProgress }).finally(stop)
    const result = toRunResult(last)
    if (!result) return toPending(last)
    await mark(`delivered ${run.id}`, {})
    return result
  }

  /** Remembers a call that is answered before its run has ended. Returns the answer. */
  async function keep(call: WorkflowCall, result: CallResult): Promise<CallResult> {
    const run = isPending(result) ? await runs!.find(result.callId) : undefined
    if (!run) return result
    await mark(`left ${run.id}`, { input: digestOf(call) })
    return toPending(run)
  }

  async function mark(key: string, value: JsonObject): Promise<void> {
    const now = Date.now()
    await replies.claim(key, key, { now, expiresAt: now + keepMs })
    await replies.keep(key, value)
  }

  async function readMark(key: string): Promise<JsonObject | undefined> {
    const now = Date.now()
    const claim = await replies.claim(key, key, { now, expiresAt: now + keepMs })
    if (claim.state === 'claimed') await replies.release(key)
    return claim.state === 'kept' ? claim.reply : undefined
  }

  return { find, join, keep }
}

function toPending(run: RunDetails): CallResult {
  const { id: callId, workflow: tool, createdAt } = run
  const durationMs = Date.now() - createdAt
  return { success: false, callId, tool, error: toPendingError(run, repeat), ran: true, durationMs }
}
