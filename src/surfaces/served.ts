import type { CallResult } from '../contract/call-result.ts'
import type { ApproverSettings } from '../runtime/approval/answer-question.ts'
import type { Call } from '../runtime/pipeline/call.ts'
import type { Catalog } from '../runtime/pipeline/catalog.ts'
import type { Queries } from '../runtime/pipeline/queries.ts'
import type { ReceivedCheckpoints } from '../runtime/storage/proof/proof-store.ts'
import type { Approvals, Replies, Storage } from '../runtime/storage/storage.ts'
import type { Tasks } from '../runtime/storage/tasks.ts'
import type { WorkflowRuns } from '../workflow/run/workflow-runs.ts'

/** What a surface needs: the pipeline, its tools, and the stores for approvals and replies. */
export interface Served {
  /** Calls a tool through the pipeline. Never rejects. */
  call(tool: string, input: unknown, options: Omit<Call, 'tool' | 'input'>): Promise<CallResult>
  readonly catalog: Pick<
    Catalog<never>,
    'all' | 'offers' | 'apps' | 'find' | 'findLoaded' | 'canChange' | 'onChange' | 'listTtlMs'
  >
  /** Queries that callers name. */
  readonly queries: Queries
  /** Pending approvals. */
  readonly approvals: Approvals
  /** Real path of the workspace. */
  readonly workspace: string
  /** Small values that every process with the same storage shares. */
  readonly notes?: Storage['notes']
  /** Where checkpoints of other ledgers are kept; undefined if the storage cannot. */
  readonly proof?: { readonly received: ReceivedCheckpoints } | undefined
  /** Stored answers of calls with an idempotency key. */
  readonly replies: Replies
  /** Runs of workflows. Absent if the storage has none. */
  readonly runs?: WorkflowRuns
  /** Who may answer questions about calls, and decide about runs. Default: as if nobody is named. */
  readonly config?: ApproverSettings
  /** Calls that continue after their request was answered. Absent: MCP clients are offered no tasks. */
  readonly tasks?: Tasks
}
