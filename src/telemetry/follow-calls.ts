import type { TraceContext } from '../contract/call-client.ts'
import type { CallEvent, CallFacts, CallStart, CallTracer, EndEvent, Observe } from '../runtime/pipeline/call-event.ts'
import type { Meter } from './metrics/meter.ts'
import type { Span, StartSpan } from './span.ts'
import { type EndedCall, toAttributes, toErrorType, toOutcome, toSpanName, unknownTool } from './to-attributes.ts'

export interface FollowOptions {
  /** Absent if there are no traces. */
  readonly startSpan?: StartSpan | undefined
  readonly meter: Meter
  readonly onEnd?: ((call: EndedCall, context: TraceContext | undefined) => void) | undefined
  readonly wantsContent: boolean
}

/** A part of a call with a span of its own. It ends with the call, when all is known. */
interface Part {
  readonly span: Span | undefined
  readonly startedAt: number
  endedAt?: number
  hasFailed?: boolean
}

interface Followed {
  readonly start: CallStart
  readonly span: Span | undefined
  readonly parts: { [check: string]: Part }
  facts: CallFacts
  failedCheck?: string
}

/** The checks that become spans: those that take long. */
const ownSpans: readonly string[] = ['approve', 'run']

/** How many unanswered questions are remembered, to link the call that continues after the answer. */
const maxQuestions = 1000

/** Makes spans and metrics of calls from their events. Memory is bounded by the calls in flight. */
export function followCalls({ startSpan, meter, onEnd, wantsContent }: FollowOptions) {
  const calls = new Map<string, Followed>()
  const questions = new Map<string, TraceContext>()

  const tracer: CallTracer = {
    wantsContent,
    begin(callId, start) {
      const { at, trace: parent, origin } = start
      const isServed = origin?.surface === 'mcp' || origin?.surface === 'rest'
      const kind = isServed ? 'server' : 'internal'
      const name = origin?.method ?? 'execute_tool'
      const span = startSpan?.({ name, kind, at, parent, isRemote: origin !== undefined })
      calls.set(callId, { start, span, parts: {}, facts: {} })
    },
    contextOf(callId) {
      const call = calls.get(callId)
      return (call?.parts.run?.span ?? call?.span)?.context
    },
    end(callId, facts) {
      const call = calls.get(callId)
      if (call) call.facts = facts
    },
  }

  function take(event: CallEvent) {
    const call = calls.get(event.callId)
    if (!call) return
    if (event.kind === 'ended') return finish(call, event)
    const { check, outcome, at } = event
    if (outcome === 'begun') {
      if (check !== 'intent' && !ownSpans.includes(check)) return
      const parent = call.span?.context
      const span = check === 'intent' ? undefined : startSpan?.({ name: check, kind: 'internal', at, parent })
      call.parts[check] = { span, startedAt: at }
      return
    }
    const part = call.parts[check]
    if (part) {
      part.endedAt = at
      part.hasFailed = outcome === 'failed'
    }
    if (outcome === 'failed') call.failedCheck = check
  }

  function finish({ start, span, parts, facts, failedCheck }: Followed, end: EndEvent) {
    calls.delete(end.callId)
    const tool = facts.contractDigest === undefined ? unknownTool : end.tool
    const ended = { callId: end.callId, tool, start, facts, end, outcome: toOutcome(end, facts), failedCheck }
    measure(ended, parts)
    if (span) {
      endParts(ended, parts)
      span.end({
        at: end.at,
        name: toSpanName(ended),
        attributes: toAttributes(ended),
        error: end.code ?? undefined,
        link: takeLink(facts),
      })
      if (facts.questionId !== undefined && span.context) remember(facts.questionId, span.context)
    }
    onEnd?.(ended, span?.context ?? start.trace)
  }

  function endParts({ facts, end, failedCheck }: EndedCall, parts: Followed['parts']) {
    for (const [check, { span, endedAt = end.at, hasFailed }] of Object.entries(parts)) {
      const { answer, via, waitedMs } = facts.approval ?? {}
      const asked = { 'toolpact.approval.answer': answer, 'toolpact.approval.via': via, 'toolpact.approval.wait_ms': waitedMs } // biome-ignore format: one line
      const attributes = { 'toolpact.call.id': end.callId, ...(check === 'approve' && asked) }
      const error = hasFailed || failedCheck === check ? (end.code ?? undefined) : undefined
      span?.end({ at: endedAt, attributes, error })
    }
  }

  function measure(ended: EndedCall, { intent, approve }: Followed['parts']) {
    const { tool, start, facts, end, outcome } = ended
    const seconds = end.durationMs / 1000
    meter.add('toolpact.calls', { tool, outcome })
    meter.record('toolpact.call.duration', seconds, { tool })
    if (outcome === 'refused') meter.add('toolpact.refusals', { code: end.code! })
    if (facts.violation !== undefined) meter.add('toolpact.violations', { upstream: toToolset(tool) })
    if (intent?.endedAt !== undefined && !intent.hasFailed)
      meter.record('toolpact.ledger.commit', (intent.endedAt - intent.startedAt) / 1000, {})
    const { answer, waitedMs } = facts.approval ?? {}
    if (approve && (answer === 'yes' || answer === 'no')) {
      const spentMs = waitedMs ?? (approve.endedAt ?? end.at) - approve.startedAt
      meter.record('toolpact.approval.wait', spentMs / 1000, { answer })
    }
    if (start.origin?.surface !== 'mcp') return
    const { method = '' } = start.origin
    const labels = { 'mcp.method.name': method, 'gen_ai.tool.name': tool, 'error.type': toErrorType(ended) }
    meter.record('mcp.server.operation.duration', seconds, labels)
  }

  /** The call that asked, if this one continues after the answer. */
  function takeLink({ approval }: CallFacts): TraceContext | undefined {
    if (approval?.id === undefined) return undefined
    const link = questions.get(approval.id)
    questions.delete(approval.id)
    return link
  }

  function remember(questionId: string, context: TraceContext) {
    questions.set(questionId, context)
    if (questions.size > maxQuestions) questions.delete(questions.keys().next().value!)
  }

  const observe: Observe = Object.assign(take, { tracer })
  return { observe, inFlight: () => calls.size }
}

/** `toolset.tool`: the toolset of an MCP server has the server's name. */
function toToolset(tool: string): string {
  return tool.split('.', 1)[0]!
}
