import type { ServerResponse } from 'node:http'
import type { OpenIdSignIn } from '../../app/connections/open-sign-in.ts'
import type { HttpAddress } from '../http/open-http-server.ts'
import type { Handle, HttpSurface, Person, Route } from '../http/route.ts'
import { sendProblem } from '../http/send-problem.ts'
import { createAssets, sendAsset } from './assets.ts'
import { consoleHeaders } from './headers.ts'
import { createOpenIdRoutes } from './openid-routes.ts'
import { sendMessage } from './send-message.ts'
import { type ConsoleSignIn, createSignIn, type SignInOptions, secretPattern, toBrowser } from './sign-in.ts'

export interface ConsolePagesOptions extends Pick<SignInOptions, 'signIns' | 'lasts' | 'tenant'> {
  readonly address: HttpAddress
  /** How people sign in by OpenID Connect, if they can. */
  readonly signInBy?: () => OpenIdSignIn | undefined
}

/** The pages, and how people sign in. Nothing here needs more than the sessions of the storage. */
export interface ConsolePages extends HttpSurface {
  readonly signIn: ConsoleSignIn
  /** A link that signs this person in, once. */
  makeLink(person: Person): Promise<string>
}

const pages = [
  'inbox',
  'now',
  'calls',
  'runs',
  'tools',
  'servers',
  'lock',
  'rules',
  'plots',
  'proof',
  'sessions',
  'connect',
  'connected',
]

/** The pages under `/console`. A person signs in by a one-time link, or at an issuer. */
export function createConsolePages(options: ConsolePagesOptions): ConsolePages {
  const { address, signInBy = () => undefined } = options
  const assets = createAssets()
  const signIn = createSignIn({ ...options, port: address.port })

  async function makeLink(person: Person): Promise<string> {
    return `${address.url}/console?once=${await signIn.makeCode(person)}`
  }

  const showPage: Handle = async (request, response) => {
    const code = request.method === 'GET' ? onceLink.exec(request.url!)?.[1] : undefined
    if (code !== undefined) {
      const cookie = await signIn.redeem(code, toBrowser(request))
      if (cookie === undefined && !(await signIn.find(request))) return sendMessage(response, 401, usedLink)
      return redirect(response, cookie === undefined ? {} : { 'Set-Cookie': cookie })
    }
    const page = assets.page()
    if (!page) return sendMessage(response, 503, notBuilt)
    // The page contains nothing of the user; what it loads needs a session. So a link from a chat or mail works although
    // browsers do not send the cookie with it.
    sendAsset(request, response, page, { ...consoleHeaders, 'Cache-Control': 'no-cache' })
  }

  const sendFile: Handle = (request, response, { params }) => {
    const asset = assets.find(params.name!)
    if (asset) return sendAsset(request, response, asset, { ...consoleHeaders, 'Cache-Control': 'public, max-age=31536000, immutable' }) // biome-ignore format: one line
    sendProblem(response, 'not_found', { detail: 'The console has no such file.', suggestion: 'Reload the page.', headers: consoleHeaders }) // biome-ignore format: one line
  }

  const page = (path: string): Route => ({ methods: ['GET', 'HEAD'], path, needs: 'none', handle: showPage })
  return {
    signIn,
    makeLink,
    routes: [
      { methods: ['GET', 'HEAD'], path: '/', needs: 'none', handle: (_request, response) => redirect(response) },
      ...createOpenIdRoutes({ signIn, signInBy, address }),
      ...['/console', ...pages.flatMap((name) => [`/console/${name}`, `/console/${name}/{item}`])].map(page),
      { methods: ['GET', 'HEAD'], path: '/console/assets/{name}', needs: 'none', handle: sendFile },
    ],
  }
}

/** A request for the page with the code of a link. */
export const onceLink = new RegExp(`\\?once=(${secretPattern})$`)

function redirect(response: ServerResponse, more: { readonly [name: string]: string } = {}): void {
  response.writeHead(303, { ...consoleHeaders, 'Cache-Control': 'no-store', ...more, Location: '/console' }).end()
}

const usedLink = 'This link was used before, or is too old. Make a new one on the machine that serves: <code>toolpact open</code>' // biome-ignore format: one line
const notBuilt = 'The console was not built. Run <code>npm run build</code>, then reload this page.'
