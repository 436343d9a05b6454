import { type Claims, openClaims } from './model-servers/claims.ts'
import { type DriverSettings, openDriver } from './model-servers/driver.ts'
import { checkLoad, loadServer } from './model-servers/load-server.ts'
import { checkUnload, unloadServer } from './model-servers/unload-server.ts'

/** Servers of language models, one per port. */
export interface ModelServers {
  /**

   * Starts a server and resolves once it has answered. If it never answers, everything started is stopped. Fails with
   * `model_not_found`, `port_busy` or `launch_failed`.
   */
  load(model: string, port: number, options: LoadOptions): Promise<void>
  /** Fails as `load` would, as far as can be checked without starting a server. */
  checkLoad(model: string, port: number): Promise<undefined>
  /** Stops the server on a port and checks that it is gone. Fails with `not_listening`. */
  unload(port: number, options: { readonly signal: AbortSignal }): Promise<Unloaded>
  /** Fails as `unload` would, as far as can be checked without stopping a server. */
  checkUnload(port: number): Promise<undefined>
}

export interface LoadOptions {
  readonly signal: AbortSignal
  /** Called every second. */
  readonly onProgress?: (seconds: number) => void
}

export interface Unloaded {
  readonly gone: boolean
  readonly message: string
}

export interface ModelServerSettings extends Omit<DriverSettings, 'host' | 'graceMs'> {
  /** Default: 127.0.0.1. */
  readonly host?: string
  /** Time limit for the first answer of a model. Default: five minutes. */
  readonly loadTimeoutMs?: number
  /** Default: ten seconds. */
  readonly graceMs?: number
}

/**
 * @example
 * const servers = openModelServers({ driver: 'process', directory, environment: process.env })
 * await servers.load('mlx-community/Qwen3-4B-4bit', 8100, { signal })
 */
export function openModelServers(settings: ModelServerSettings): ModelServers {
  const { host = '127.0.0.1', graceMs = 10_000, loadTimeoutMs = 300_000, directory } = settings
  const driver = openDriver({ ...settings, host, graceMs })
  let claims: Claims | undefined
  const open = () => {
    claims ??= openClaims(directory)
    return { claims, driver, host, graceMs, loadTimeoutMs }
  }
  return {
    load: async (model, port, options) => loadServer(open(), { model, port, ...options }),
    checkLoad: async (model, port) => checkLoad(open(), model, port),
    checkUnload: async (port) => checkUnload(open(), port),
    unload: async (port, { signal }) => unloadServer(open(), { port, signal }),
  }
}
