import { randomBytes } from 'node:crypto'
import type { Sampler } from './sampler.ts'
import { type SpanEnd, type SpanStart, type StartSpan, toIds } from './span.ts'

/** A span that has ended, as it is exported. */
export interface EndedSpan extends Omit<SpanEnd, 'at' | 'name'> {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly tracestate?: string
  readonly name: string
  readonly kind: SpanStart['kind']
  readonly startedAt: number
  readonly endedAt: number
}

/** Makes spans of our own. Those that are not sampled pass their context on, and are not exported. */
export function createOwnSpans(isSampled: Sampler, onEnd: (span: EndedSpan) => void): StartSpan {
  return ({ name, kind, at, parent, isRemote = false }) => {
    const above = parent && toIds(parent)
    const traceId = above?.traceId ?? randomBytes(16).toString('hex')
    const spanId = randomBytes(8).toString('hex')
    // Decided once per trace and process: spans below ours follow it.
    const sampled = above && !isRemote ? above.isSampled : isSampled(traceId, above?.isSampled)
    const { tracestate } = parent ?? {}
    const state = tracestate === undefined ? {} : { tracestate }
    return {
      context: { traceparent: `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`, ...state },
      end({ at: endedAt, name: finalName = name, ...end }) {
        if (!sampled) return
        const below = above && { parentSpanId: above.spanId }
        onEnd({ ...{ traceId, spanId, name: finalName, kind, startedAt: at, endedAt }, ...below, ...state, ...end })
      },
    }
  }
}
