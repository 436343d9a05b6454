import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../contract/json.ts'
import type { Caller } from '../contract/tool.ts'
import type { StepRecord } from '../runtime/storage/storage.ts'
import type { AgentHost } from './agent-host.ts'

/** A run of the agent as recorded in the ledger, stage by stage. */
export interface RunTrace {
  readonly runId: string
  /** The caller of tools in this run. */
  readonly caller: Caller
  /** Rejects if the ledger cannot record it: a run without a trace must not continue. */
  step(stage: Exclude<StepRecord['stage'], 'end'>, passed: boolean, details?: JsonObject): Promise<void>
  end(passed: boolean, details: JsonObject): Promise<void>
}

export function openRunTrace(
  host: Pick<AgentHost, 'recordStep'>,
  tool: StepRecord['tool'],
  runId: string = randomUUID(),
): RunTrace {
  const startedAt = performance.now()
  const caller = { name: 'agent', session: runId }
  return {
    runId,
    caller,
    step: (stage, passed, details = {}) =>
      host.recordStep({
        callId: runId,
        tool,
        stage,
        passed,
        details: stage === 'gate' ? { caller, ...details } : details,
      }),
    end: (passed, details) => {
      const durationMs = Math.round((performance.now() - startedAt) * 1000) / 1000
      return host.recordStep({ callId: runId, tool, stage: 'end', passed, details: { ...details, durationMs } })
    },
  }
}
