import type { GitAccess } from '../git-command.ts'
import type { CommandLimits } from '../limits.ts'
import { openBubblewrap } from './open-bubblewrap.ts'

/** Whether commands run in a sandbox, for prompts and results. */
export interface SandboxState {
  readonly state: 'active' | 'unavailable' | 'off'
  /** Why it is not active. */
  readonly reason?: string
  /** Whether a command reaches the network. */
  readonly network: boolean
  /** Whether a command in the sandbox may use Unix sockets. */
  readonly unixSockets?: boolean
}

export interface SandboxOptions {
  readonly workingDirectory: string
  readonly searchPath: string | undefined
  readonly home: string | undefined
  readonly network: boolean
  /** Whether commands may use Unix sockets. */
  readonly unixSockets: boolean
  /** Absolute paths that a command may read, beside the system, toolchains and the working directory. */
  readonly readable: readonly string[]
  /** Absolute paths that a command finds empty. */
  readonly hidden: readonly string[]
  /** Real paths, and symlinks to them, that a command must not write even in the working directory. */
  readonly protectedPaths: readonly string[]
  readonly limits: CommandLimits
}

/** Something that runs a command apart from the system. */
export interface Sandbox {
  /** How to start a program in it. */
  toLaunch(words: readonly string[], git: GitUse): SandboxLaunch
}

/** What a command may do with the repositories of the working directory. */
export interface GitUse {
  readonly access: GitAccess
  /** As `findGitDirectories` gives them. */
  readonly directories: readonly string[]
}

interface SandboxLaunch {
  readonly program: string
  readonly arguments: readonly string[]
  /** What the program reads from descriptor 4, to its end. */
  readonly input: Buffer
}

/** A sandbox that was seen to work here, or why there is none. */
export function openSandbox(options: SandboxOptions): Promise<Sandbox | { readonly reason: string }> {
  return openBubblewrap(options)
}
