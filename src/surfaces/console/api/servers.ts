import type { JsonObject } from '../../../contract/json.ts'
import type { DiffLine } from './questions.ts'

export type ServerState = 'idle' | 'installing' | 'starting' | 'ready' | 'failed' | 'stopped'

export interface ServerRow {
  readonly name: string
  readonly state: ServerState
  readonly fault?: string
  /** What it offers and what is withheld, in words. */
  readonly offered: string
  /** Tools. */
  readonly admitted: number
  /** Tools. */
  readonly withheld: number
  readonly prompts: number
  /** Without those of templates. */
  readonly resources: number
  readonly flagged: number
  readonly reviews: number
  readonly restarts: number
  readonly startedInMs: number | null
  readonly pingMs: number | null
  /** How it is reached: the command line without secrets, or the URL. */
  readonly address: string
  /** Whether it is confined, and to what, in words. */
  readonly isolation: string
}

export interface ServerList {
  readonly servers: readonly ServerRow[]
  /** Tools without an output schema are withheld until somebody adopts them. */
  readonly configPath: string | null
}

export interface ServerDetail extends ServerRow {
  readonly serverInfo: { readonly name?: string; readonly version?: string }
  readonly revision: string | null
  readonly instructions?: string
  readonly admittedTools: readonly {
    readonly id: string
    readonly name: string
    readonly risk: string
    readonly outputForm: string
    readonly flags: readonly string[]
  }[]
  readonly withheldTools: readonly {
    readonly name: string
    readonly reasons: readonly { readonly code: string; readonly message: string; readonly fix: string }[]
    /** The button that fixes it. */
    readonly action?: 'adopt' | 'review' | 'restart'
  }[]
  /** Its last lines outside the protocol. */
  readonly noise: readonly string[]
  /** What it was granted: environment, folders, approval setting. */
  readonly grants: readonly { readonly name: string; readonly value: string }[]
  /** Files and connections that were refused since the start, newest first, and the command that allows each. */
  readonly refused: readonly { readonly text: string; readonly command: string }[]
  /** The commands that change what a confined server may touch. */
  readonly changeGrants?: string
}

export interface AdoptRequest {
  readonly withoutOutputSchema?: 'opaque' | 'withhold'
  readonly approval?: 'reads' | 'ask' | 'never'
}

export interface AddServersRequest {
  /** A command line, a URL, or a pasted `mcpServers` document. */
  readonly text: string
  readonly name?: string
  /** Add it although it names variables that make its program run other code, which the first response listed. */
  readonly confirmed?: boolean
  /** What servers may touch, by name. One that is missing runs unconfined. */
  readonly grants?: { readonly [name: string]: ChosenGrants }
}

export interface ChosenGrants {
  readonly read: readonly string[]
  readonly write: readonly string[]
  /** Hosts. */
  readonly network: readonly string[]
}

export interface ProposeServersResponse {
  /** What the person must know before anything is started; nothing was started yet. */
  readonly confirm?: readonly string[]
  readonly servers: readonly ProposedServer[]
}

/** A server that would be added, and what it wanted when it was started once without network. */
export interface ProposedServer {
  readonly name: string
  readonly address: string
  /** Absent if it cannot be confined, or did not start so. */
  readonly offers?: readonly GrantOffer[]
  /** Why there are no offers. */
  readonly note?: string
}

export interface GrantOffer {
  readonly access: 'read' | 'write' | 'connect'
  readonly value: string
  readonly why: string
  /** Only the server itself says that it needs it. */
  readonly isClaim: boolean
}

export interface AddServersResponse {
  readonly added: readonly string[]
  /** What the person must know before it is added; nothing was added yet. */
  readonly confirm?: readonly string[]
  readonly message: string
}

export interface LockResponse {
  readonly path: string
  readonly exists: boolean
  readonly servers: readonly {
    readonly name: string
    readonly state: 'compared' | 'unreachable' | 'unused' | 'left'
    readonly fault?: string
    readonly identity: readonly string[]
    readonly digest?: string
    readonly tools: readonly LockedTool[]
  }[]
}

export interface LockedTool {
  readonly name: string
  readonly state: 'same' | 'kept' | 'differs' | 'new' | 'gone' | 'refused'
  readonly drift?: string
  readonly digest?: string
  readonly changes: readonly { readonly severity: string; readonly message: string }[]
  /** Accepted and current definition, for the comparison side by side. */
  readonly before?: JsonObject
  readonly after?: JsonObject
  readonly words: readonly DiffLine[]
  readonly schema: readonly DiffLine[]
  readonly flags: readonly string[]
  /** Callers of the tool within the ledger, most frequent first. */
  readonly calledBy: readonly { readonly caller: string; readonly calls: number }[]
  /** Who decided to leave it as accepted. */
  readonly refusedBy?: string
}

export interface LockDecision {
  readonly server: string
  /** Absent: the server with everything that is pending. */
  readonly tool?: string
  readonly digest: string
  readonly decision: 'accept' | 'refuse'
}
