import { afterEach, expect, test } from 'vitest'
import { type AuthorizationServer, startAuthorizationServer } from '../../../test/helpers/authorization-server.ts'
import { discover, type OAuthFetch } from './discover.ts'
import { findClient } from './find-client.ts'
import { beginLogin, chooseResource, chooseScope, finishLogin } from './login.ts'
import { refreshTokens, revokeTokens } from './tokens.ts'

const opened: AuthorizationServer[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()))
})

const fetchPlain: OAuthFetch = (url, { body, signal, ...init }) =>
  fetch(url, { ...init, redirect: 'manual', ...(body !== undefined && { body }), ...(signal && { signal }) })

test('a login with a registered client gives tokens, which are renewed with rotation and revoked', async () => {
  const server = await startAuthorizationServer()
  opened.push(server)
  const call = { fetch: fetchPlain }
  const found = await discover(new URL('http://127.0.0.1:9/mcp'), { fetch: async (url, init) => (url.includes(':9/') ? new Response('', { status: 404 }) : fetchPlain(url, init)), issuer: server.issuer }) // biome-ignore format: one line
  expect(found.server.issuer).toBe(server.issuer)
  const redirectUri = 'http://127.0.0.1:7421/callback'
  const scope = chooseScope(found, { scopes: ['read'] })
  const client = await findClient({ ...call, server: found.server, settings: {}, redirectUri, name: 'notes', scope })
  expect(client).toMatchObject({ method: 'none' })
  const source = { server: found.server, client, settings: {}, resource: chooseResource(found, {}) }
  const { url, pending } = await beginLogin(source, { redirectUri, scope })
  const answered = await server.logIn(url, 'ada')
  expect(answered.origin + answered.pathname).toBe(redirectUri)
  const tokens = await finishLogin(source, pending, { ...call, answer: answered.searchParams })
  expect(tokens.refreshToken).toBeDefined()
  const renewed = await refreshTokens(source, tokens.refreshToken!, call)
  expect(renewed.refreshToken).not.toBe(tokens.refreshToken)
  await expect(refreshTokens(source, tokens.refreshToken!, call)).rejects.toMatchObject({ code: 'invalid_grant', isFinal: true }) // biome-ignore format: one line
  const again = await beginLogin(source, { redirectUri, scope })
  const second = await finishLogin(source, again.pending, { ...call, answer: (await server.logIn(again.url, 'ada')).searchParams }) // biome-ignore format: one line
  expect(await revokeTokens(source, second, call)).toBe(true)
  await expect(refreshTokens(source, second.refreshToken!, call)).rejects.toMatchObject({ code: 'invalid_grant' })
})
