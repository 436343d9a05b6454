import type { Violation } from './pipeline-options.ts'
import { notify, type Trace } from './trace.ts'

export type Report = (trace: Trace, found: Omit<Violation, 'callId' | 'tool'>) => void

/** Reports violations to the operator. A broken contract is also recorded with the call. */
export function createReport(onViolation: ((violation: Violation) => void) | undefined): Report {
  return (trace, found) => {
    if (found.kind !== 'check_failed') {
      trace.violation = found.kind
      trace.evidence = found.raw
    }
    notify(onViolation, { callId: trace.callId, tool: trace.toolId, ...found })
  }
}
