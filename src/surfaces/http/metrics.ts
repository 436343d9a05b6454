import type { IncomingMessage } from 'node:http'
import { isPassedOn } from './client-of.ts'
import { nobody } from './credentials.ts'
import type { HttpSurface } from './route.ts'
import { sendProblem } from './send-problem.ts'

export interface MetricsOptions {
  /** Metrics in the text format of Prometheus. */
  readonly read: () => Promise<string>
  /** The callers that may read them: they name every tool, also to callers that may not use it. */
  readonly callers: readonly string[]
  /** Every program on this machine may read them without a token. */
  readonly isPublic: boolean
  /** Adds those of other processes that serve the same port. */
  readonly addOthers?: ((own: string, request: IncomingMessage) => Promise<string>) | undefined
}

/** A scrape may write to the disk, and a scraper may be misconfigured. */
const reuseMs = 1000

/** Serves metrics for Prometheus at `/metrics`. */
export function createMetrics({ read, callers, isPublic, addOthers }: MetricsOptions): HttpSurface {
  let text: Promise<string> | undefined
  let readAt = Number.NEGATIVE_INFINITY

  function readSeldom(): Promise<string> {
    if (!text || performance.now() - readAt > reuseMs) {
      readAt = performance.now()
      text = read()
    }
    return text
  }

  return {
    routes: [
      {
        methods: ['GET', 'HEAD'],
        path: '/metrics',
        needs: isPublic ? 'loopback' : 'token',
        async handle(request, response, { caller }) {
          if (caller !== nobody && !callers.includes(caller.name)) return sendProblem(response, 'metrics_not_allowed')
          const own = await readSeldom()
          const body = addOthers && !isPassedOn(request) ? await addOthers(own, request) : own
          response.writeHead(200, {
            'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
            'Content-Length': Buffer.byteLength(body),
            'Cache-Control': 'no-store',
          })
          response.end(body)
        },
      },
    ],
  }
}
