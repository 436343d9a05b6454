import { setTimeout as wait } from 'node:timers/promises'
import { fetchBounded } from '../../../../capabilities/model/fetch-bounded.ts'
import { printable } from '../../../../contract/text/printable.ts'
import { ToolError } from '../../../../contract/tool-error.ts'
import { toSaid } from './to-said.ts'
import { toUnknownModel } from './to-unknown-model.ts'

interface AwaitOptions {
  readonly host: string
  readonly port: number
  readonly model: string
  /** Aborted on timeout or when the caller cancels. */
  readonly signal: AbortSignal
  /** Whether the model should still be loaded. */
  readonly isWanted: () => boolean
}

/** A response that is not a completion. */
export interface Reply {
  readonly status: number
  readonly words: string
}

const pauseMs = 100
/** A server whose loader died accepts a request and never answers, so a request that takes this long is repeated. */
const questionMs = 60_000
/** Possibly temporary: unavailable, too early, too many requests. */
const passing = [408, 425, 429]

/**
 * Waits until a model has generated one token. Nothing less proves that it is loaded: these servers report healthy before
 * a model is loaded, and even if loading fails. Without a completion, returns the server's last response.
 */
export async function awaitAnswer(options: AwaitOptions): Promise<{ loaded: boolean; last?: Reply }> {
  const { signal, model, isWanted } = options
  let last: Reply | undefined
  while (!signal.aborted && isWanted()) {
    const answer = await ask(options)
    if (answer === 'loaded') return { loaded: true }
    if (answer) throwIfFinal(answer, model)
    last = answer ?? last
    await wait(pauseMs, undefined, { signal }).catch(() => {})
  }
  return { loaded: false, ...(last && { last }) }
}

/** Undefined while nothing listens, or the server does not respond. */
async function ask({ host, port, model, signal }: AwaitOptions): Promise<Reply | 'loaded' | undefined> {
  const address = host.includes(':') ? `[${host}]` : host
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1, stream: false })
  try {
    const init = { body, signal: AbortSignal.any([signal, AbortSignal.timeout(questionMs)]) }
    const response = await fetchBounded(`http://${address}:${port}/v1/chat/completions`, init, undefined)
    const words = await response.text()
    // A success status without a completion does not count.
    return response.ok && isCompletion(words) ? 'loaded' : { status: response.status, words }
  } catch {
    return undefined
  }
}

function isCompletion(text: string): boolean {
  try {
    const { choices } = JSON.parse(text) as { choices?: unknown }
    return Array.isArray(choices) && choices.length > 0
  } catch {
    return false
  }
}

function throwIfFinal({ status, words }: Reply, model: string) {
  const said = toSaid('The server', words)
  if (status === 404) throw toUnknownModel(model, said)
  if (status < 400 || status >= 500 || passing.includes(status)) return
  throw new ToolError(
    'launch_failed',
    `The server of ${printable(model)} rejected a test request (${status}).${said}`,
    {
      suggestion: 'Try another model, or ask the operator to check mlxctl.command in the config.',
    },
  )
}
