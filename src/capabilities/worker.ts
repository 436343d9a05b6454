import { Worker } from 'node:worker_threads'
import { ToolError } from '../contract/tool-error.ts'
import { createTurns } from './turns.ts'
import type { Answer } from './worker/run-task.ts'

/** A function of a module, run in a thread of its own, so that a large input does not delay other callers. */
export interface WorkerTask<Input, Output> {
  /** Fails as the function does, or if a limit is exceeded. */
  run(input: Input, options: RunOptions): Promise<Output>
}

interface RunOptions {
  /** Ends the thread. */
  readonly signal: AbortSignal
  /** Callers take turns. Calls without one share a turn. */
  readonly caller?: string
}

export interface WorkerLimits {
  /** Time limit for one run, not counting the wait. Default: 45,000. */
  readonly timeoutMs?: number
  /** Time limit for waiting in the queue. Default: 25,000, so that one slow run does not fail those behind it. */
  readonly waitMs?: number
  /** The code of failures by limits. Default: `parse_failed`. */
  readonly code?: string
  /** What is read, for messages. Default: `page`. */
  readonly subject?: string
}

/**
 * Runs `run` of the module at an address. One run at a time, each in a new thread, whose memory is returned to the system
 * when it ends. There is no limit on its old heap: at such a limit, a single large allocation ends the whole process.
 */
export function openWorkerTask<Input, Output>(
  module: URL,
  { timeoutMs = 45_000, waitMs = 25_000, code = 'parse_failed', subject = 'page' }: WorkerLimits = {},
): WorkerTask<Input, Output> {
  const { takeTurn, endTurn } = createTurns(() => toBusy(code, subject))
  return {
    async run(input, { signal, caller = '' }) {
      signal.throwIfAborted()
      await takeTurn(caller, { signal, waitMs })
      try {
        signal.throwIfAborted()
        const worker = startWorker(module, input)
        const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
        return await takeAnswer<Output>(worker, limited, { code, subject })
      } catch (error) {
        signal.throwIfAborted()
        throw error
      } finally {
        endTurn()
      }
    },
  }
}

function startWorker(module: URL, input: unknown): Worker {
  const isSource = import.meta.url.endsWith('.ts')
  const entry = new URL(isSource ? './worker/run-task.ts' : '../processes/run-task.js', import.meta.url)
  return new Worker(entry, {
    workerData: { module: module.href, input },
    // It needs nothing of the environment and of the options of this process.
    env: {},
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: maxYoung },
  })
}

/**
 * V8 would let the young generation, which is mostly garbage, grow to 192 MB before it collects. A thread that ends with
 * its task gains nothing by that. This does not limit the task: what survives a collection moves to the old generation.
 */
const maxYoung = 24

/** Settles when the thread has ended, so that there are never two. */
async function takeAnswer<Output>(
  worker: Worker,
  signal: AbortSignal,
  { code, subject }: { code: string; subject: string },
): Promise<Output> {
  const toUnreadable = (reason: string) =>
    new ToolError(code, `The ${subject} cannot be read: ${reason}.`, {
      suggestion: `Try another source, or a smaller ${subject}; calling again does not help.`,
    })
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const onAbort = () => reject(toUnreadable('it took too long to read'))
  signal.addEventListener('abort', onAbort)
  worker.once('message', resolve)
  worker.once('error', reject)
  worker.once('exit', () => reject(toUnreadable('its reader ended unexpectedly')))
  try {
    const answer = await promise
    if ('output' in answer) return answer.output as Output
    const { error } = answer
    throw new ToolError(
      error.code,
      error.message,
      error.suggestion === undefined ? {} : { suggestion: error.suggestion },
    )
  } finally {
    signal.removeEventListener('abort', onAbort)
    await worker.terminate()
  }
}

function toBusy(code: string, subject: string): ToolError {
  return new ToolError(code, `The ${subject} cannot be read now: other large ${subject}s are still in the queue.`, {
    suggestion: 'Call again in a few seconds.',
  })
}
