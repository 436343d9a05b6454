import { printable } from '../../../../contract/text/printable.ts'
import { ToolError } from '../../../../contract/tool-error.ts'
import type { LoadOptions } from '../model-servers.ts'
import { awaitAnswer, type Reply } from './await-answer.ts'
import { type Claim, type Claims, isRunning, isUnderWay, type OwnClaim } from './claims.ts'
import type { Driver } from './driver.ts'
import { awaitClosed, isListening } from './port-state.ts'
import { isSameProcess, type ProcessId } from './process-id.ts'
import { tellWords } from './tell-words.ts'
import { toUnknownModel } from './to-unknown-model.ts'

export interface Desk {
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

/** Starts a server and waits for its answer. Two at once for one port: the second finds the claim of the first. */
export async function loadServer(desk: Desk, request: LoadRequest): Promise<void> {
  const { model, port, signal, onProgress } = request
  refuseOddName(model)
  const isTaken = await isListening(desk.host, port)
  // What is remembered is held against what runs: a server that has died does not keep its port.
  const { before, own } = await desk.claims.take(port, (before) =>
    isTaken || isHeld(before) ? undefined : { model, state: 'starting', server: null },
  )
  if (!own) throw toBusy(port, tellHolder(before))
  const ended = new AbortController()
  const time = AbortSignal.timeout(desk.loadTimeoutMs)
  const begun = performance.now()
  const timer = setInterval(() => onProgress?.(Math.round((performance.now() - begun) / 1000)), 1000)
  try {
    await startAndAwait(desk, request, { own, signal: AbortSignal.any([signal, time, ended.signal]) })
  } catch (cause) {
    signal.throwIfAborted()
    throw cause
  } finally {
    ended.abort()
    clearInterval(timer)
  }
}

/** Fails as a load would, as far as that is known without a start. */
export async function checkLoad({ claims, host }: Desk, model: string, port: number): Promise<undefined> {
  refuseOddName(model)
  const isTaken = await isListening(host, port)
  const claim = claims.look(port)
  if (isTaken || isHeld(claim)) throw toBusy(port, tellHolder(claim))
}

function isHeld(claim: Claim | undefined): boolean {
  return claim !== undefined && (isUnderWay(claim) || isRunning(claim))
}

async function startAndAwait(
  desk: Desk,
  { model, port }: LoadRequest,
  { own, signal }: { own: OwnClaim; signal: AbortSignal },
): Promise<void> {
  const { driver, host } = desk
  let started: { readonly server: ProcessId | null } | undefined
  try {
    // Somebody may have come between the first look and the claim.
    if (await isListening(host, port)) throw toBusy(port, tellHolder(undefined))
    if (signal.aborted) throw await toSilent(desk, { model, port, last: undefined })
    const { server, died } = await driver.start(model, port, signal)
    started = { server }
    await own.change({ server, state: 'waiting' })
    const answer = awaitAnswer({ host, port, model, signal, isWanted: own.stands })
    const { loaded, last } = await Promise.race([answer, died])
    if (!loaded) throw await toSilent(desk, { model, port, last })
    if (!(await own.change({ state: 'loaded' }))) throw toUnwanted(model)
  } catch (cause) {
    const isWanted = own.stands()
    const isGone = await leaveNothing(desk, port, { started, isWanted, cause })
    if (isGone) await own.release()
    else await own.change({ state: 'loaded' })
    throw isWanted ? withRest(cause, isGone) : toUnwanted(model)
  }
}

interface Failed {
  readonly started: { readonly server: ProcessId | null } | undefined
  /** Whoever has taken the port over sees to it. */
  readonly isWanted: boolean
  readonly cause: unknown
}

/** Ends what was started. False where it could not be. */
async function leaveNothing(desk: Desk, port: number, { started, isWanted, cause }: Failed): Promise<boolean> {
  const { driver, host, graceMs } = desk
  const server = started?.server ?? null
  // Where the start itself failed, only what listens now can have come from it: nobody did before.
  const isFailedStart = !started && driver.endsOthers && !(cause instanceof ToolError && cause.code === 'port_busy')
  if (!started && !(isFailedStart && (await isListening(host, port)))) return true
  if (isWanted || server) await driver.stop(port, server).catch(() => {})
  if (!isWanted) return true
  return (await awaitClosed(host, port, graceMs)) && !(server && isSameProcess(server))
}

/** A name is one argument, and no option of the program that gets it. */
function refuseOddName(model: string) {
  if (model.startsWith('-')) throw toUnknownModel(model, ' It looks like an option.')
  if (model.includes('\0')) throw toUnknownModel(model, ' It has a NUL character in it.')
}

function tellHolder(claim: Claim | undefined): string {
  if (!claim || (claim.server && !isRunning(claim))) return 'is taken by something that was not loaded here'
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
  { host, loadTimeoutMs }: Desk,
  { model, port, last }: { model: string; port: number; last: Reply | undefined },
): Promise<ToolError> {
  const message = `${printable(model)} did not answer within ${loadTimeoutMs / 1000} s, and was ended.`
  if (!last && !(await isListening(host, port))) {
    return new ToolError('launch_failed', `${message} Nobody listens at ${host}:${port}.`, {
      suggestion: 'Ask the operator to check mlxctl.host and mlxctl.command in the config.',
    })
  }
  const said = last ? tellWords(`The server (${last.status})`, last.words) : ''
  return new ToolError('launch_failed', `${message}${said}`, {
    suggestion: 'Try a smaller model, or ask the operator to allow more time with mlxctl.loadTimeoutMs in the config.',
  })
}

function withRest(cause: unknown, isGone: boolean): unknown {
  if (isGone || !(cause instanceof ToolError)) return cause
  return new ToolError(cause.code, `${cause.message} What was started could not be ended.`, {
    advice: 'Try mlx.unload.',
    suggestion: 'Ask the operator to end it if that does not.',
    cause,
  })
}
