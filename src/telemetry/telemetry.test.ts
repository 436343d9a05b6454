import { expect, test } from 'vitest'
import { makeChangeling } from '../../test/helpers/open-changeling.ts'
import { openCollector } from '../../test/helpers/open-collector.ts'
import { openRest } from '../../test/helpers/open-rest.ts'
import { defineEcho, makeFolder } from '../../test/helpers/open-test-pipeline.ts'
import { openToolpact } from '../app/app.ts'
import type { Capabilities } from '../capabilities/capabilities.ts'
import { defineToolset } from '../contract/define-toolset.ts'
import type { Toolset } from '../contract/tool.ts'

const [internal, server, client] = [1, 2, 3]
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const traceId = traceparent.slice(3, 35)

test('a call is a span with a span for its run, and its arguments stay here', async () => {
  const collector = await openCollector()
  const toolpact = await openToolpact({
    storage: 'memory',
    config: { telemetry: { otlp: { endpoint: collector.url } } },
  })
  const { callId } = await toolpact.call('learning.hello', { name: 'Ada Lovelace' })
  await toolpact.close()
  const [run, call, ...others] = collector.spans()
  expect(others).toEqual([])
  expect(call).toMatchObject({ name: 'execute_tool learning.hello', kind: internal, status: {} })
  expect(call).not.toHaveProperty('parentSpanId')
  expect(call!.traceId).toMatch(/^[0-9a-f]{32}$/)
  expect(call!.attributes).toEqual({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'learning.hello',
    'toolpact.call.id': callId,
    'toolpact.caller': 'library',
    'toolpact.surface': 'library',
    'toolpact.outcome': 'success',
    'toolpact.decision': 'allow',
    'toolpact.rule': expect.any(String),
    'toolpact.contract.digest': expect.stringMatching(/^sha256:[0-9a-f]{12}$/),
  })
  expect(run).toMatchObject({ name: 'run', kind: internal, traceId: call!.traceId, parentSpanId: call!.spanId })
  expect(run!.start >= call!.start && run!.end <= call!.end && run!.start <= run!.end).toBe(true)
  expect(JSON.stringify(collector.received)).not.toContain('Ada')
  const { resource } = collector.received.find(({ path }) => path === '/v1/traces')!.body.resourceSpans[0]
  expect(resource.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'toolpact' } })
})

test('a REST call continues the trace of its client, and a refusal is an error with the check that failed', async () => {
  const collector = await openCollector()
  const config = { telemetry: { otlp: { endpoint: collector.url } } }
  const { post, close } = await openRest({ config, toolsets: ['learning'] })
  expect(await post('hello', { nme: 1 }, { traceparent, tracestate: 'vendor=1' })).toMatchObject({ status: 400 })
  await post('no_such_tool', {}, { traceparent: 'broken' })
  await close(1000)
  const [call, unknown] = collector.spans()
  expect(call).toMatchObject({
    ...{ traceId, parentSpanId: 'b7ad6b7169203331', traceState: 'vendor=1' },
    ...{ name: 'execute_tool learning.hello', kind: server, status: { code: 2, message: 'invalid_input' } },
    attributes: {
      'error.type': 'invalid_input',
      'network.transport': 'tcp',
      'toolpact.outcome': 'refused',
      'toolpact.check.failed': 'input',
      'toolpact.surface': 'rest',
      'toolpact.caller': 'tester',
    },
  })
  // The name is the caller's, so it is in no span or metric.
  expect(unknown).toMatchObject({ name: 'execute_tool', attributes: { 'gen_ai.tool.name': '_unknown' } })
  expect(unknown!.traceId).not.toBe(traceId)
  expect(JSON.stringify(collector.received)).not.toContain('no_such_tool')
  expect(collector.points('toolpact.calls').map(({ attributes, asDouble }) => [attributes, asDouble])).toEqual([
    [{ tool: 'learning.hello', outcome: 'refused' }, 1],
    [{ tool: '_unknown', outcome: 'refused' }, 1],
  ])
  expect(collector.points('toolpact.refusals').map(({ attributes }) => attributes)).toEqual([
    { code: 'invalid_input' },
    { code: 'tool_not_found' },
  ])
})

