import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { openCollector } from '../../../test/helpers/open-collector.ts'
import { until } from '../../../test/helpers/open-serve.ts'
import { openToolpact } from '../../app/app.ts'
import { Metrics } from '../metrics/metrics.ts'
import { openExporter } from './open-exporter.ts'
import { readEnvironment } from './read-environment.ts'

const quick = { OTEL_BSP_SCHEDULE_DELAY: '10', OTEL_METRIC_EXPORT_INTERVAL: '3600000' }

function open(url: string, environment: NodeJS.Dict<string> = {}) {
  const metrics = new Metrics()
  const reports: string[] = []
  const exporter = openExporter({
    ...readEnvironment({ ...quick, OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_METRICS_EXPORTER: 'none', ...environment }),
    ...{ version: '1.2.3', metricsStore: metrics, read: async () => [], report: (line: string) => reports.push(line) },
  })
  onTestFinished(() => exporter.close())
  return {
    ...exporter,
    reports,
    span(name = 'call') {
      exporter.startSpan!({ name, kind: 'server', at: Date.now() }).end({ at: Date.now() })
    },
    dropped: () => metrics.collect([]).find(({ name }) => name === 'toolpact.telemetry.dropped')?.points[0]?.value ?? 0,
  }
}

test('spans are sent in batches, with the headers of the environment', async () => {
  const collector = await openCollector()
  const { span, dropped } = open(collector.url, {
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc,x-team=one',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '10',
  })
  for (let index = 0; index < 25; index++) span(`call ${index}`)
  await until(() => collector.spans().length === 25)
  expect(collector.received.map(({ body }) => body.resourceSpans[0].scopeSpans[0].spans.length)).toEqual([10, 10, 5])
  expect(collector.received[0]!.headers).toMatchObject({ authorization: 'Bearer abc', 'x-team': 'one' })
  expect(dropped()).toBe(0)
})

test('a collector that is busy gets the same spans again, after the time that it names', async () => {
  const collector = await openCollector()
  let refusals = 0
  collector.answerBy((response) => {
    if (refusals++ < 2) response.writeHead(refusals === 1 ? 429 : 503, { 'retry-after': '1' }).end()
    else response.end('{}')
  })
  const { span, dropped, reports } = open(collector.url)
  span()
  await until(() => collector.received.length === 3)
  expect(new Set(collector.spans().map(({ spanId }) => spanId)).size).toBe(1)
  expect([dropped(), reports]).toEqual([0, []])
})

test('a collector that refuses loses the batch: it is counted, and reported once', async () => {
  const collector = await openCollector()
  collector.answerBy((response) => void response.writeHead(500).end('x'.repeat(1_000_000)))
  const { span, dropped, reports } = open(collector.url)
  span()
  await until(() => dropped() === 1)
  span()
  await until(() => dropped() === 2)
  expect(reports).toEqual([expect.stringContaining('it answered with the status 500')])
  expect(reports[0]).toContain('/v1/traces')
  collector.answerBy((response) => void response.end('{}'))
  span()
  await until(() => reports.length === 2)
  expect(reports[1]).toContain('again')
})

test('spans that a collector rejects are counted', async () => {
  const collector = await openCollector()
  collector.answerBy((response) => void response.end('{"partialSuccess":{"rejectedSpans":"1","errorMessage":"no"}}'))
  const { span, dropped } = open(collector.url)
  span()
  await until(() => dropped() === 1)
})

test('a redirect is not followed: another address would get the headers', async () => {
  const other = await openCollector()
  const collector = await openCollector()
  collector.answerBy((response) => void response.writeHead(307, { location: other.url }).end())
  const { span, close } = open(collector.url, { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=abc' })
  span()
  await until(() => collector.received.length > 0)
  await close()
  expect(other.received).toEqual([])
})

test.each([
  ['does not answer', () => {}],
  ['refuses for now', (response: { writeHead(status: number): { end(): void } }) => void response.writeHead(503).end()],
])('a huge backlog for a collector that %s is bounded: the rest is dropped and counted', async (_how, answer) => {
  const collector = await openCollector()
  collector.answerBy(answer)
  const { span, dropped, close } = open(collector.url, {
    OTEL_BSP_MAX_QUEUE_SIZE: '100',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '50',
  })
  for (let index = 0; index < 10_000; index++) span()
  // One batch is on its way, and the queue is full.
  expect(dropped()).toBe(10_000 - 150)
  await close()
  expect(dropped()).toBeGreaterThanOrEqual(10_000 - 50)
})

test('calls do not wait for a collector that never answers, and closing waits in bounded time', async () => {
  const collector = await openCollector()
  collector.answerBy(() => {})
  const toolpact = await openToolpact({
    storage: 'memory',
    config: { telemetry: { otlp: { endpoint: collector.url } } },
  })
  for (let index = 0; index < 600; index++)
    expect(await toolpact.call('learning.hello', { name: 'Ada' })).toMatchObject({ success: true })
  await until(() => collector.received.length > 0)
  await toolpact.close()
})

test('without a collector calls work, and the operator is told', async () => {
  const collector = await openCollector()
  await collector.close()
  const reports: string[] = []
  const toolpact = await openToolpact({
    storage: 'memory',
    config: { telemetry: { otlp: { endpoint: collector.url } } },
    telemetry: { report: (line) => reports.push(line) },
  })
  expect(await toolpact.call('learning.hello', { name: 'Ada' })).toMatchObject({ success: true })
  await toolpact.close()
  expect(reports.join('\n')).toContain('ECONNREFUSED')
})

test('a connection that breaks in the middle of an answer is a failure like any other', async () => {
  const collector = await openCollector()
  collector.answerBy((response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{')
    setImmediate(() => response.destroy())
    once(response, 'close')
  })
  const { span, dropped, close } = open(collector.url)
  span()
  await until(() => collector.received.length > 0)
  await close()
  expect(dropped()).toBe(1)
})
