import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/contract/json.ts'
import { openCollector } from '../helpers/open-collector.ts'
import { modernMeta } from '../helpers/open-mcp.ts'
import { until, useServeFolders } from '../helpers/open-serve.ts'

const openServeFolder = useServeFolders()
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const traceId = traceparent.slice(3, 35)
const hello = { body: '{"name":"Ada"}' }

test('one trace leads from the client through two servers, by _meta and by header', async () => {
  const collector = await openCollector()
  const toEnv = (name: string) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: name })
  const behind = openServeFolder()
  const inner = await behind.start(['--toolset', 'learning'], { env: toEnv('inner') })
  const front = openServeFolder()
  const headers = { Authorization: `Bearer ${await behind.findToken()}` }
  const mcpServers = { inner: { url: `${inner.url}/mcp`, headers, protocol: '2026-07-28', approval: 'never' } }
  writeFileSync(join(front.folder, 'own.json'), JSON.stringify({ mcpServers }))
  const outer = await front.start(['--config', 'own.json'], { env: toEnv('outer') })
  const ofHeader = traceparent.replace('0af7', '1111')
  const call = (id: string, meta = {}) => {
    const params = { name: 'hello', arguments: { name: 'Ada' }, _meta: modernMeta({}, meta) }
    return outer.send('/mcp', {
      headers: {
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': 'tools/call',
        'Mcp-Name': 'hello',
        traceparent: ofHeader,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
    })
  }
  // The context of the message is closer to the call than that of the HTTP request.
  expect((await call('request-7', { traceparent })).text).toContain('Ada')
  expect((await call('request-8')).text).toContain('Ada')
  for (const server of [outer, inner]) {
    server.kill('SIGTERM')
    await server.exited
  }
  const spans = collector.spans().filter((span) => span.traceId === traceId)
  const served = spans.filter(({ kind }) => kind === 2)
  const first = served.find(({ parentSpanId }) => parentSpanId === 'b7ad6b7169203331')!
  expect(first).toMatchObject({
    name: 'tools/call inner.hello',
    attributes: {
      'mcp.method.name': 'tools/call',
      'gen_ai.tool.name': 'inner.hello',
      'jsonrpc.request.id': 'request-7',
      'mcp.protocol.version': '2026-07-28',
      'network.transport': 'tcp',
      'toolpact.surface': 'mcp',
    },
  })
  const sent = spans.find(({ kind }) => kind === 3)!
  expect(sent.attributes).toMatchObject({ 'server.address': '127.0.0.1', 'server.port': String(inner.port) })
  expect(served.find((span) => span !== first)).toMatchObject({
    name: 'tools/call learning.hello',
    parentSpanId: sent.spanId,
  })
  const byHeader = collector.spans().filter((span) => span.traceId === ofHeader.slice(3, 35))
  expect(byHeader.filter(({ kind }) => kind === 2).map(({ name }) => name)).toEqual(expect.arrayContaining(['tools/call inner.hello', 'tools/call learning.hello'])) // biome-ignore format: one line
  const services = collector.received.map(({ body }) => body.resourceSpans?.[0].resource.attributes)
  expect(JSON.stringify(services)).toContain('"stringValue":"inner"')
  // The outer server also lists the resources of the inner one.
  const calls = collector.points('mcp.server.operation.duration').filter(({ attributes }) => (attributes as JsonObject)['mcp.method.name'] === 'tools/call') // biome-ignore format: one line
  expect(calls).toMatchObject([{ attributes: { 'gen_ai.tool.name': expect.any(String) }, count: '2' }])
})

