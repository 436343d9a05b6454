import { printable } from '../contract/text/printable.ts'
import { shorten } from '../contract/text/shorten.ts'
import { UpstreamFailure } from './connect/client.ts'
import type { Confinement } from './connect/confinement.ts'
import { isAboutCredentials, toCredentialAdvice } from './credential-failure.ts'

export function toFailure(cause: unknown): UpstreamFailure {
  if (cause instanceof UpstreamFailure) return cause
  const words = printable(shorten(cause instanceof Error ? cause.message : String(cause), 1000))
  return new UpstreamFailure('unavailable', 'The server failed unexpectedly.', { words, cause })
}

/** Why a server cannot be used, with advice if retrying cannot help. */
export function toServerFailure(cause: unknown, server: string): UpstreamFailure {
  const failure = toFailure(cause)
  const { kind, message, plain, status, isUnconnected, challenge } = failure
  if (isUnconnected) return failure
  if (status !== 401 && status !== 403 && !isAboutCredentials(message)) return failure
  return new UpstreamFailure(kind, message, { plain, cause: failure, status, challenge, advice: toCredentialAdvice(server) }) // biome-ignore format: one line
}

/** A start that failed because something was not granted says so. */
export function toExplained(cause: unknown, confinement: Confinement | undefined, begun: number): UpstreamFailure {
  const failure = toFailure(cause)
  const { kind, message, plain, status, challenge } = failure
  const advice = confinement?.explain(begun, message)
  return advice === undefined ? failure : new UpstreamFailure(kind, `${message} ${advice}`, { plain: `${plain} ${advice}`, advice, cause: failure, ...(status !== undefined && { status }), challenge }) // biome-ignore format: one line
}

/** The config entry of a server has no usable address. */
export function toEntryFailure(fault: string, server: string): UpstreamFailure {
  const advice = `Do not repeat the call. The operator must first correct the entry of the server ${server} in toolpact.json. To check it: toolpact mcp inspect ${server}`
  return new UpstreamFailure('unavailable', fault, { advice })
}

export function toFaultStatus(failure: UpstreamFailure | undefined) {
  return failure && { fault: failure.message, plainFault: failure.plain, faultAdvice: failure.advice }
}

/** For a call whose server is not connected. */
export function toAbsence(fault: UpstreamFailure | undefined, retryAt: number): UpstreamFailure {
  const { plain = 'The server is not connected.', advice, isUnconnected = false, scope } = fault ?? {}
  const seconds = Math.ceil((retryAt - performance.now()) / 1000)
  const later = seconds > 0 && advice === undefined && !isUnconnected ? ` The next attempt is in ${seconds} s.` : ''
  return new UpstreamFailure('unavailable', `${plain}${later}`, { advice, isUnconnected, scope })
}

/** Waits for `event`, which never rejects, or rejects when the signal aborts. */
export async function orAborted(event: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return event
  signal.throwIfAborted()
  let onAbort: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new UpstreamFailure('unavailable', 'The server was not ready in time.'))
    signal.addEventListener('abort', onAbort, { once: true })
  })
  await Promise.race([event, aborted]).finally(() => signal.removeEventListener('abort', onAbort!))
}

/** Models read this, so it quotes nothing from the new definition, which was not accepted. */
export function toWithdrawn(isWithheld: boolean): UpstreamFailure {
  const why = isWithheld ? 'it is withheld until the change is accepted' : 'the server no longer lists it'
  return new UpstreamFailure('unavailable', `The tool has changed since the call was made: ${why}.`)
}

export function toInstalling({ by, since }: { readonly by: string; readonly since: number }) {
  return { by, forMs: Math.round(performance.now() - since) }
}
