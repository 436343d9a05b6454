import type { FollowRequest } from '../contract/trace-context.ts'
import type { Meter } from './metrics/meter.ts'
import type { StartSpan } from './span.ts'

interface FollowOptions {
  readonly startSpan?: StartSpan | undefined
  readonly meter: Meter
}

/** Makes spans and metrics of the requests to MCP servers. */
export function followRequests({ startSpan, meter }: FollowOptions): FollowRequest {
  return ({ server, method, name, revision, transport, address, trace }) => {
    const at = now()
    const isUri = method === 'resources/read'
    const spanName = name === undefined || isUri ? method : `${method} ${name}`
    const span = startSpan?.({ name: spanName, kind: 'client', at, parent: trace })
    return {
      ...(span?.context && { trace: span.context }),
      end(failure) {
        const endedAt = now()
        meter.record('mcp.client.operation.duration', (endedAt - at) / 1000, {
          'mcp.method.name': method,
          upstream: server,
          'error.type': failure,
        })
        span?.end({
          at: endedAt,
          error: failure,
          attributes: {
            'mcp.method.name': method,
            ...(method === 'tools/call' && { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name }),
            ...(method === 'prompts/get' && { 'gen_ai.prompt.name': name }),
            ...(isUri && { 'mcp.resource.uri': name }),
            'mcp.protocol.version': revision,
            'network.transport': transport,
            'server.address': address?.host,
            'server.port': address?.port,
            'error.type': failure,
            'toolpact.upstream': server,
          },
        })
      },
    }
  }
}

function now(): number {
  return performance.timeOrigin + performance.now()
}