test.concurrent('metrics need the token of a caller that may read them, and that caller can do nothing else', async () => {
  const { start, folder, findToken } = openServeFolder()
  writeFileSync(join(folder, 'own.json'), '{"toolsets":["learning"],"telemetry":{"metrics":{}}}')
  const { send } = await start(['--config', 'own.json'])
  const token = await findToken('metrics')
  await send('/v1/tools/hello', hello)
  expect((await send('/metrics', { token: null })).status).toBe(401)
  expect((await send('/metrics', { token: 'wrong' })).status).toBe(401)
  expect(await send('/metrics')).toMatchObject({ status: 403, json: { code: 'metrics_not_allowed' } })
  const scraped = await send('/metrics', { token })
  expect(scraped.status).toBe(200)
  expect(scraped.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(scraped.text).toContain('toolpact_calls_total{tool="learning.hello",outcome="success"} 1\n')
  expect(scraped.text).toContain('toolpact_ledger_writable 1\n')
  expect((await send('/v1/tools/hello', { ...hello, token })).status).toBe(404)
  expect((await send('/v1/tools', { token })).json.tools).toEqual([])
})

test.concurrent('metrics are public on this machine only if the config says so, and there are none without it', async () => {
  const { start, folder } = openServeFolder()
  writeFileSync(join(folder, 'own.json'), '{"toolsets":["learning"],"telemetry":{"metrics":{"public":true}}}')
  const open = await start(['--config', 'own.json'])
  expect((await open.send('/metrics', { token: null })).status).toBe(200)
  expect((await open.send('/metrics', { token: null, headers: { Host: 'attacker.example' } })).status).toBe(403)
  const plain = await openServeFolder().start(['--toolset', 'learning'])
  expect((await plain.send('/metrics')).status).toBe(404)
})

const hasPromtool = canRun('promtool')

test.skipIf(!hasPromtool)('Prometheus reads the metrics without a complaint (promtool)', async () => {
  const { start, folder } = openServeFolder()
  const mcpServers = { broken: { command: process.execPath, args: ['-e', 'process.exit(1)'] } }
  const config = { toolsets: ['learning', 'workspace', 'broken'], mcpServers, telemetry: { metrics: { public: true } } }
  writeFileSync(join(folder, 'own.json'), JSON.stringify(config))
  const { send } = await start(['--config', 'own.json'])
  await send('/v1/tools/learning_hello', hello)
  await send('/v1/tools/learning_hello', { body: '{}' })
  await send('/v1/tools/%22quoted%22', hello)
  const { text } = await send('/metrics', { token: null })
  expect(text).toContain('toolpact_upstream_state{upstream="broken"')
  expect(execFileSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8', stdio: 'pipe' })).toBe('')
})

test.concurrent('--log json prints a line for each call, with the trace and without the input', async () => {
  const { start } = openServeFolder()
  const { send, output, untilTold } = await start(['--toolset', 'learning', '--log', 'json'])
  await send('/v1/tools/hello', { ...hello, headers: { traceparent } })
  await send('/v1/tools/bad%1B%5B31mname', hello)
  await untilTold('tool_not_found')
  const lines = output.stderr.split('\n').filter((line) => line.startsWith('{'))
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      ...{ level: 'info', message: 'call', tool: 'learning.hello', caller: 'local', surface: 'rest' },
      ...{
        outcome: 'success',
        decision: 'allow',
        trace_id: traceId,
        call_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    },
    { outcome: 'refused', code: 'tool_not_found', tool: '_unknown', check_failed: 'resolve' },
  ])
  expect(lines.join('')).not.toContain('Ada')
  expect(lines.join('')).not.toMatch(/[\x00-\x1f]/)
})

test.concurrent('a server that drains takes requests, and says on /readyz that it is about to stop', async () => {
  const { start, folder } = openServeFolder()
  writeFileSync(join(folder, 'own.json'), '{"toolsets":["learning"],"http":{"drainMs":20000}}')
  const { send, kill, untilTold } = await start(['--config', 'own.json'])
  kill('SIGTERM')
  await untilTold('Draining')
  expect(await send('/readyz', { token: null })).toMatchObject({ status: 503, json: { reasons: ['draining'] } })
  expect((await send('/healthz', { token: null })).status).toBe(200)
  expect((await send('/v1/tools/hello', hello)).status).toBe(200)
  await until(async () => (await send('/readyz')).json.reasons.includes('draining'))
})

function canRun(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
