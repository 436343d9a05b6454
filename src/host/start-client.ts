import { type ClientOptions, type ServerAddress, type UpstreamClient, UpstreamFailure } from './connect/client.ts'
import { defaultInstallMs, StartClock } from './connect/start-clock.ts'
import { listServer, type ServerLists } from './offers/to-definitions.ts'

export interface StartOptions
  extends Pick<
    ClientOptions,
    | 'info'
    | 'authorizer'
    | 'capabilities'
    | 'roots'
    | 'logs'
    | 'onListChanged'
    | 'onResourceUpdated'
    | 'onNoise'
    | 'installMs'
    | 'onInstalling'
  > {
  readonly openClient: (address: ServerAddress, options: ClientOptions) => Promise<UpstreamClient>
  readonly protocol?: ClientOptions['protocol']
  /** Limit for the whole start, without installation. */
  readonly startupMs: number
  readonly signal: AbortSignal
  /** Part of the start, after everything is listed. */
  readonly onListed: (client: UpstreamClient, lists: ServerLists) => Promise<void>
  readonly onStarted: (client: UpstreamClient) => void
  /** Called if the connection is lost after the start. A loss during the start fails the start. */
  readonly onLost: (client: UpstreamClient, failure: UpstreamFailure) => void
}

export interface FailedStart {
  readonly failure: unknown
  /** Resolves when the client has been closed. */
  readonly ended: Promise<void>
}

/** Connects to a server and lists its tools, in bounded time. Resolves to the failure, if any; never rejects. */
export async function startClient(address: ServerAddress, options: StartOptions): Promise<FailedStart | undefined> {
  const { openClient, startupMs, installMs = defaultInstallMs, onInstalling, onListed, onStarted, onLost } = options
  const toLate = (isInstalling: boolean) => (isInstalling ? toLateInstall(installMs) : toLateStart(startupMs))
  const clock = new StartClock({ startMs: startupMs, installMs, toLate })
  const signal = AbortSignal.any([clock.signal, options.signal])
  let client: UpstreamClient | undefined
  let isStarted = false
  try {
    client = await openClient(address, {
      ...toClientOptions(options),
      signal,
      installMs,
      onInstalling(install) {
        clock.isInstalling = install !== undefined
        onInstalling?.(install)
      },
      onLost: (failure) => (isStarted ? onLost(client!, failure) : clock.abort(failure)),
    })
    await onListed(client, await listServer(client, { signal, onNoise: (text) => options.onNoise?.(text) }))
    signal.throwIfAborted()
    isStarted = true
    // Synchronously: the connection may be lost before an awaiting caller resumes.
    onStarted(client)
    return undefined
  } catch (cause) {
    return { failure: cause, ended: client ? client.close() : Promise.resolve() }
  } finally {
    clock.stop()
  }
}

/** Room for an output of 10 MB, plus the same JSON escaped as text, which servers send along with it. */
const maxAnswerBytes = 32 * 1024 * 1024

function toClientOptions(options: StartOptions): ClientOptions {
  const {
    info,
    protocol,
    startupMs,
    authorizer,
    capabilities,
    roots,
    logs,
    onListChanged,
    onResourceUpdated,
    onNoise,
  } = options
  return {
    info,
    startMs: startupMs,
    maxMessageBytes: maxAnswerBytes,
    ...(authorizer && { authorizer }),
    ...(protocol && { protocol }),
    ...(capabilities && { capabilities }),
    ...(roots && { roots }),
    ...(logs && { logs }),
    ...(onListChanged && { onListChanged }),
    ...(onResourceUpdated && { onResourceUpdated }),
    ...(onNoise && { onNoise }),
  }
}

function toLateInstall(installMs: number): UpstreamFailure {
  const message = `The server was not installed within ${installMs / 1000} s. Install it by hand, or give it more time with "installMs".`
  return new UpstreamFailure('unavailable', message)
}

function toLateStart(startupMs: number): UpstreamFailure {
  const message = `The server was not ready within ${startupMs / 1000} s. Give it more time with "startupMs".`
  return new UpstreamFailure('unavailable', message)
}
