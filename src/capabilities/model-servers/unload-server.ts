import { printable } from '../../contract/printable.ts'
import { ToolError } from '../../contract/tool-error.ts'
import type { Unloaded } from '../model-servers.ts'
import { type Claim, isRunning, isUnderWay } from './claims.ts'
import type { Desk } from './load-server.ts'
import { awaitClosed, isListening } from './port-state.ts'

/** Ends the server on a port. A load that is under way there fails by it. */
export async function unloadServer(
  { claims, driver, host, graceMs }: Desk,
  { port, signal }: { readonly port: number; readonly signal: AbortSignal },
): Promise<Unloaded> {
  const wasListening = await isListening(host, port)
  signal.throwIfAborted()
  const { before, own } = await claims.take(port, (before) => {
    if (!driver.endsOthers && !(before && isRunning(before))) return undefined
    return { model: before?.model ?? '', state: 'ending', server: before?.server ?? null }
  })
  if (!own) throw toNotListening(port, before, wasListening)
  let failure: ToolError | undefined
  try {
    await driver.stop(port, before?.server ?? null)
  } catch (cause) {
    if (!(cause instanceof ToolError)) throw cause
    failure = cause
  }
  const isClosed = await awaitClosed(host, port, failure ? 0 : graceMs)
  const runs = before !== undefined && isRunning(before)
  const isGone = failure ? failure.code === 'not_listening' : isClosed && !runs
  // What is still there can be ended later.
  if (isGone || !before) await own.release()
  else await own.change({ state: 'loaded' })
  if (failure?.code === 'not_listening') throw failure
  if (failure) return { gone: false, message: [failure.message, failure.suggestion].filter(Boolean).join(' ') }
  if (!before && !wasListening) throw toNotListening(port, undefined, false)
  const what = before ? `${printable(before.model)} on port ${port}` : `The server on port ${port}`
  if (isGone) return { gone: true, message: `${what} has ended.` }
  const rest = runs ? 'its process still runs' : 'something still listens on the port'
  return { gone: false, message: `${what} was told to end, and ${rest}. Try again, or ask the operator to end it.` }
}

function toNotListening(port: number, claim: Claim | undefined, isTaken: boolean): ToolError {
  if (claim && isUnderWay(claim)) {
    return new ToolError('not_listening', `Port ${port} is being ${claim.state === 'ending' ? 'freed' : 'taken'}.`, {
      suggestion: 'Try again in a moment.',
    })
  }
  return new ToolError(
    'not_listening',
    isTaken
      ? `What listens on port ${port} was not loaded here, and is left alone.`
      : `No model is loaded on port ${port}.`,
  )
}
