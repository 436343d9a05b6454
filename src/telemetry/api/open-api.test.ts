import { context, metrics, trace } from '@opentelemetry/api'
import { InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  StackContextManager,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { afterAll, expect, test } from 'vitest'
import { makeChangeling } from '../../../test/helpers/open-changeling.ts'
import { openRest } from '../../../test/helpers/open-rest.ts'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { openToolpact } from '../../app/app.ts'

// A program registers its SDK once, before it opens anything.
const spans = new InMemorySpanExporter()
const tracers = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] })
trace.setGlobalTracerProvider(tracers)
context.setGlobalContextManager(new StackContextManager().enable())
const measured = new InMemoryMetricExporter(1)
const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 3_600_000 })
metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))

afterAll(async () => {
  await reader.shutdown()
  trace.disable()
  metrics.disable()
  context.disable()
})

test("spans and metrics of calls go to the program's own SDK, below its active span", async () => {
  spans.reset()
  const { entry } = makeChangeling()
  const toolpact = await openToolpact({
    ...{ storage: 'memory', stateDirectory: makeFolder(), telemetry: { via: 'api' } },
    config: { mcpServers: { odd: { command: entry.command, args: entry.args, approval: 'never' } } },
  })
  const own = trace.getTracer('program').startSpan('work')
  const result = context.with(trace.setSpan(context.active(), own), () => toolpact.call('odd.echo', { text: 'hi' }))
  const { callId } = await result
  own.end()
  const found = spans.getFinishedSpans()
  const call = found.find(({ name }) => name === 'execute_tool odd.echo')!
  const run = found.find(({ name }) => name === 'run')!
  const sent = found.find(({ name }) => name === 'tools/call echo')!
  expect(call.attributes).toMatchObject({ 'toolpact.call.id': callId, 'toolpact.outcome': 'success' })
  expect([call, run, sent].map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual([
    own.spanContext().spanId,
    call.spanContext().spanId,
    run.spanContext().spanId,
  ])
  await reader.forceFlush()
  const points = measured.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
  const valuesOf = (name: string) => points.find(({ descriptor }) => descriptor.name === name)?.dataPoints
  expect(valuesOf('toolpact.calls')).toMatchObject([{ attributes: { tool: 'odd.echo', outcome: 'success' }, value: 1 }])
  expect(valuesOf('mcp.client.operation.duration')).toMatchObject([{ attributes: { upstream: 'odd' } }])
  expect(valuesOf('toolpact.ledger.writable')).toMatchObject([{ value: 1 }])
  await toolpact.close()
})

test('a call after an approval is linked, and a failure has its status', async () => {
  spans.reset()
  const rest = await openRest({ telemetry: { via: 'api' }, toolsets: ['workspace'], asks: true })
  const input = { path: 'a.txt', content: 'a' }
  const id = String((await rest.post('create_file', input)).body.approval_id)
  await rest.toolpact.approvals.answer(id, { answer: 'yes', by: 'Ada' }, Date.now())
  await rest.post('create_file', input, { 'toolpact-approval-id': id })
  await rest.close(1000)
  const [asked, approved] = spans.getFinishedSpans().filter(({ name }) => name.startsWith('execute_tool'))
  expect(asked!.status).toMatchObject({ code: 2, message: 'approval_required' })
  expect(approved!.links).toMatchObject([{ context: { spanId: asked!.spanContext().spanId } }])
})
