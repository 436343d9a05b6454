import { printable } from '../../../../contract/text/printable.ts'
import { ToolError } from '../../../../contract/tool-error.ts'
import type { LoadOptions } from '../model-servers.ts'
import { awaitAnswer, type Reply } from './await-answer.ts'
import { type Claim, type Claims, isRunning, isUnderWay, type OwnClaim } from './claims.ts'
import type { Driver } from './driver.ts'
import { awaitClosed, isListening } from './port-state.ts'
import { isSameProcess, type ProcessId } from './process-id.ts'
import { toSaid } from './to-said.ts'
import { toUnknownModel } from './to-unknown-model.ts'

export interface ServerOptions {
  readonly claims: Claims
  readonly driver: Driver
  readonly host: string
  readonly graceMs: number
  readonly loadTimeoutMs: number
}

interface LoadRequest extends LoadOptions {
  readonly model: string
  readonly port: number
}

/** Starts a server and waits for its answer. Of two concurrent loads on one port, the second finds the claim of the first. */
export async function loadServer(options: ServerOptions, request: LoadRequest): Promise<void> {
  const { model, port, signal, onProgress } = request
  refuseOddName(model)
  const isTaken = await isListening(options.host, port)
  // Compare the claim with what runs: a dead server does not keep its port.
  const { before, own } = await options.claims.take(port, (before) =>
    isTaken || isHeld(before) ? undefined : { model, state: 'starting', server: null },
  )
  if (!own) throw toBusy(port, describeHolder(before))
  const ended = new AbortController()
  const time = AbortSignal.timeout(options.loadTimeoutMs)
  const begun = performance.now()
  const timer = setInterval(() => onProgress?.(Math.round((performance.now() - begun) / 1000)), 1000)
  try {
    await startAndAwait(options, request, { own, signal: AbortSignal.any([signal, time, ended.signal]) })
  } catch (cause) {
    signal.throwIfAborted()
    throw cause
  } finally {
    ended.abort()
    clearInterval(timer)
  }
}

/** Fails as a load would, as far as can be checked without starting a server. */
export async function checkLoad({ claims, host }: ServerOptions, model: string, port: number): Promise<undefined> {
  refuseOddName(model)
  const isTaken = await isListening(host, port)
  const claim = claims.look(port)
  if (isTaken || isHeld(claim)) throw toBusy(port, describeHolder(claim))
}

function isHeld(claim: Claim | undefined): boolean {
  return claim !== undefined && (isUnderWay(claim) || isRunning(claim))
}

async function startAndAwait(
  options: ServerOptions,
  { model, port }: LoadRequest,
  { own, signal }: { own: OwnClaim; signal: AbortSignal },
): Promise<void> {
  const { driver, host } = options
  let started: { readonly server: ProcessId | null } | undefined
  try {
    // Another program may have taken the port between the first check and the claim.
    if (await isListening(host, port)) throw toBusy(port, describeHolder(undefined))
    if (signal.aborted) throw await toSilent(options, { model, port, last: undefined })
    const { server, died } = await driver.start(model, port, signal)
    started = { server }
    await own.change({ server, state: 'waiting' })
    const answer = awaitAnswer({ host, port, model, signal, isWanted: own.stands })
    const { loaded, last } = await Promise.race([answer, died])
    if (!loaded) throw await toSilent(options, { model, port, last })
    if (!(await own.change({ state: 'loaded' }))) throw toUnwanted(model)
  } catch (cause) {
    const isWanted = own.stands()
    const isGone = await leaveNothing(options, port, { started, isWanted, cause })
    if (isGone) await own.release()
    else await own.change({ state: 'loaded' })
    throw isWanted ? withRest(cause, isGone) : toUnwanted(model)
  }
}

interface Failed {
  readonly started: { readonly server: ProcessId | null } | undefined
  /** False if another process has taken the port over; it then cleans up. */
  readonly isWanted: boolean
  readonly cause: unknown
}

/** Stops what was started. False if that failed. */
async function leaveNothing(
  options: ServerOptions,
  port: number,
  { started, isWanted, cause }: Failed,
): Promise<boolean> {
  const { driver, host, graceMs } = options
  const server = started?.server ?? null
  // If the start itself failed, whatever listens now was started by it: nothing listened before.
  const isFailedStart = !started && driver.endsOthers && !(cause instanceof ToolError && cause.code === 'port_busy')
  if (!started && !(isFailedStart && (await isListening(host, port)))) return true
  if (isWanted || server) await driver.stop(port, server).catch(() => {})
  if (!isWanted) return true
  return (await awaitClosed(host, port, graceMs)) && !(server && isSameProcess(server))
}

/** A model name must be one argument, and not an option of the program that receives it. */
function refuseOddName(model: string) {
  if (model.startsWith('-')) throw toUnknownModel(model, ' It looks like an option.')
  if (model.includes('\0')) throw toUnknownModel(model, ' It contains a NUL character.')
}

function describeHolder(claim: Claim | undefined): string {
  if (!claim || (claim.server && !isRunning(claim))) return 'is used by a program that was not loaded here'
  const { model, state } = claim
  if (state === 'ending') return 'is being freed'
  return `is ${state === 'loaded' ? 'serving' : 'loading'} ${printable(model)}`
}

function toBusy(port: number, why: string): ToolError {
  return new ToolError('port_busy', `Port ${port} ${why}.`)
}

function toUnwanted(model: string): ToolError {
  return new ToolError('launch_failed', `${printable(model)} was unloaded before it answered.`, {
    suggestion: 'Load it again if it is still wanted.',
  })
}

async function toSilent(
  { host, loadTimeoutMs }: ServerOptions,
  { model, port, last }: { model: string; port: number; last: Reply | undefined },
): Promise<ToolError> {
  const message = `${printable(model)} did not answer within ${loadTimeoutMs / 1000} s and was stopped.`
  if (!last && !(await isListening(host, port))) {
    return new ToolError('launch_failed', `${message} Nothing listens at ${host}:${port}.`, {
      suggestion: 'Ask the operator to check mlxctl.host and mlxctl.command in the config.',
    })
  }
  const said = last ? toSaid(`The server (${last.status})`, last.words) : ''
  return new ToolError('launch_failed', `${message}${said}`, {
    suggestion: 'Try a smaller model, or ask the operator to allow more time with mlxctl.loadTimeoutMs in the config.',
  })
}

function withRest(cause: unknown, isGone: boolean): unknown {
  if (isGone || !(cause instanceof ToolError)) return cause
  return new ToolError(cause.code, `${cause.message} The started process could not be stopped.`, {
    advice: 'Try mlx.unload.',
    suggestion: 'If that fails, ask the operator to stop it.',
    cause,
  })
}
