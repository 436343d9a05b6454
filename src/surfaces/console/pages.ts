import { timingSafeEqual } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { OpenIdSignIn } from '../../app/connections/open-sign-in.ts'
import type { TokenStore } from '../../runtime/storage/operator-state.ts'
import { readBearer } from '../http/credentials.ts'
import type { HttpAddress } from '../http/open-http-server.ts'
import type { Enter, Handle, HttpSurface, Person, Route } from '../http/route.ts'
import { sendProblem } from '../http/send-problem.ts'
import { createAssets, sendAsset } from './assets.ts'
import { sendJson } from './endpoint.ts'
import { consoleHeaders } from './headers.ts'
import { createOpenIdRoutes } from './openid-routes.ts'
import { allRights, consoleCaller } from './person.ts'
import { sendMessage } from './send-message.ts'
import { type ConsoleSignIn, createSignIn, type SignInOptions, secretPattern, toBrowser } from './sign-in.ts'

export interface ConsolePagesOptions extends Pick<SignInOptions, 'signIns' | 'lasts' | 'tenant'> {
  readonly tokens: TokenStore
  readonly address: HttpAddress
  /** How people sign in by OpenID Connect, if they can. */
  readonly signInBy?: () => OpenIdSignIn | undefined
}

/** The pages, and how people sign in. Nothing here needs more than the tokens and sessions of the storage. */
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

/** The pages under `/console`. A person signs in by a one-time link, which `/link` makes, or at an issuer. */
export function createConsolePages(options: ConsolePagesOptions): ConsolePages {
  const { tokens, address, signInBy = () => undefined } = options
  const assets = createAssets()
  const signIn = createSignIn({ ...options, port: address.port })

  async function makeLink(person: Person): Promise<string> {
    await tokens.ensure(consoleCaller)
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

  /** Clients have tokens too, and must not answer questions about their own calls, so theirs give no link. */
  const enterLink: Enter = async ({ headers, url = '' }) => {
    const token = readBearer(headers.authorization)
    const own = (await tokens.load()).find(({ caller }) => caller === consoleCaller)?.token
    if (token !== undefined && own !== undefined && isSame(token, own)) return { person: toPerson(url) }
    return {
      refusal: 'unauthorized',
      detail: 'Only the token of the console gives a link to it.',
      suggestion: 'Run toolpact open on the machine that serves, as the user who serves.',
      headers: { ...consoleHeaders, 'WWW-Authenticate': 'Bearer realm="toolpact"' },
    }
  }

  const page = (path: string): Route => ({ methods: ['GET', 'HEAD'], path, needs: 'none', handle: showPage })
  return {
    signIn,
    makeLink,
    routes: [
      { methods: ['GET', 'HEAD'], path: '/', needs: 'none', handle: (_request, response) => redirect(response) },
      {
        methods: ['POST'],
        path: '/link',
        needs: 'person',
        enter: enterLink,
        async handle(_request, response, { person }) {
          sendJson(response, { url: await makeLink(person!) })
        },
      },
      ...createOpenIdRoutes({ signIn, signInBy, address }),
      ...['/console', ...pages.flatMap((name) => [`/console/${name}`, `/console/${name}/{item}`])].map(page),
      { methods: ['GET', 'HEAD'], path: '/console/assets/{name}', needs: 'none', handle: sendFile },
    ],
  }
}

/** A request for the page with the code of a link. */
export const onceLink = new RegExp(`\\?once=(${secretPattern})$`)

/** The person that `toolpact open` names, and the rights that it wants. */
function toPerson(target: string): Person {
  const query = new URLSearchParams(target.split('?')[1])
  const wanted = query.get('rights')?.split(',') ?? allRights
  return {
    name: query.get('person') || consoleCaller,
    rights: allRights.filter((right) => wanted.includes(right)),
  }
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

function redirect(response: ServerResponse, more: { readonly [name: string]: string } = {}): void {
  response.writeHead(303, { ...consoleHeaders, 'Cache-Control': 'no-store', ...more, Location: '/console' }).end()
}

const usedLink = 'This link was used before, or is too old. Make a new one on the machine that serves: <code>toolpact open</code>' // biome-ignore format: one line
const notBuilt = 'The console was not built. Run <code>npm run build</code>, then reload this page.'
