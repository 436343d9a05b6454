import type { JsonObject } from '../contract/json.ts'
import type { Tool } from '../contract/tool.ts'

export type UpstreamState = 'idle' | 'starting' | 'ready' | 'failed' | 'stopped'

/** One server and the tools that were admitted from it. */
export interface Upstream {
  readonly name: string
  /** Starts it unless it runs, and waits until it is ready or has failed. Never rejects. */
  ready(signal?: AbortSignal): Promise<UpstreamStatus>
  status(): UpstreamStatus
  /** Ends the server. Never rejects. */
  close(): Promise<void>
}

export interface UpstreamStatus {
  readonly name: string
  readonly state: UpstreamState
  /** Why it failed, and what to do. */
  readonly fault?: string
  readonly revision?: string
  readonly serverInfo?: JsonObject
  readonly startedInMs?: number
  readonly restarts: number
  /** As they came over the wire. */
  readonly definitions: readonly JsonObject[]
  readonly admitted: readonly AdmittedTool[]
  readonly withheld: readonly WithheldTool[]
  /** What it says beside the protocol, the newest last; bounded. */
  readonly noise: readonly string[]
}

/** An ordinary tool: its run calls the server. */
export interface AdmittedTool {
  readonly tool: Tool
  readonly completed: readonly string[]
  readonly flags: readonly string[]
  readonly locked: boolean
}

export interface WithheldTool {
  readonly name: string
  readonly reasons: readonly { readonly code: string; readonly message: string; readonly fix: string }[]
}
