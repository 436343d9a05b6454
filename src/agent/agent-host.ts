import type { CallResult } from '../contract/call-result.ts'
import type { Contract } from '../contract/contract.ts'
import type { Caller } from '../contract/tool.ts'
import type { Call } from '../runtime/pipeline/call.ts'
import type { Query } from '../runtime/pipeline/queries.ts'
import type { StepRecord } from '../runtime/storage/storage.ts'

/** What the agent needs from an opened Toolpact. It reaches tools only through the pipeline. */
export interface AgentHost {
  readonly catalog: {
    all(caller?: Caller): Promise<readonly AgentTool[]>
    find(name: string, caller?: Caller): Promise<{ readonly kind: string; readonly id?: string }>
  }
  call(tool: string, input: unknown, options: Omit<Call, 'tool' | 'input'>): Promise<CallResult>
  query(): Query
  readonly evidence: { get(callId: string): Promise<string | undefined> }
  recordStep(step: Omit<StepRecord, 'kind' | 'at'>): Promise<void>
}

export interface AgentTool {
  readonly id: string
  /** The name that model providers accept: the bare name if only one toolset is served. */
  readonly functionName: string
  readonly toolset: string
  readonly tool: { readonly contract: Contract }
}
