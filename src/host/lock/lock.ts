import type { Contract } from '../../contract/contract.ts'
import type { JsonObject, JsonSchema } from '../../contract/json.ts'
import type { Grants } from './grants.ts'

/** The content of `toolpact.lock`: the tools that a person has accepted, by server. */
export interface Lock {
  readonly lockVersion: 1
  readonly servers: { readonly [name: string]: LockedServer }
}

export interface LockedServer {
  readonly identity: ServerIdentity
  readonly tools: { readonly [name: string]: LockedTool }
}

/** The identity of a server, as far as it is known on the client side. Contains no secrets. */
export interface ServerIdentity {
  readonly kind: 'stdio' | 'http' | 'sse'
  readonly command?: string
  /** The package that the command runs, such as `npm:@scope/name`. */
  readonly package?: string
  /** If the command names an exact one. */
  readonly version?: string
  /** Of that version of the package, if known on this machine. */
  readonly integrity?: string
  /** Without user info, query, and segments that look like secrets. */
  readonly url?: string
  /** What it may touch, if it is confined. */
  readonly grants?: Grants
  /** What the server says about itself. */
  readonly serverInfo?: { readonly name?: string; readonly title?: string; readonly version?: string }
}

export interface LockedTool {
  readonly acceptedBy: string
  /** ISO time. */
  readonly acceptedAt: string
  /** As decided when it was accepted. */
  readonly policy: LockedPolicy
  readonly digests: LockDigests
  /** Passages to review before accepting it. */
  readonly flags?: readonly string[]
  /** As received, with keys in canonical order. */
  readonly definition: JsonObject
  /** The attached output schema. */
  readonly overlay?: Overlay
  /** JSON pointers to defaults that were accepted to differ from start to start. */
  readonly varying?: readonly string[]
}

export type LockedPolicy = Pick<Contract, 'risk' | 'approval'>

interface Overlay {
  readonly output: JsonSchema
}

/** SHA-256 over canonical JSON (RFC 8785), per part. An absent part counts as null. */
export interface LockDigests {
  /** Of the whole definition, including unknown keys. */
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
