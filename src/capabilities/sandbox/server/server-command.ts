import type { NetworkGrant } from '../../../policy/granted-hosts.ts'
import type { RefusedHost } from '../network/egress.ts'
import type { SandboxDriver } from '../sandbox.ts'
import type { TriedFile } from './observe/observe-files.ts'

/** What a server may touch besides the system and its own folders. */
interface ServerGrants {
  /** Absolute paths. */
  readonly read: readonly string[]
  readonly write: readonly string[]
  readonly network: NetworkGrant
}

export interface ServerSandboxOptions {
  readonly driver: SandboxDriver
  /** Its own folder, in the state directory. */
  readonly folder: string
  readonly stateDirectory: string
  readonly grants: ServerGrants
  /** Config and lock: a server that may write the folder around them must not change them. */
  readonly protectedPaths: readonly string[]
  readonly image?: string | undefined
  readonly onRefused: (refused: RefusedHost) => void
  /** A path that the server claims to have tried in vain. */
  readonly onTried: (tried: TriedFile) => void
}

/** A server as it would be started without a sandbox. */
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

export interface PrepareOptions {
  readonly signal: AbortSignal
  /** What is installing it; undefined when that is done. */
  readonly onInstalling: (by: string | undefined) => void
}

/** It cannot be started confined, and must not be started otherwise. */
export class NotConfinable extends Error {
  override readonly name = 'NotConfinable'
}
