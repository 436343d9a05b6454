import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Toolpact } from '../../app/app.ts'
import type { ClientConfig } from '../client-configs.ts'
import type { Credentials } from '../http/credentials.ts'
import type { HttpAddress } from '../http/open-http-server.ts'
import type { HttpSurface, Person } from '../http/route.ts'
import type { CallEvents } from './call-events.ts'
import { toClientRoutes } from './client-document.ts'
import type { ConsoleParts } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import { consoleHeaders } from './headers.ts'
import { type ConsolePages, createConsolePages } from './pages.ts'
import type { ServerConfig } from './server-config.ts'
import type { SignIn } from './sign-in.ts'
import { createStream } from './stream.ts'
import { toEnter, toRoute } from './to-route.ts'

export interface ConsoleOptions {
  readonly toolpact: Toolpact
  readonly credentials: Credentials
  readonly address: HttpAddress
  /** The version of Toolpact. */
  readonly version: string
  /** The calls of this process. */
  readonly calls: CallEvents
  /** Client configurations, with `tokenPlaceholder` instead of a token. */
  readonly toClients: () => readonly ClientConfig[]
  /** The settings of servers. Without it, they can be seen and not changed. */
  readonly servers?: ServerConfig
  /** The pages, if they are served already. */
  readonly pages?: ConsolePages | undefined
}

export interface Console extends HttpSurface {
  /** A link that signs this person in, once. */
  makeLink(person: Person): Promise<string>
}

/** The pages under `/console` and their API. */
export function createConsole(options: ConsoleOptions): Console {
  const { toolpact, credentials, address, version, calls, toClients, servers } = options
  const { signIns, signInBy } = toolpact
  const { signIn, makeLink, routes } =
    options.pages ?? createConsolePages({ signIns, address, signInBy, lasts: () => toolpact.config.http })
  const parts: ConsoleParts = {
    ...{ toolpact, version, url: address.url, toClients, servers, verified: undefined },
    signIn,
    onDecision: new Set(),
    tokens: credentials.tokens,
  }
  const stream = createStream(parts, calls)

  return {
    makeLink,
    close: async () => stream.close(),
    routes: [
      ...routes,
      {
        methods: ['GET'],
        path: '/console/api/stream',
        needs: 'person',
        enter: toEnter(signIn, 'view'),
        handle(request, response) {
          endWithSession(signIn, request, response)
          return stream.open(request, response)
        },
      },
      {
        methods: ['POST'],
        path: '/console/api/sign-out',
        needs: 'person',
        enter: toEnter(signIn),
        async handle(request, response) {
          response.writeHead(204, { ...consoleHeaders, 'Set-Cookie': await signIn.end(request) }).end()
        },
      },
      ...toClientRoutes(toolpact),
      ...endpoints.map((endpoint) => toRoute(endpoint, signIn, parts)),
    ],
  }
}

/** A session may be ended at any server, which the stream must notice by itself. */
const lookEveryMs = 500

function endWithSession(signIn: SignIn, request: IncomingMessage, response: ServerResponse): void {
  let isLooking = false
  const timer = setInterval(async () => {
    if (isLooking) return
    isLooking = true
    // While the storage fails, nothing is known.
    const isSignedIn = await signIn.find(request, { isLook: true }).then((person) => person !== undefined, () => true) // biome-ignore format: one line
    isLooking = false
    if (!isSignedIn) response.end()
  }, lookEveryMs)
  response.once('close', () => clearInterval(timer))
}
