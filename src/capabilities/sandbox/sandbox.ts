import type { GitAccess } from '../process/git-command.ts'
import type { CommandLimits } from '../process/limits.ts'
import type { Launch } from '../process/run-command.ts'
import { bubblewrap } from './bubblewrap/bubblewrap.ts'

/**
 * The port behind which commands are confined. `process.ts` knows this file alone; a driver knows how one operating system
 * does it. To add one (Seatbelt, a container), implement `SandboxDriver` and list it in `drivers`; `mounts.ts` describes
 * what a command may see, whatever the driver.
 *
 * Invariant: `open` returns a sandbox only after a command has run in it on this machine, and a driver that cannot confine
 * a command as the options demand is unavailable. It never confines less.
 */
export interface SandboxDriver {
  readonly name: SandboxName
  open(options: SandboxOptions): Promise<Sandbox | SandboxUnavailable>
}

export type SandboxName = 'bubblewrap'

/** What confines MCP servers. */
export type ServerSandboxName = SandboxName | 'seatbelt' | 'container'

export interface Sandbox {
  readonly name: SandboxName
  /** What to spawn, in place of `words`, to run them confined. They must die with this process. */
  confine(words: readonly string[], git: GitUse): ConfinedLaunch
  /** Reads what the spawned program wrote to its descriptor 3. */
  readReport(report: string): SandboxReport
}

export interface SandboxUnavailable {
  readonly reason: string
  /** What would make it available. */
  readonly suggestion: string
}

type ConfinedLaunch = Pick<Launch, 'program' | 'arguments' | 'descriptor' | 'input'>

export interface SandboxReport {
  /** Paths that the command created and the sandbox discarded. */
  readonly discarded: readonly string[]
}

export interface SandboxOptions {
  readonly workingDirectory: string
  readonly searchPath: string | undefined
  readonly home: string | undefined
  readonly network: boolean
  readonly unixSockets: boolean
  /** Absolute paths that a command may read, in addition to the system, toolchains and the working directory. */
  readonly readable: readonly string[]
  /** Absolute paths that a command finds empty. */
  readonly hidden: readonly string[]
  /** Real paths, and symlinks to them, that a command must not write even in the working directory. */
  readonly protectedPaths: readonly string[]
  readonly limits: CommandLimits
}

/** What a command may do with the repositories of the working directory. */
export interface GitUse {
  readonly access: GitAccess
  /** The result of `findGitDirectories`. */
  readonly directories: readonly string[]
}

/** Whether commands run in a sandbox, for prompts and results. */
export interface SandboxState {
  readonly state: 'active' | 'unavailable' | 'off'
  /** Set if active. */
  readonly name?: SandboxName
  /** Why it is not active. */
  readonly reason?: string
  /** Whether a command may use the network. */
  readonly network: boolean
  /** Whether a sandboxed command may use Unix sockets. */
  readonly unixSockets?: boolean
}

/** The first one that works is used. */
const drivers: readonly SandboxDriver[] = [bubblewrap]

/** Opens a sandbox, or explains why none works here. */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox | SandboxUnavailable> {
  const failures: SandboxUnavailable[] = []
  for (const driver of drivers) {
    const sandbox = await driver.open(options)
    if (!('reason' in sandbox)) return sandbox
    failures.push(sandbox)
  }
  return failures[0]!
}
