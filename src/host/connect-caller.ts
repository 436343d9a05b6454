import type { CallClient } from '../contract/call-client.ts'
import type { JsonValue } from '../contract/json.ts'
import type { Caller, Progress } from '../contract/tool.ts'
import { UpstreamFailure } from './connect/client.ts'
import type { Authorize, ConnectPage } from './upstream.ts'

interface ConnectOptions {
  readonly server: string
  readonly findPage?: Authorize['findPage'] | undefined
  readonly signal: AbortSignal
  readonly caller: Caller
  readonly client?: CallClient | undefined
  readonly progress: (update: Progress) => void
}

/** Clients that accept progress wait longer. */
const progressMs = 10_000

/**
 * What to do about a failed call. If its caller is not connected to the server, their client is asked to open the page where
 * they connect, and the call is sent again after that. The server has not carried it out before.
 */
export function sendConnected(send: () => Promise<JsonValue>, options: ConnectOptions) {
  const { findPage, caller } = options
  return async (failure: unknown): Promise<JsonValue> => {
    if (!(failure instanceof UpstreamFailure) || !failure.isUnconnected || !findPage) throw failure
    const page = await findPage(caller, failure.scope)
    if (!page) throw failure
    if (await openPage(page, failure, options)) return send()
    throw withPage(failure, page.url)
  }
}

async function openPage(page: ConnectPage, { scope }: UpstreamFailure, options: ConnectOptions): Promise<boolean> {
  const { server, client, signal, progress } = options
  const what = scope === undefined ? 'requires a login' : `requires more rights (${scope})`
  const message = `The server ${server} ${what}. Open the console to connect to it, then this call continues.`
  let waits = 0
  const report = () => progress({ progress: ++waits, message: `Waiting until you have connected to ${server}.` })
  const opened = client?.openPage?.({
    message,
    url: page.url,
    signal,
    async done(until) {
      report()
      const timer = setInterval(report, progressMs)
      return page.done(until).finally(() => clearInterval(timer))
    },
  })
  return (await opened) ?? false
}

function withPage(failure: UpstreamFailure, url: string): UpstreamFailure {
  const { kind, message, plain, scope } = failure
  const advice = `Ask the user to connect at ${url} and call again after that. Do not repeat the call before.`
  return new UpstreamFailure(kind, message, { cause: failure, plain, advice, isUnconnected: true, scope, connect: url })
}
