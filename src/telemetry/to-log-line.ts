import type { TraceContext } from '../contract/call-client.ts'
import { printableJson } from '../contract/text/printable.ts'
import { shorten } from '../contract/text/shorten.ts'
import { toIds } from './span.ts'
import { type EndedCall, toShortDigest } from './to-attributes.ts'

/** A call as one line of JSON, for log collectors. It contains no input and no output. */
export function toLogLine(call: EndedCall, context: TraceContext | undefined, tenant?: string): string {
  const { callId, tool, start, facts, end, outcome, failedCheck } = call
  const ids = context && toIds(context)
  return printableJson({
    time: new Date(end.at).toISOString(),
    level: outcome === 'violation' || end.code === 'ledger_unavailable' ? 'error' : 'info',
    message: 'call',
    tenant,
    call_id: callId,
    trace_id: ids?.traceId,
    span_id: ids?.spanId,
    tool,
    ...(tool !== end.tool && { called: shorten(end.tool, 128) }),
    caller: start.caller.name,
    session: start.caller.session,
    via: start.caller.via,
    issuer: start.caller.issuer,
    surface: start.origin?.surface ?? 'library',
    outcome,
    code: end.code ?? undefined,
    check_failed: failedCheck,
    decision: facts.decision?.action,
    rule: facts.decision?.rule,
    approval: facts.approval?.answer,
    contract: facts.contractDigest && toShortDigest(facts.contractDigest),
    violation: facts.violation,
    duration_ms: end.durationMs,
  })
}
