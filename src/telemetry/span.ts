import type { TraceContext } from '../contract/call-client.ts'

export type Attributes = { readonly [name: string]: string | number | boolean | undefined }

export interface SpanStart {
  readonly name: string
  readonly kind: 'internal' | 'server' | 'client'
  /** Milliseconds since 1970. */
  readonly at: number
  readonly parent?: TraceContext | undefined
  /** The parent is a span of another program. */
  readonly isRemote?: boolean
}

export interface SpanEnd {
  readonly at: number
  /** Replaces the name that it began with. */
  readonly name?: string
  readonly attributes?: Attributes
  /** Set if it failed: why, in few words. */
  readonly error?: string | undefined
  /** A span of another call that this one continues. */
  readonly link?: TraceContext | undefined
}

/** A span, which ends once. */
export interface Span {
  /** Absent if nothing records it, and nothing surrounds it. */
  readonly context: TraceContext | undefined
  end(end: SpanEnd): void
}

/** Starts spans: our own, or those of a program's OpenTelemetry SDK. */
export type StartSpan = (start: SpanStart) => Span

export interface Ids {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
}

/** The parts of a valid `traceparent`. */
export function toIds({ traceparent }: TraceContext): Ids {
  const [, traceId, spanId, flags] = traceparent.split('-') as [string, string, string, string]
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
