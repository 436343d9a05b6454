import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openToolpact, type ToolpactOptions } from '../src/app/app.ts'
import { compare } from './compare.ts'
import type { About, Table } from './table.ts'

export const about: About = {
  compares:
    'What telemetry costs a call: metrics, traces to a collector on this machine, and traces for a collector that does not answer, beside none.',
}

export async function* bench(): AsyncGenerator<Table> {
  const fast = await openCollector((_request, response) => response.end('{}'))
  const stuck = await openCollector(() => {})
  const toOtlp = (endpoint: string): ToolpactOptions => ({ config: { telemetry: { otlp: { endpoint } } } })
  const open = (options: ToolpactOptions) => openToolpact({ storage: 'memory', ...options })
  const off = await open({})
  const alsoOff = await open({})
  const metrics = await open({ config: { telemetry: { metrics: {} } } })
  const traces = await open(toOtlp(fast.url))
  const unread = await open(toOtlp(stuck.url))
  const api = await open({ telemetry: { via: 'api' } })
  const all = [off, alsoOff, metrics, traces, unread, api]

  async function call(toolpact: typeof off) {
    const result = await toolpact.call('learning.hello', { name: 'Ada' })
    if (!result.success) throw new Error(result.error.message)
  }

  yield await compare(
    'A call through the pipeline, ledger in memory',
    [
      { name: 'no telemetry', run: () => call(off) },
      { name: 'no telemetry, once more', run: () => call(alsoOff) },
      { name: 'metrics for Prometheus', run: () => call(metrics) },
      { name: 'traces and metrics to a collector', run: () => call(traces) },
      { name: 'the same, and the collector never answers', run: () => call(unread) },
      { name: 'OpenTelemetry API without an SDK', run: () => call(api) },
    ],
    { rounds: 20, samples: 50, repeat: 20, processor: true },
  )
  await Promise.all(all.map((toolpact) => toolpact.close()))
  fast.close()
  stuck.close()
}

async function openCollector(answer: Parameters<typeof createServer>[1] & object) {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => answer(request, response as never))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
