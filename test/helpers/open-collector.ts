import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { readBody } from './read-body.ts'

interface Received {
  readonly path: string
  readonly headers: NodeJS.Dict<string | string[]>
  // biome-ignore lint/suspicious/noExplicitAny: read as a collector reads it
  readonly body: any
}

/** @public The inferred types of tests name it. */
export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly start: bigint
  readonly end: bigint
  readonly status: { readonly code?: number; readonly message?: string }
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly attributes: { readonly [key: string]: unknown }
}

/** A collector that speaks OTLP over HTTP with JSON. */
export async function openCollector() {
  const received: Received[] = []
  let answer: (response: ServerResponse) => void = (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  const server = createServer(async (request, response) => {
    const body = await readBody(request)
    if (!body) return
    received.push({ path: request.url!, headers: request.headers, body: JSON.parse(body.toString()) })
    answer(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  onTestFinished(close)
  const at = (path: string) => received.filter((one) => one.path === path).map(({ body }) => body)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close,
    /** How requests are answered from now on. */
    answerBy(next: (response: ServerResponse) => void) {
      answer = next
    },
    spans: (): CollectedSpan[] =>
      at('/v1/traces').flatMap(
        ({
          resourceSpans: [
            {
              scopeSpans: [{ spans }],
            },
          ],
        }) => spans.map(toSpan),
      ),
    /** The points of a metric in the last export. */
    points(name: string): { readonly [key: string]: unknown }[] {
      const metrics = at('/v1/metrics').at(-1)?.resourceMetrics[0].scopeMetrics[0].metrics ?? []
      const { sum, gauge, histogram } = metrics.find((metric: { name: string }) => metric.name === name) ?? {}
      const { dataPoints = [] } = sum ?? gauge ?? histogram ?? {}
      return dataPoints.map((point: { attributes: Pair[] }) => ({ ...point, attributes: toObject(point.attributes) }))
    },
  }
}

interface Pair {
  readonly key: string
  readonly value: { readonly [kind: string]: unknown }
}

// biome-ignore lint/suspicious/noExplicitAny: read as a collector reads it
function toSpan({ startTimeUnixNano, endTimeUnixNano, attributes, links = [], ...span }: any): CollectedSpan {
  return {
    ...span,
    links,
    start: BigInt(startTimeUnixNano),
    end: BigInt(endTimeUnixNano),
    attributes: toObject(attributes),
  }
}

function toObject(pairs: readonly Pair[]): { [key: string]: unknown } {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]))
}
