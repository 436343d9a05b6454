import type { Contract } from '../../contract/contract.ts'
import type { JsonObject, JsonSchema } from '../../contract/json.ts'

/** The content of `toolpact.lock`: what a person has accepted of every server. */
export interface Lock {
  readonly lockVersion: 1
  readonly servers: { readonly [name: string]: LockedServer }
}

export interface LockedServer {
  readonly identity: ServerIdentity
  readonly tools: { readonly [name: string]: LockedTool }
}

/** What a server is, as far as that can be known from here. Nothing secret is in it. */
export interface ServerIdentity {
  readonly kind: 'stdio' | 'http' | 'sse'
  readonly command?: string
  /** Such as `npm:@scope/name`, where the command runs one. */
  readonly package?: string
  /** Where the command names an exact one. */
  readonly version?: string
  /** Of that version of the package, where it is known on this machine. */
  readonly integrity?: string
  /** Without user, query and parts that look like secrets. */
  readonly url?: string
  /** What the server says about itself. */
  readonly serverInfo?: { readonly name?: string; readonly title?: string; readonly version?: string }
}

export interface LockedTool {
  readonly acceptedBy: string
  /** ISO time. */
  readonly acceptedAt: string
  /** As it was decided. */
  readonly policy: LockedPolicy
  readonly digests: LockDigests
  /** What a person should have read before accepting it. */
  readonly flags?: readonly string[]
  /** As it came over the wire, its keys in canonical order. */
  readonly definition: JsonObject
  /** What a person attached. */
  readonly overlay?: Overlay
  /** JSON pointers to defaults that differ from start to start, and were accepted as such. */
  readonly varying?: readonly string[]
}

export type LockedPolicy = Pick<Contract, 'risk' | 'approval'>

interface Overlay {
  readonly output: JsonSchema
}

/** SHA-256 over canonical JSON (RFC 8785), part by part; a part that is absent counts as null. */
export interface LockDigests {
  /** Of the whole definition: keys that nobody here knows are in it too. */
  readonly definition: string
  readonly description: string
  readonly input: string
  readonly output: string
  readonly annotations: string
  readonly policy: string
  readonly overlay?: string
  readonly varying?: string
}

/** Who accepts, and when. */
export interface Acceptance {
  readonly by: string
  /** ISO time. */
  readonly at: string
}

/** Whether a tool must be in the lock to be admitted. */
export type LockDemand = 'optional' | 'required'
