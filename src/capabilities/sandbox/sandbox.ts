import type { NetworkGrant } from '../../policy/granted-hosts.ts'
import type { CommandLimits } from '../process/limits.ts'

/**
 * The port behind which commands, MCP servers and contract folders are confined. A driver knows how one system does it; a
 * profile says what one program may touch, whatever the driver. To add a driver, implement `SandboxDriver` and list it in
 * `probe.ts`.
 *
 * Invariant: the probe returns a driver only after a program has run in it on this machine, and a driver that cannot confine
 * a program as its profile demands fails. It never confines less.
 */
export interface SandboxDriver {
  readonly name: SandboxName
  /** What it runs; undefined if it is not installed. */
  readonly program: string | undefined
  /** Whether a confined program shares the loopback of the machine, so that it needs `Profile.proxy`. */
  readonly sharesLoopback: boolean
  /** Why it does not work on this machine. */
  findFault(): Promise<SandboxUnavailable | undefined>
  /** What to spawn to run the words of a profile confined. */
  confine(profile: Profile): ConfinedProcess
}

export type SandboxName = 'bubblewrap' | 'seatbelt' | 'container'

export interface SandboxUnavailable {
  readonly reason: string
  /** What would make it available, for the operator: "install bubblewrap". */
  readonly suggestion: string
}

/** What one confined program may touch besides the system, which it can read. Paths are absolute and exist. */
export interface Profile {
  /** The program, by its path, and its arguments. */
  readonly words: readonly string[]
  readonly environment: { readonly [name: string]: string }
  readonly workingDirectory: string
  /** Read-only, also within a folder that it may write. */
  readonly read: readonly string[]
  readonly write: readonly string[]
  /** Must not be written, even in a folder that it may write. */
  readonly protected: readonly string[]
  /** Folders around protected paths, which it must not move away. */
  readonly pinned: readonly string[]
  /** Empty for it, even if a folder around them may be read. */
  readonly hidden: readonly string[]
  /** Empty and read-only, except for what is named elsewhere; such as the home directory of the user. */
  readonly emptied: readonly string[]
  /** Empty folders that it may fill, discarded when it ends. The temporary folders always are. */
  readonly scratch: readonly string[]
  /** A folder of its own that it finds as its home directory. Required for a network of some hosts. */
  readonly home?: string | undefined
  /** Packages that were installed for it, and whether that is what it does. */
  readonly packages?: string | undefined
  readonly mayInstall?: boolean
  /** A list of hosts, even an empty one, is served by our proxy, which reports what it refuses. */
  readonly network: NetworkGrant
  /** The address of that proxy, for drivers that share the loopback of the machine. */
  readonly proxy?: string | undefined
  readonly unixSockets: boolean
  readonly terminals: boolean
  readonly limits: CommandLimits
  /** Of each scratch folder. */
  readonly scratchBytes: number
  /** Whether `finish` must know what it left in scratch folders. Such a program has no input, and ends with this process. */
  readonly isCommand: boolean
  /** The image of a container. */
  readonly image?: string | undefined
}

export interface ConfinedProcess {
  readonly program: string
  readonly arguments: readonly string[]
  readonly environment: { readonly [name: string]: string }
  /** Of the driver, outside. */
  readonly workingDirectory: string
  /** What descriptor 3 is for: see `Launch`. */
  readonly descriptor?: 'report' | 'lifeline'
  /** Written to descriptor 4. */
  readonly filter?: Uint8Array
  /** Whether listeners arrive on the channel of descriptor 5: see `listeners.ts`. */
  readonly sendsListeners: boolean
  /** Limits that hold for all its processes together, to be watched from outside. */
  readonly watched?: CommandLimits
  /** Arguments of `program` that remove what may be left of it after it has exited, however that was. */
  readonly removal?: readonly string[]
  /** Called when a command has ended, with what it wrote to descriptor 3. Returns the paths that are discarded. */
  readonly finish?: (report: string) => readonly string[]
}
