import { onTestFinished } from 'vitest'
import { openToolpact, type Toolpact, type ToolpactOptions } from '../../src/app/app.ts'
import type { JsonObject, JsonSchema } from '../../src/contract/json.ts'
import { compileSchema } from '../../src/contract/schema/compile-schema.ts'
import { consoleOperations } from '../../src/projections/openapi/console/operations.ts'
import { consoleResponses } from '../../src/projections/openapi/console/responses.ts'
import { createDeferringApprover, createWaitingApprover } from '../../src/runtime/approval/queue-approvers.ts'
import { createCallEvents } from '../../src/surfaces/console/call-events.ts'
import { type Console, createConsole } from '../../src/surfaces/console/console.ts'
import { allRights } from '../../src/surfaces/console/person.ts'
import { type HttpServer, type HttpServerOptions, openHttpServer } from '../../src/surfaces/http/open-http-server.ts'
import { type Answer, oneToken, type SendOptions, send } from './open-http.ts'
import { makeFolder } from './open-test-pipeline.ts'

export interface TestConsole extends HttpServer {
  readonly toolpact: Toolpact
  readonly console: Console
  /** The state directory, for another process or instance. */
  readonly stateDirectory: string
  signIn(name?: string, rights?: readonly string[]): Promise<Browser>
  /** Makes a call that asks and does not wait. Resolves to the id of its question. */
  ask(tool: string, input: JsonObject, caller?: string): Promise<string>
  /** Makes a call that waits for its answer. */
  askAndWait(tool: string, input: JsonObject): ReturnType<Toolpact['call']>
}

/** A signed-in browser. */
export interface Browser {
  readonly cookie: string
  get(path: string, options?: SendOptions): Promise<Answer>
  post(path: string, body?: object, options?: SendOptions): Promise<Answer>
}

export async function openConsole(
  options: ToolpactOptions &
    Partial<Pick<HttpServerOptions, 'trustedProxies' | 'publicUrl' | 'port' | 'credentials'>> & {
      /** The address that people are told. */
      readonly shownUrl?: string
    } = {},
): Promise<TestConsole> {
  const { port = 0, credentials = oneToken, trustedProxies, publicUrl, shownUrl, ...more } = options
  const stateDirectory = more.stateDirectory ?? makeFolder()
  const calls = createCallEvents()
  const toolpact = await openToolpact({ workspace: makeFolder(), stateDirectory, observe: calls.observe, ...more })
  let console: Console
  const server = await openHttpServer({
    host: '127.0.0.1',
    port,
    credentials,
    ...{ trustedProxies, publicUrl },
    toSurfaces(address) {
      console = createConsole({
        toolpact,
        credentials,
        address: { ...address, url: shownUrl ?? address.url },
        version: '1.2.3',
        calls,
        toClients: () => [],
      })
      return [console]
    },
  })
  onTestFinished(async () => {
    await server.close(0)
    await toolpact.close()
  })
  const keep = { approvals: toolpact.approvals, keepMs: 600_000 }
  return {
    ...server,
    ...{ toolpact, stateDirectory, console: console! },
    async signIn(name = 'Ada', rights = allRights) {
      const link = new URL(await console.makeLink({ name, rights }))
      const { headers } = await send(`${server.url}${link.pathname}${link.search}`, { token: null })
      return openBrowser(server.url, headers['set-cookie']![0]!.split(';')[0]!)
    },
    async ask(tool, input, caller = 'codex') {
      const result = await toolpact.call(tool, input, { caller: { name: caller }, approver: createDeferringApprover(keep) }) // biome-ignore format: one line
      if (result.success || result.error.code !== 'approval_required') throw new Error(`It did not ask: ${JSON.stringify(result)}`) // biome-ignore format: one line
      return result.callId
    },
    askAndWait: (tool, input) =>
      toolpact.call(tool, input, { caller: { name: 'codex' }, approver: createWaitingApprover({ ...keep, waitMs: 60_000 }) }), // biome-ignore format: one line
  }
}

/** Every response is compared with the schema that OpenAPI gives for it. */
export function openBrowser(url: string, cookie: string): Browser {
  async function ask(method: 'GET' | 'POST', path: string, options: SendOptions): Promise<Answer> {
    const answer = await send(`${url}/console/api/${path}`, { ...options, method, token: null })
    await checkAnswer(`${method} ${path.split('?')[0]}`, answer)
    return answer
  }
  return {
    cookie,
    get: (path, options = {}) => ask('GET', path, { ...options, headers: { Cookie: cookie, ...options.headers } }),
    post: (path, body, options = {}) =>
      ask('POST', path, {
        ...(body && { body: JSON.stringify(body) }),
        ...options,
        headers: { Cookie: cookie, 'Toolpact-Console': '1', ...options.headers },
      }),
  }
}

async function checkAnswer(route: string, { status, json }: Answer): Promise<void> {
  if (status !== 200) return
  const found = consoleOperations.find((one) => new RegExp(`^${one.route.replace(/\{\w+\}/g, '[^/]+')}$`).test(route))
  if (!found) throw new Error(`${route} is not documented.`)
  if (found.response === undefined) return
  const { validate } = await compileSchema(consoleResponses[found.response] as JsonSchema)
  const problems = validate(json).map(({ pointer, message }) => `${pointer}: ${message}`)
  if (problems.length > 0) throw new Error(`${route} is not as documented.\n${problems.join('\n')}`)
}
