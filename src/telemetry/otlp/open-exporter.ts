import type { Metrics, Reading } from '../metrics/metrics.ts'
import { createOwnSpans, type EndedSpan } from '../own-spans.ts'
import type { StartSpan } from '../span.ts'
import { ExportQueue } from './export-queue.ts'
import { post, type Sent } from './post.ts'
import type { OtlpOptions } from './read-environment.ts'
import { toMetrics, toTraces } from './to-otlp.ts'

export interface ExporterOptions extends OtlpOptions {
  readonly version: string
  readonly metricsStore: Metrics
  readonly read: () => Promise<readonly Reading[]>
  /** Receives a line for the operator when the collector fails, and when it works again. */
  readonly report: (message: string) => void
}

export interface Exporter {
  readonly startSpan?: StartSpan
  /** Sends what is left, in bounded time. */
  close(): Promise<void>
}

/** How long closing waits for the collector. */
const closeMs = 2000

/** Sends traces and metrics to a collector, in the background. Calls never wait for it. */
export function openExporter(options: ExporterOptions): Exporter {
  const { metricsStore, version, resource, report } = options
  /** Nothing is tried again. */
  const hurry = new AbortController()
  /** Nothing is waited for. */
  const late = new AbortController()
  const queue = options.traces === undefined ? undefined : openQueue(options.traces)
  const metricsTimer =
    options.metrics === undefined ? undefined : setInterval(sendMetrics, options.metricsEveryMs).unref()
  let sending: Promise<void> | undefined
  const failing = new Set<string>()

  function openQueue(url: string): ExportQueue<EndedSpan> {
    const { maxQueue, maxBatch, tracesEveryMs: everyMs } = options
    return new ExportQueue({
      ...{ maxQueue, maxBatch, everyMs },
      send: (spans, signal) => post(toTarget(url), toTraces(spans, { resource, version }), signal),
      onSent: (sent) => note(url, sent),
      onDrop: (count) => drop('traces', count),
    })
  }

  function toTarget(url: string) {
    return { url, headers: options.headers, timeoutMs: options.timeoutMs, signal: late.signal }
  }

  function sendMetrics(): Promise<void> {
    sending ??= sendMetricsOnce().finally(() => {
      sending = undefined
    })
    return sending
  }

  async function sendMetricsOnce() {
    const url = options.metrics!
    const families = metricsStore.collect(await options.read())
    const { startedAt } = metricsStore
    const sent = await post(toTarget(url), toMetrics(families, { resource, version, startedAt }), hurry.signal)
    note(url, sent)
    if (!sent.ok) drop('metrics', 1)
  }

  function drop(signal: string, count: number) {
    if (count > 0) metricsStore.add('toolpact.telemetry.dropped', { signal }, count)
  }

  function note(url: string, sent: Sent) {
    const { host, pathname } = new URL(url)
    if (sent.ok && failing.delete(url)) report(`Telemetry is sent to ${host}${pathname} again.`)
    if (sent.ok || failing.has(url)) return
    failing.add(url)
    report(`Telemetry could not be sent to ${host}${pathname}: ${sent.why}. What does not fit into the queue is dropped; calls are not affected.`) // biome-ignore format: one line
  }

  return {
    ...(queue && { startSpan: createOwnSpans(options.sampler, (span) => queue.add(span)) }),
    async close() {
      clearInterval(metricsTimer)
      hurry.abort()
      const last = options.metrics === undefined ? undefined : sendMetrics().catch(() => {})
      const timer = setTimeout(() => late.abort(), closeMs)
      await Promise.all([queue?.close(), last])
      clearTimeout(timer)
    },
  }
}
