import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../../../contract/tool.ts'
import type { ClientConfig } from '../../client-configs.ts'
import type { Served } from '../../served.ts'
import { type Credentials, nobody } from '../credentials.ts'
import type { HttpAddress } from '../open-http-server.ts'
import { refuseAndClose } from '../refuse.ts'
import type { Handle, HttpSurface } from '../route.ts'
import { createPageLinks } from './page-links.ts'
import { toDoorPage, toStartPage } from './render-page.ts'

export interface StartPageOptions {
  readonly served: Pick<Served, 'catalog'>
  readonly credentials: Credentials
  readonly address: HttpAddress
  /** Client configurations, with `tokenPlaceholder` instead of a token. */
  readonly toClients: () => readonly ClientConfig[]
}

export interface StartPage extends HttpSurface {
  /** A one-time link to the page, for this caller. */
  makeLink(caller: Caller): Promise<string>
}

/**
 * The start page `/`, and `/link` for a new one-time link to it. Its cookie opens only this page and no tool, so a foreign
 * page that makes a browser send it achieves nothing (CSRF).
 */
export function createStartPage({ served, credentials, address, toClients }: StartPageOptions): StartPage {
  const links = createPageLinks()
  const cookieName = `toolpact-${address.port}`
  const tokenOf = (caller: Caller) => credentials.tokenOf?.(caller.name)

  async function makeLink(caller: Caller): Promise<string> {
    return `${address.url}/?once=${links.makeCode({ caller, token: await tokenOf(caller) })}`
  }

  async function findVisitor(request: IncomingMessage): Promise<Caller | undefined> {
    const cookie = readCookie(request.headers.cookie, cookieName)
    const visitor = cookie === undefined ? undefined : links.find(cookie)
    return visitor && visitor.token === (await tokenOf(visitor.caller)) ? visitor.caller : undefined
  }

  function open(response: ServerResponse, code: string): boolean {
    const cookie = links.redeem(code)
    if (cookie === undefined) return false
    response.writeHead(303, {
      ...pageHeaders,
      Location: '/',
      'Set-Cookie': `${cookieName}=${cookie}; Path=/; HttpOnly; SameSite=Strict`,
    })
    response.end()
    return true
  }

  async function show(response: ServerResponse, caller: Caller) {
    const [entries, token] = [await served.catalog.all(caller), await tokenOf(caller)]
    const content = { url: address.url, caller: caller.name, token, entries, clients: toClients() }
    sendPage(response, 200, (nonce) => toStartPage({ ...content, nonce }))
  }

  const answer: Handle = async (request, response, { caller }) => {
    const [, query = ''] = request.url!.split('?')
    const code = request.method === 'GET' ? /^once=([\w-]{43})$/.exec(query)?.[1] : undefined
    if (code !== undefined && open(response, code)) return
    const visitor = caller === nobody ? await findVisitor(request) : caller
    if (visitor) return show(response, visitor)
    const challenge = { 'WWW-Authenticate': 'Bearer realm="toolpact"' }
    const isBrowser = request.headers.accept?.includes('text/html')
    if (!isBrowser) return refuseAndClose(request, response, 'unauthorized', { headers: challenge })
    const headers = { ...challenge, Connection: 'close' }
    sendPage(response, 401, (nonce) => toDoorPage({ nonce, isOld: code !== undefined }), headers)
  }

  return {
    makeLink,
    routes: [
      {
        methods: ['POST'],
        path: '/link',
        handle: async (_request, response, { caller }) => sendLink(response, await makeLink(caller)),
      },
      { methods: ['GET', 'HEAD'], path: '/', needs: 'page', handle: answer },
    ],
  }
}

const pageHeaders = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

function sendPage(
  response: ServerResponse,
  status: number,
  toHtml: (nonce: string) => string,
  more: { readonly [name: string]: string } = {},
) {
  const nonce = randomBytes(16).toString('base64')
  const html = toHtml(nonce)
  response.writeHead(status, {
    ...pageHeaders,
    ...more,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(html),
    'Content-Security-Policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  })
  response.end(html)
}

function sendLink(response: ServerResponse, url: string) {
  const body = JSON.stringify({ url })
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
  })
  response.end(body)
}

function readCookie(header: string | undefined, name: string): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}
