import type { ChildProcess } from 'node:child_process'
import type { Install } from './client.ts'

/** Confines the process of one server to what the operator granted. Implemented outside of the host. */
export interface Confinement {
  /** Whether the command is one of an image, and need not exist here. */
  readonly isInImage: boolean
  /**
   * What to spawn in place of the command; undefined if it runs unconfined. Rejects with an `UpstreamFailure` if it must not
   * run at all.
   */
  prepare(command: ServerCommand, options: PrepareOptions): Promise<PreparedProcess | undefined>
  /** What was refused to the server since then, or what an error of it means; for callers, without its own words. */
  explain(since: number, words: string): string | undefined
  status(): IsolationStatus
}

/** A server as it would be started unconfined. */
export interface ServerCommand {
  /** As written, and the path that it was found at. */
  readonly command: string
  readonly program: string
  readonly args: readonly string[]
  readonly environment: { readonly [name: string]: string }
  readonly cwd: string
  /** Paths of its code, which it can read. Default: found by its command. */
  readonly code?: readonly string[]
}

interface PrepareOptions {
  readonly signal: AbortSignal
  readonly onInstalling: (install: Install | undefined) => void
}

export interface PreparedProcess {
  readonly program: string
  readonly arguments: readonly string[]
  readonly environment: { readonly [name: string]: string }
  readonly workingDirectory: string
  /** Written to descriptor 4. */
  readonly filter?: Uint8Array
  /** Whether it needs an IPC channel at descriptor 5. */
  readonly sendsListeners: boolean
  /** Whether its package is installed, so that no launcher does it. */
  readonly isInstalled: boolean
  /** Called once it runs. `end` is told why it must end. */
  readonly watch: (child: ChildProcess, end: (why: string) => void) => void
}

/** Whether a server is confined, and what it tried. */
export interface IsolationStatus {
  /** `ungranted`: nothing was granted, so that it runs unconfined. `unavailable`: no sandbox works here. */
  readonly state: 'confined' | 'ungranted' | 'unavailable' | 'off'
  /** What confines it, such as `bubblewrap`. */
  readonly by?: string
  /** What it may touch, in words. */
  readonly may: string
  /** Why it is not confined, and what would help. */
  readonly reason?: string
  readonly suggestion?: string
  /** What of it is not confined as it should be. */
  readonly weakness?: string
  /** What it tried beyond its grants since the host started, newest first. */
  readonly refused: readonly Refused[]
}

export type Refused = RefusedConnection | RefusedFile

/** What was refused, without why. */
export type Attempt = Omit<RefusedConnection, 'reason'> | Omit<RefusedFile, 'reason'>

/** Refused by our proxy. */
export interface RefusedConnection {
  readonly host: string
  /** Undefined if only the name was looked up. */
  readonly port?: number
  /** What would have to be granted: the host, with its port unless that is one of the web. */
  readonly grant: string
  readonly reason: string
  readonly count: number
  /** ISO time of the last attempt. */
  readonly at: string
}

/** A file that was not there for the server. Its own process says so: see `observe-files.ts`. */
export interface RefusedFile {
  /** Below `~`, or absolute. */
  readonly path: string
  readonly access: 'read' | 'write'
  /** What would have to be granted: the path, or the folder around it. */
  readonly grant: string
  readonly reason: string
  readonly count: number
  readonly at: string
}
