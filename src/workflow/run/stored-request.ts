import type { TraceContext } from '../../contract/call-client.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { PlanGrant } from '../../contract/run-part.ts'
import type { Caller } from '../../contract/tool.ts'
import { toWorkflow } from '../document/read-workflow.ts'
import type { Workflow } from '../document/workflow.ts'

/** What is stored of the call that started a run. The run keeps the document that it began with. */
export interface StoredRequest {
  readonly input: JsonObject
  readonly caller: Caller
  readonly workflow: Workflow
  /** The calls that a person approved with the plan, by step. */
  readonly grants?: { readonly [step: string]: PlanGrant }
  /** The trace that the call belonged to. */
  readonly trace?: TraceContext
}

export function toStoredRequest(document: JsonObject, request: Omit<StoredRequest, 'workflow'>): JsonObject {
  const { input, caller, trace, grants } = request
  return {
    input,
    caller: { ...caller },
    document,
    ...(trace && { trace: { ...trace } }),
    ...(grants && { grants }),
  } as unknown as JsonObject
}

export async function fromStoredRequest({ document, ...request }: JsonObject): Promise<StoredRequest> {
  const read = await toWorkflow(document!)
  if (!read.ok) throw new Error(`The stored workflow cannot be read: ${read.problems[0]?.message}`)
  return { ...(request as unknown as Omit<StoredRequest, 'workflow'>), workflow: read.workflow }
}