test('a call that continues after an approval is linked to the call that asked', async () => {
  const collector = await openCollector()
  const config = { telemetry: { otlp: { endpoint: collector.url } } }
  const rest = await openRest({ config, toolsets: ['workspace'], asks: true })
  const input = { path: 'a.txt', content: 'a' }
  const asked = await rest.post('create_file', input, { traceparent })
  const id = String(asked.body.approval_id)
  await rest.toolpact.approvals.answer(id, { answer: 'yes', by: 'Ada' }, Date.now())
  expect(await rest.post('create_file', input, { 'toolpact-approval-id': id })).toMatchObject({ status: 200 })
  await rest.close(1000)
  const calls = collector.spans().filter(({ kind }) => kind === server)
  expect(calls).toMatchObject([
    { traceId, status: { message: 'approval_required' }, attributes: { 'toolpact.approval.id': id } },
    {
      status: {},
      attributes: { 'toolpact.decision': 'ask', 'toolpact.approval.answer': 'yes', 'toolpact.approval.id': id },
    },
  ])
  const [first, second] = calls
  expect(second!.links).toMatchObject([{ traceId, spanId: first!.spanId }])
  expect(second!.traceId).not.toBe(traceId)
  const approvals = collector.spans().filter(({ name }) => name === 'approve')
  expect(approvals.map(({ parentSpanId, kind }) => [parentSpanId, kind])).toEqual([
    [first!.spanId, internal],
    [second!.spanId, internal],
  ])
  expect(collector.points('toolpact.approval.wait')).toMatchObject([{ attributes: { answer: 'yes' }, count: '1' }])
})

test('a request to an MCP server is a client span below the run', async () => {
  const collector = await openCollector()
  const { entry } = makeChangeling()
  const toolpact = await openToolpact({
    ...{ storage: 'memory', stateDirectory: makeFolder() },
    config: {
      mcpServers: { odd: { command: entry.command, args: entry.args, approval: 'never' } },
      telemetry: { otlp: { endpoint: collector.url } },
    },
  })
  expect(await toolpact.call('odd.echo', { text: 'hi' })).toMatchObject({ success: true })
  await toolpact.close()
  const spans = collector.spans()
  const run = spans.find(({ name }) => name === 'run')!
  expect(spans.find(({ kind }) => kind === client)).toMatchObject({
    ...{ name: 'tools/call echo', traceId: run.traceId, parentSpanId: run.spanId },
    attributes: {
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'echo',
      'mcp.protocol.version': expect.stringMatching(/^20\d\d-/),
      'network.transport': 'pipe',
      'toolpact.upstream': 'odd',
    },
  })
  expect(collector.points('mcp.client.operation.duration')).toMatchObject([
    { attributes: { 'mcp.method.name': 'tools/call', upstream: 'odd' }, count: '1' },
  ])
  expect(collector.points('toolpact.upstream.state').filter(({ asDouble }) => asDouble === 1)).toHaveLength(1)
})

test('arguments and results are sent only if the config says so, and without secrets', async () => {
  const collector = await openCollector()
  process.env.TELEMETRY_TEST_TOKEN = 'a-secret-of-this-test'
  const toolpact = await openToolpact({
    storage: 'memory',
    config: { telemetry: { otlp: { endpoint: collector.url }, content: true } },
  })
  await toolpact.call('learning.hello', { name: 'a-secret-of-this-test' })
  await toolpact.call('learning.hello', { name: 'Ada' })
  await toolpact.close()
  delete process.env.TELEMETRY_TEST_TOKEN
  const calls = collector.spans().filter(({ name }) => name !== 'run')
  expect(calls[1]!.attributes['gen_ai.tool.call.arguments']).toBe('{"name":"Ada"}')
  expect(calls[1]!.attributes['gen_ai.tool.call.result']).toContain('Ada')
  expect(calls[0]!.attributes).toHaveProperty(['gen_ai.tool.call.arguments'])
  expect(JSON.stringify(collector.received)).not.toContain('a-secret-of-this-test')
})

test('a violation of a contract is named', async () => {
  const collector = await openCollector()
  const broken = defineToolset('mine', [defineEcho({}, () => ({ wrong: true }))], {
    strict: false,
  }) as Toolset<Capabilities>
  const toolpact = await openToolpact({
    ...{ storage: 'memory', toolsets: [broken] },
    config: { telemetry: { otlp: { endpoint: collector.url } } },
  })
  await toolpact.call('mine.echo', { text: 'x' })
  await toolpact.close()
  const call = collector.spans().find(({ name }) => name === 'execute_tool mine.echo')!
  expect(call.attributes).toMatchObject({ 'toolpact.outcome': 'violation', 'toolpact.violation': expect.any(String) })
  expect(collector.points('toolpact.violations')).toMatchObject([{ attributes: { upstream: 'mine' }, asDouble: 1 }])
})

test('without telemetry there is nothing to read, and nothing is observed', async () => {
  const toolpact = await openToolpact({ storage: 'memory' })
  expect(toolpact.metrics).toBeUndefined()
  await toolpact.close()
})
