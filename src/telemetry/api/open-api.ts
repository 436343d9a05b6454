import type * as Api from '@opentelemetry/api'
import type { TraceContext } from '../../contract/call-client.ts'
import { ToolpactError } from '../../contract/toolpact-error.ts'
import { type Instrument, instruments } from '../metrics/instruments.ts'
import type { Meter } from '../metrics/meter.ts'
import type { Reading } from '../metrics/metrics.ts'
import { type StartSpan, toIds } from '../span.ts'

interface ApiOptions {
  readonly version: string
  readonly read: () => Promise<readonly Reading[]>
}

/** Spans and metrics through `@opentelemetry/api`: the SDK that the program has registered receives them. */
export async function openApi({ version, read }: ApiOptions) {
  const api = await load()
  const { meter, close } = toMeter(api, { version, read })
  return { startSpan: toStartSpan(api, version), meter, close }
}

async function load(): Promise<typeof Api> {
  try {
    return await import('@opentelemetry/api')
  } catch (cause) {
    throw new ToolpactError(
      'invalid_option',
      'The option telemetry needs a package that is not installed. Run: npm install @opentelemetry/api',
      { cause },
    )
  }
}

function toStartSpan(
  { trace, context, isSpanContextValid, ROOT_CONTEXT, SpanKind, SpanStatusCode }: typeof Api,
  version: string,
): StartSpan {
  const tracer = trace.getTracer('toolpact', version)
  const kinds = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT }
  return ({ name, kind, at, parent, isRemote = false }) => {
    // Without a context of its own, a call belongs to what the program is doing.
    const around = parent
      ? trace.setSpanContext(ROOT_CONTEXT, { ...toSpanContext(parent), isRemote })
      : context.active()
    const span = tracer.startSpan(name, { kind: kinds[kind], startTime: at }, around)
    return {
      // Without an SDK there is no span, and the context around it is passed on.
      context: isSpanContextValid(span.spanContext()) ? toTraceContext(span.spanContext()) : parent,
      end({ at, name, attributes = {}, error, link }) {
        if (name !== undefined) span.updateName(name)
        for (const [key, value] of Object.entries(attributes)) if (value !== undefined) span.setAttribute(key, value)
        if (link) span.addLink({ context: toSpanContext(link), attributes: { 'toolpact.link': 'asked' } })
        if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error })
        span.end(at)
      },
    }
  }
}

function toSpanContext(context: TraceContext): Api.SpanContext {
  const { traceId, spanId, isSampled } = toIds(context)
  return { traceId, spanId, traceFlags: isSampled ? 1 : 0 }
}

function toTraceContext({ traceId, spanId, traceFlags, traceState }: Api.SpanContext): TraceContext {
  const state = traceState?.serialize()
  const traceparent = `00-${traceId}-${spanId}-${(traceFlags & 1) === 1 ? '01' : '00'}`
  return { traceparent, ...(state && { tracestate: state }) }
}

function toMeter({ metrics }: typeof Api, { version, read }: ApiOptions) {
  const made = metrics.getMeter('toolpact', version)
  const optionsOf = ({ unit, about: description, bounds }: Instrument) => ({
    unit,
    description,
    ...(bounds && { advice: { explicitBucketBoundaries: [...bounds] } }),
  })
  const entries = Object.entries<Instrument>(instruments)
  const ofKind = <Made>(kind: Instrument['kind'], make: (name: string, options: object) => Made) =>
    new Map<string, Made>(
      entries.filter(([, one]) => one.kind === kind).map(([name, one]) => [name, make(name, optionsOf(one))]),
    )
  const counters = ofKind('counter', (name, options) => made.createCounter(name, options))
  const histograms = ofKind('histogram', (name, options) => made.createHistogram(name, options))
  const gauges = ofKind('gauge', (name, options) => made.createObservableGauge(name, options))
  const observed = [...gauges.values()]
  const onRead: Api.BatchObservableCallback = async (result) => {
    for (const { name, labels = {}, value } of await read()) {
      const gauge = gauges.get(name)
      if (gauge) result.observe(gauge, value, labels)
    }
  }
  made.addBatchObservableCallback(onRead, observed)
  const meter: Meter = {
    add: (name, labels, count = 1) => counters.get(name)?.add(count, labels),
    record: (name, value, labels) => histograms.get(name)?.record(value, labels),
  }
  // The program flushes its SDK itself.
  return { meter, close: async () => made.removeBatchObservableCallback(onRead, observed) }
}
