import { openMlxctlDriver } from './mlxctl-driver.ts'
import { openProcessDriver } from './process-driver.ts'
import type { ProcessId } from './process-id.ts'

/** Starts and stops servers. */
export interface Driver {
  /** Whether it can stop servers that were not started by Toolpact. */
  readonly endsOthers: boolean
  /** If it fails, nothing was started. */
  start(model: string, port: number, signal: AbortSignal): Promise<StartedServer>
  /** Stops the server on a port and its child processes, gracefully at first. Fails with `not_listening` or `launch_failed`. */
  stop(port: number, server: ProcessId | null): Promise<void>
}

interface StartedServer {
  /** Its process, if we started it. */
  readonly server: ProcessId | null
  /** Rejects if the server exits on its own. */
  readonly died: Promise<never>
}

/** The settings of `mlxctl` in the config, and what drivers need besides. */
export interface DriverSettings {
  readonly driver?: 'mlxctl' | 'process'
  /** The ssh destination on which mlxctl runs. Default: this machine. */
  readonly ssh?: string
  readonly command?: readonly string[]
  /** The address on which the servers listen. */
  readonly host: string
  readonly environment: { readonly [name: string]: string | undefined }
  /** Environment variables that are passed on even if they look like secrets. */
  readonly keepEnvironment?: readonly string[]
  /** Private: working directory of the servers, and location of their logs. */
  readonly directory: string
  /** How long a server may take to stop. */
  readonly graceMs: number
}

export function openDriver(settings: DriverSettings): Driver {
  return settings.driver === 'process' ? openProcessDriver(settings) : openMlxctlDriver(settings)
}
