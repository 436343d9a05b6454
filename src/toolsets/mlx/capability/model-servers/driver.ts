import { openMlxctlDriver } from './mlxctl-driver.ts'
import { openProcessDriver } from './process-driver.ts'
import type { ProcessId } from './process-id.ts'

/** How servers are started and ended. */
export interface Driver {
  /** Is it asked about every port, or does it know only what was started here? */
  readonly endsOthers: boolean
  /** Where it fails, nothing was started. */
  start(model: string, port: number, signal: AbortSignal): Promise<StartedServer>
  /** Ends the server on a port and what it started, politely at first. Fails with `not_listening` or `launch_failed`. */
  stop(port: number, server: ProcessId | null): Promise<void>
}

interface StartedServer {
  /** Its process, where it is one of ours. */
  readonly server: ProcessId | null
  /** Rejects when it ends by itself. */
  readonly died: Promise<never>
}

/** What the config says under `mlx`, and what drivers need beside it. */
export interface DriverSettings {
  readonly driver?: 'mlxctl' | 'process'
  /** Where mlxctl runs, as ssh names it. Default: here. */
  readonly ssh?: string
  readonly command?: readonly string[]
  /** The address at which the servers answer. */
  readonly host: string
  readonly environment: { readonly [name: string]: string | undefined }
  /** Names that are handed on whatever they look like. */
  readonly keepEnvironment?: readonly string[]
  /** Of our own: what servers say is kept there, and they work in it. */
  readonly directory: string
  /** How long a server that was told to end may take. */
  readonly graceMs: number
}

export function openDriver(settings: DriverSettings): Driver {
  return settings.driver === 'process' ? openProcessDriver(settings) : openMlxctlDriver(settings)
}
