import { onTestFinished } from 'vitest'
import { openToolpact, type Toolpact, type ToolpactOptions } from '../../src/app/app.ts'
import type { JsonObject } from '../../src/contract/json.ts'
import type { HttpLimits } from '../../src/surfaces/http/http-limits.ts'
import { openHttpServer } from '../../src/surfaces/http/open-http-server.ts'
import { createRest, type RestOptions } from '../../src/surfaces/rest/rest.ts'
import type { Served } from '../../src/surfaces/served.ts'
import { health } from './open-http.ts'
import { makeFolder, yes } from './open-test-pipeline.ts'

export interface TestRestOptions extends Omit<ToolpactOptions, 'approver'> {
  /** Ask for approval. Default: approve everything. */
  readonly asks?: boolean
  readonly limits?: Partial<HttpLimits>
  /** The visible tools. Default: all. */
  readonly catalog?: Served['catalog']
  readonly onFault?: RestOptions['onFault']
}

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly body: JsonObject
}

export interface TestRest {
  readonly url: string
  readonly toolpact: Toolpact
  /** Calls a tool by name, or a path that begins with a slash. A string body is sent verbatim. */
  post(tool: string, input?: unknown, headers?: Record<string, string>): Promise<Answered>
  get(path: string, headers?: Record<string, string>): Promise<Answered>
  close(graceMs: number): Promise<void>
}

/** The REST surface behind the real server, on a free port. The token `of-NAME` identifies the caller NAME. */
export async function openRest(options: TestRestOptions = {}): Promise<TestRest> {
  const { asks = false, limits, catalog, onFault, ...more } = options
  const toolpact = await openToolpact({ workspace: makeFolder(), storage: 'memory', ...more })
  const asking = { onWaiting: () => {}, ...(!asks && { always: yes }) }
  const server = await openHttpServer({
    host: '127.0.0.1',
    port: 0,
    credentials: {
      identify(token) {
        if (token === undefined) return { kind: 'missing' }
        if (!token.startsWith('of-')) return { kind: 'wrong', detail: 'The token is not accepted.' }
        return { kind: 'caller', caller: { name: token.slice(3) } }
      },
    },
    toSurfaces: () => [
      createRest({ ...toolpact, ...(catalog && { catalog }) }, { version: '1.2.3', asking, onFault }),
      health,
    ],
    limits,
  })
  let closed = false
  async function close(graceMs: number) {
    if (closed) return
    closed = true
    await server.close(graceMs)
    await toolpact.close()
  }
  onTestFinished(() => close(0))
  const authorization = 'Bearer of-tester'
  return {
    url: server.url,
    toolpact,
    close,
    async post(tool, input, headers) {
      const body = input === undefined || typeof input === 'string' ? input : JSON.stringify(input)
      return read(
        await fetch(`${server.url}${tool.startsWith('/') ? tool : `/v1/tools/${tool}`}`, {
          method: 'POST',
          headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
          body,
        }),
      )
    },
    async get(path, headers) {
      return read(await fetch(`${server.url}${path}`, { headers: { authorization, ...headers } }))
    },
  }
}

async function read(response: Response): Promise<Answered> {
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
}
