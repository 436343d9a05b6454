import type { CallResult } from '../contract/call-result.ts'
import type { Call } from '../runtime/pipeline/call.ts'
import type { Catalog } from '../runtime/pipeline/catalog.ts'
import type { Queries } from '../runtime/pipeline/queries.ts'
import type { Approvals, Replies } from '../runtime/storage/storage.ts'

/** What a surface is given: the pipeline, the tools in it, and where answers wait. */
export interface Served {
  /** Calls a tool through the pipeline. Never rejects. */
  call(tool: string, input: unknown, options: Omit<Call, 'tool' | 'input'>): Promise<CallResult>
  readonly catalog: Pick<Catalog<never>, 'all' | 'find' | 'findLoaded' | 'canChange' | 'onChange'>
  /** The queries that callers name. */
  readonly queries: Queries
  /** Calls that wait for somebody to answer. */
  readonly approvals: Approvals
  /** Real path of the folder that tools work in. */
  readonly workspace: string
  /** Answers that a caller may ask for again. */
  readonly replies: Replies
}
