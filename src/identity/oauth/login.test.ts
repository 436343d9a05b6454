import { expect, test } from 'vitest'
import type { Discovered } from './discover.ts'
import { findClient } from './find-client.ts'
import { beginLogin, chooseResource, chooseScope, finishLogin } from './login.ts'

const toFound = (issuer: string, more: object = {}, scopes: string[] = []): Discovered => ({
  resource: 'https://mcp.example/mcp',
  server: { issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token`, ...more },
  scopes,
})
const plain = toFound('https://issuer.example')
const entra = toFound('https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0')
const google = toFound('https://accounts.google.com')
const redirectUri = 'http://127.0.0.1:7421/callback'
const noFetch = async (): Promise<Response> => {
  throw new Error('nothing is asked')
}

test('the identifier of the server is sent, unless the issuer or the operator refuses it', () => {
  expect(chooseResource(plain, {})).toBe('https://mcp.example/mcp')
  expect(chooseResource(plain, { resource: 'api://mcp' })).toBe('api://mcp')
  expect(chooseResource(plain, { resource: false })).toBeUndefined()
  expect(chooseResource(entra, {})).toBeUndefined()
  expect(chooseResource(entra, { resource: 'https://x.example' })).toBe('https://x.example')
  expect(chooseResource(google, {})).toBeUndefined()
})

test('scopes are those of the config, else of the challenge, else of the server', () => {
  const listed = toFound('https://issuer.example', { scopes_supported: ['offline_access'] }, ['read', 'write'])
  expect(chooseScope(listed, { scopes: ['mail'], challenged: 'read' })).toBe('mail')
  expect(chooseScope(listed, { challenged: 'read' })).toBe('read offline_access')
  expect(chooseScope(listed, {})).toBe('read write offline_access')
  expect(chooseScope(plain, {})).toBeUndefined()
  expect(chooseScope(entra, {})).toBe('https://mcp.example/mcp/.default offline_access')
  expect(chooseScope(entra, { scopes: ['api://x/Mail.Read'] })).toBe('api://x/Mail.Read offline_access')
})

test('an issuer that registers no clients is asked for by name, with what to enter there', async () => {
  const find = (found: Discovered, settings = {}) => findClient({ fetch: noFetch, server: found.server, settings, redirectUri, name: 'mail' }) // biome-ignore format: one line
  await expect(find(entra)).rejects.toThrow(/Create one in the Microsoft Entra admin center .*redirect URI http:\/\/127\.0\.0\.1:7421\/callback, then set its id as "authorization": \{ "clientId"/) // biome-ignore format: one line
  await expect(find(plain)).rejects.toThrow(/registers no clients by itself\. Create one in its administration/)
  expect(await find(entra, { clientId: 'id' })).toEqual({ clientId: 'id', method: 'configured' })
})

test('an issuer without PKCE, or without a page to log in, is refused', async () => {
  const source = (server: object) => ({ server: { ...plain.server, ...server } as never, client: { clientId: 'id', method: 'none' } as const, settings: {} }) // biome-ignore format: one line
  await expect(beginLogin(source({ code_challenge_methods_supported: ['plain'] }), { redirectUri })).rejects.toThrow(/does not support PKCE/) // biome-ignore format: one line
  await expect(beginLogin(source({ authorization_endpoint: undefined }), { redirectUri })).rejects.toThrow(/no page to log in/) // biome-ignore format: one line
})

test.each<[what: string, answer: (state: string) => Record<string, string>, message: RegExp]>([
  ['another state', () => ({ code: 'x', state: 'other', iss: 'https://issuer.example' }), /could not log you in/],
  ['no state', () => ({ code: 'x', iss: 'https://issuer.example' }), /could not log you in/],
  ['another issuer', (state) => ({ code: 'x', state, iss: 'https://evil.example' }), /could not log you in/],
  ['no issuer although it sends one', (state) => ({ code: 'x', state }), /could not log you in/],
  [
    'a refusal',
    (state) => ({
      error: 'access_denied',
      error_description: 'No \u001b[31mthanks',
      state,
      iss: 'https://issuer.example',
    }),
    /it answered access_denied: No .*thanks/,
  ],
])('an answer with %s is refused before its code is used', async (_what, answer, message) => {
  // biome-ignore format: one line
  const server = { ...plain.server, authorization_response_iss_parameter_supported: true }
  const source = { server, client: { clientId: 'id', method: 'none' } as const, settings: {} }
  const { pending } = await beginLogin(source, { redirectUri })
  const finishing = finishLogin(source, pending, { fetch: noFetch, answer: new URLSearchParams(answer(pending.state)) })
  await expect(finishing).rejects.toThrow(message)
  await expect(finishing).rejects.not.toThrow(/\u001b/)
})
