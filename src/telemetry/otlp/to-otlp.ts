import { printable } from '../../contract/text/printable.ts'
import { shorten } from '../../contract/text/shorten.ts'
import { type Instrument, instruments } from '../metrics/instruments.ts'
import type { Family, Point } from '../metrics/metrics.ts'
import type { EndedSpan } from '../own-spans.ts'
import { type Attributes, toIds } from '../span.ts'

export interface Source {
  readonly resource: Attributes
  readonly version: string
}

const kinds = { internal: 1, server: 2, client: 3 } as const

/** Longer texts are cut: arguments and results, where they are wanted. */
const maxCharacters = 8192

/** The body of an OTLP request for traces, as JSON. */
export function toTraces(spans: readonly EndedSpan[], { resource, version }: Source): string {
  const scopeSpans = [{ scope: { name: 'toolpact', version }, spans: spans.map(toSpan) }]
  return JSON.stringify({ resourceSpans: [{ resource: toResource(resource, version), scopeSpans }] })
}

/** The body of an OTLP request for metrics, as JSON. Values are counted since `startedAt`. */
export function toMetrics(
  families: readonly Family[],
  { resource, version, startedAt }: Source & { readonly startedAt: number },
): string {
  const at = { startTimeUnixNano: toNanos(startedAt), timeUnixNano: toNanos(Date.now()) }
  const scopeMetrics = [
    { scope: { name: 'toolpact', version }, metrics: families.map((family) => toMetric(family, at)) },
  ]
  return JSON.stringify({ resourceMetrics: [{ resource: toResource(resource, version), scopeMetrics }] })
}

function toSpan(span: EndedSpan) {
  const {
    traceId,
    spanId,
    parentSpanId,
    tracestate,
    name,
    kind,
    startedAt,
    endedAt,
    attributes = {},
    error,
    link,
  } = span
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    ...(tracestate !== undefined && { traceState: tracestate }),
    name: toText(name),
    kind: kinds[kind],
    startTimeUnixNano: toNanos(startedAt),
    endTimeUnixNano: toNanos(Math.max(startedAt, endedAt)),
    attributes: toPairs(attributes),
    ...(link && { links: [toLink(toIds(link))] }),
    status: error === undefined ? {} : { code: 2, message: toText(error) },
  }
}

function toLink({ traceId, spanId }: ReturnType<typeof toIds>) {
  return { traceId, spanId, attributes: toPairs({ 'toolpact.link': 'asked' }) }
}

function toMetric({ name, points }: Family, at: object) {
  const { kind, unit, about: description, bounds, labels }: Instrument = instruments[name]
  const toAttributes = (point: Point) =>
    toPairs(Object.fromEntries(labels.map((label, index) => [label, point.labels[index] || undefined])))
  const metric = { name, unit, description }
  // Cumulative: a lost export loses nothing.
  const aggregationTemporality = 2
  if (kind === 'histogram') {
    const dataPoints = points.map((point) => ({
      ...at,
      attributes: toAttributes(point),
      count: String(point.buckets!.reduce((sum, count) => sum + count, 0)),
      sum: point.value,
      bucketCounts: point.buckets!.map(String),
      explicitBounds: bounds,
    }))
    return { ...metric, histogram: { aggregationTemporality, dataPoints } }
  }
  const dataPoints = points.map((point) => ({ ...at, attributes: toAttributes(point), asDouble: point.value }))
  if (kind === 'gauge') return { ...metric, gauge: { dataPoints } }
  return { ...metric, sum: { aggregationTemporality, isMonotonic: true, dataPoints } }
}

function toResource(resource: Attributes, version: string) {
  return { attributes: toPairs({ 'service.version': version, 'telemetry.sdk.name': 'toolpact', 'telemetry.sdk.language': 'nodejs', ...resource }) } // biome-ignore format: one line
}

function toPairs(attributes: Attributes) {
  return Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: toValue(value) }])) // biome-ignore format: one line
}

function toValue(value: string | number | boolean) {
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'string') return { stringValue: toText(value) }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** Names and messages may come from callers and servers. */
function toText(text: string): string {
  return printable(shorten(text, maxCharacters))
}

/** To a microsecond, which is all that the clock has. */
function toNanos(ms: number): string {
  return `${Math.round(ms * 1000)}000`
}
