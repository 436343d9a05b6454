import type { IncomingMessage, ServerResponse } from 'node:http'
import type { OpenIdSignIn } from '../../app/connections/open-sign-in.ts'
import { escapeHtml } from '../../contract/text/escape-html.ts'
import { createAttempts } from '../http/attempts.ts'
import { isHttps, toClientAddress } from '../http/client-of.ts'
import { isReservedCaller } from '../http/credentials.ts'
import type { HttpAddress } from '../http/open-http-server.ts'
import type { Handle, Route } from '../http/route.ts'
import { sendProblem } from '../http/send-problem.ts'
import { sendJson } from './endpoint.ts'
import { consoleHeaders } from './headers.ts'
import { sendMessage } from './send-message.ts'
import { type ConsoleSignIn, toBrowser } from './sign-in.ts'

interface OpenIdRoutesOptions {
  readonly signIn: Pick<ConsoleSignIn, 'begin'>
  readonly signInBy: () => OpenIdSignIn | undefined
  readonly address: HttpAddress
}

const path = '/console/sign-in'
/** Each try may cost a request to the issuer. */
const tries = { max: 30, windowMs: 10_000 }

/** How people sign in by OpenID Connect: to the issuer and back. */
export function createOpenIdRoutes({ signIn, signInBy, address }: OpenIdRoutesOptions): readonly Route[] {
  const attempts = createAttempts(tries)
  const cookieName = `toolpact-login-${address.port}`
  const redirectUri = `${address.url}${path}/callback`

  function toCookie(request: IncomingMessage, value: string): string {
    // Lax: the issuer sends the browser back from another site.
    return `${cookieName}=${value}; Path=${path}; Max-Age=${value === '' ? 0 : 600}; HttpOnly; SameSite=Lax${isHttps(request) ? '; Secure' : ''}`
  }

  /** Answers a request that is not for the handler: too many of them, or no issuer. */
  function take(
    handle: (by: OpenIdSignIn, request: IncomingMessage, response: ServerResponse) => Promise<void>,
  ): Handle {
    return async (request, response) => {
      const seconds = attempts.count(toClientAddress(request))
      if (seconds !== undefined) return sendProblem(response, 'too_many_attempts', { headers: { ...consoleHeaders, 'Retry-After': seconds } }) // biome-ignore format: one line
      const by = signInBy()
      if (!by) return redirect(response, '/console')
      try {
        await handle(by, request, response)
      } catch (cause) {
        if (!isExpected(cause)) throw cause
        const cookie = toCookie(request, '')
        const name = escapeHtml(by.name)
        const again = `<a href="${path}">Try again</a>, or run <code>toolpact open</code> on the machine that serves.`
        sendMessage(response, 401, `You are not signed in with ${name}. ${escapeHtml(cause.message)}</p><p>${again}`, { 'Set-Cookie': cookie }) // biome-ignore format: one line
      }
    }
  }

  const begin = take(async (by, request, response) => {
    const query = new URLSearchParams(request.url!.split('?')[1])
    const returnTo = toReturnPath(query.get('to'))
    // The cookie must be at the address that the issuer sends the browser back to.
    if (request.headers.host?.toLowerCase() !== new URL(address.url).host && !query.has('moved'))
      return redirect(response, `${address.url}${path}?${new URLSearchParams({ to: returnTo, moved: '1' })}`)
    const { url, pending } = await by.begin({ redirectUri, returnTo })
    redirect(response, url, { 'Set-Cookie': toCookie(request, pending) })
  })

  const finish = take(async (by, request, response) => {
    const answer = new URLSearchParams(request.url!.split('?')[1])
    const { person, returnTo } = await by.finish(readCookie(request, cookieName), answer)
    const used = toCookie(request, '')
    const name = escapeHtml(person.name)
    if (isReservedCaller(person.name, false)) return sendMessage(response, 403, `The name ${name} is one that Toolpact uses itself, so nobody can sign in with it. Set "nameClaim" of http.signIn to another claim.`, { 'Set-Cookie': used }) // biome-ignore format: one line
    if (by.rightsOf(person).length === 0) return sendMessage(response, 403, toNoRights(name, person.groups), { 'Set-Cookie': used }) // biome-ignore format: one line
    redirect(response, toReturnPath(returnTo), { 'Set-Cookie': [await signIn.begin(person, toBrowser(request)), used] })
  })

  const common = { methods: ['GET'], needs: 'none' } as const
  return [
    { ...common, path, handle: begin },
    { ...common, path: `${path}/callback`, handle: finish },
    { ...common, path: `${path}/ways`, handle: (_request, response) => sendJson(response, { issuer: signInBy()?.name ?? null }) }, // biome-ignore format: one line
  ]
}

/** A page of the console, whatever was asked for: never another site, nor anything that acts. */
export function toReturnPath(wanted: string | null): string {
  const url = wanted === null ? undefined : URL.parse(wanted, 'http://console.invalid')
  const isPage = url?.origin === 'http://console.invalid' && /^\/console\/(?!api\/|sign-in|assets\/)[\w%.~/-]*$/.test(url.pathname) // biome-ignore format: one line
  if (!isPage || url.pathname.includes('//')) return '/console'
  url.searchParams.delete('once')
  return `${url.pathname}${url.search}`
}

const maxGroups = 20

function toNoRights(name: string, groups: readonly string[]): string {
  const shown = groups.slice(0, maxGroups).map((group) => `<code>${escapeHtml(group)}</code>`)
  const own = groups.length === 0 ? 'The issuer names no group of yours.' : `Your groups: ${shown.join(', ')}${groups.length > maxGroups ? ' and more' : ''}.` // biome-ignore format: one line
  return `You are ${name}, but have no right here. ${own} Ask the operator to add one of them, or your name, to <code>http.signIn.rights</code> of the config.`
}

/** Failures that are explained to the person: of the login, and of the settings. */
function isExpected(cause: unknown): cause is Error {
  return cause instanceof Error && (cause.name === 'OAuthError' || cause.name === 'ConfigError')
}

function readCookie({ headers }: IncomingMessage, name: string): string | undefined {
  return new RegExp(`(?:^|;)\\s*${name}=([\\w.-]{1,4000})(?=\\s*(?:;|$))`).exec(headers.cookie ?? '')?.[1]
}

function redirect(
  response: ServerResponse,
  to: string,
  more: { readonly [name: string]: string | string[] } = {},
): void {
  response.writeHead(303, { ...consoleHeaders, 'Cache-Control': 'no-store', ...more, Location: to }).end()
}
