import { printable } from '../../../../contract/text/printable.ts'
import { ToolError } from '../../../../contract/tool-error.ts'
import type { Unloaded } from '../model-servers.ts'
import { type Claim, isRunning, isUnderWay } from './claims.ts'
import type { ServerOptions } from './load-server.ts'
import { awaitClosed, isListening } from './port-state.ts'
import { isSameProcess, type ProcessId } from './process-id.ts'

/** Stops the server on a port. A load in progress there fails. */
export async function unloadServer(
  { claims, driver, host, graceMs }: ServerOptions,
  { port, signal }: { readonly port: number; readonly signal: AbortSignal },
): Promise<Unloaded> {
  const wasListening = await isListening(host, port)
  signal.throwIfAborted()
  let server: ProcessId | null = null
  const { before, own } = await claims.take(port, (before) => {
    if (!canEnd(before, driver)) return undefined
    server = findServer(before)
    return { model: before?.model ?? '', state: 'ending', server }
  })
  if (!own) throw toNotListening(port, before, wasListening)
  const failure = await driver.stop(port, server).then(() => undefined, toFailure)
  const isClosed = await awaitClosed(host, port, failure ? 0 : graceMs)
  const runs = server !== null && isSameProcess(server)
  // If something listens, the server is not gone, whatever the driver reports.
  const isNone = isClosed && failure?.code === 'not_listening'
  const isGone = isClosed && !runs && !failure
  // Keep the claim, so that a later call can stop what is left.
  if (isGone || isNone || !before) await own.release()
  else await own.change({ state: 'loaded' })
  if (isNone) throw failure
  if (failure) return { gone: false, message: [failure.message, failure.suggestion].filter(Boolean).join(' ') }
  if (!before && !wasListening) throw toNotListening(port, undefined, false)
  const what = before ? `${printable(before.model)} on port ${port}` : `The server on port ${port}`
  if (isGone) return { gone: true, message: `${what} was stopped.` }
  const rest = runs ? 'its process still runs' : 'something still listens on the port'
  return { gone: false, message: `${what} was asked to stop, but ${rest}. Try again, or ask the operator to stop it.` }
}

/** Fails as `unloadServer` would, as far as can be checked without stopping anything. */
export async function checkUnload({ claims, driver, host }: ServerOptions, port: number): Promise<undefined> {
  const claim = claims.look(port)
  if (!canEnd(claim, driver)) throw toNotListening(port, claim, await isListening(host, port))
}

function canEnd(claim: Claim | undefined, { endsOthers }: ServerOptions['driver']): boolean {
  if (claim && isStarting(claim)) return false
  return endsOthers || findServer(claim) !== null
}

/** The process to stop. The id of one that has exited may have been reused. */
function findServer(claim: Claim | undefined): ProcessId | null {
  return claim && isRunning(claim) ? claim.server : null
}

function isStarting(claim: Claim): boolean {
  return claim.state === 'starting' && isUnderWay(claim)
}

function toFailure(cause: unknown): ToolError {
  if (cause instanceof ToolError) return cause
  throw cause
}

function toNotListening(port: number, claim: Claim | undefined, isTaken: boolean): ToolError {
  if (claim && isStarting(claim)) {
    return new ToolError('not_listening', `The server of ${printable(claim.model)} is still starting.`, {
      suggestion: 'Try again later, or cancel the call that loads it.',
    })
  }
  return new ToolError(
    'not_listening',
    isTaken
      ? `The program on port ${port} was not loaded here and is left running.`
      : `No model is loaded on port ${port}.`,
  )
}
