import { expect, test } from 'vitest'
import { discover, type OAuthFetch } from './discover.ts'

const url = new URL('https://mcp.example/team/mcp')
const metadata = {
  issuer: 'https://issuer.example',
  authorization_endpoint: 'https://issuer.example/authorize',
  token_endpoint: 'https://issuer.example/token',
}
const resource = { resource: 'https://mcp.example/team/mcp', authorization_servers: ['https://issuer.example'] }

/** Answers with these documents, and notes what was asked for. */
function serve(documents: { readonly [url: string]: unknown }) {
  const asked: string[] = []
  const fetch: OAuthFetch = async (place) => {
    asked.push(place)
    const document = documents[place]
    if (document instanceof Error) throw document
    if (document instanceof Response) return document
    return document === undefined ? new Response('<html>', { status: 404 }) : Response.json(document)
  }
  return { fetch, asked }
}

const own = 'https://mcp.example/.well-known/oauth-protected-resource/team/mcp'
const root = 'https://mcp.example/.well-known/oauth-protected-resource'
const oauth = 'https://issuer.example/.well-known/oauth-authorization-server'

test.each<[what: string, documents: { readonly [url: string]: unknown }, issuer: string, named?: string]>([
  ['the path of the server', { [own]: resource, [oauth]: metadata }, 'https://issuer.example'],
  [
    'the root',
    { [root]: { ...resource, resource: 'https://mcp.example' }, [oauth]: metadata },
    'https://issuer.example',
  ],
  [
    'the challenge',
    { 'https://mcp.example/about': resource, [oauth]: metadata },
    'https://issuer.example',
    'https://mcp.example/about',
  ],
  [
    'OpenID Connect',
    { [own]: resource, 'https://issuer.example/.well-known/openid-configuration': metadata },
    'https://issuer.example',
  ],
  [
    'an issuer with a path, inserted',
    {
      [own]: { ...resource, authorization_servers: ['https://issuer.example/tenant'] },
      [`${oauth}/tenant`]: { ...metadata, issuer: 'https://issuer.example/tenant' },
    },
    'https://issuer.example/tenant',
  ],
  [
    'an issuer with a path, OpenID inserted',
    {
      [own]: { ...resource, authorization_servers: ['https://issuer.example/tenant'] },
      'https://issuer.example/.well-known/openid-configuration/tenant': {
        ...metadata,
        issuer: 'https://issuer.example/tenant',
      },
    },
    'https://issuer.example/tenant',
  ],
  [
    'an issuer with a path, OpenID appended',
    {
      [own]: { ...resource, authorization_servers: ['https://issuer.example/tenant'] },
      'https://issuer.example/tenant/.well-known/openid-configuration': {
        ...metadata,
        issuer: 'https://issuer.example/tenant',
      },
    },
    'https://issuer.example/tenant',
  ],
  [
    'a second issuer, if the first does not answer',
    {
      [own]: { ...resource, authorization_servers: ['https://gone.example', 'https://issuer.example'] },
      [oauth]: metadata,
    },
    'https://issuer.example',
  ],
  [
    'the server itself, as in 2025-03-26',
    {
      'https://mcp.example/.well-known/oauth-authorization-server': {
        issuer: 'https://mcp.example',
        authorization_endpoint: 'https://mcp.example/a',
        token_endpoint: 'https://mcp.example/t',
      },
    },
    'https://mcp.example',
  ],
])('the issuer is found by %s', async (_what, documents, issuer, resourceMetadata) => {
  // biome-ignore format: one line
  const found = await discover(url, { fetch: serve(documents).fetch, resourceMetadata })
  expect(found.server.issuer).toBe(issuer)
})

test.each<[what: string, documents: { readonly [url: string]: unknown }, message: RegExp, named?: string]>([
  [
    'a description of another server',
    { [own]: { ...resource, resource: 'https://bank.example/mcp' } },
    /describes https:\/\/bank\.example\/mcp, which is another server/,
  ],
  [
    'a description of another path',
    { [own]: { ...resource, resource: 'https://mcp.example/team/mc' } },
    /another server/,
  ],
  [
    'a description without an identifier',
    { [own]: { authorization_servers: ['https://issuer.example'] } },
    /another server/,
  ],
  ['a challenge that names an http address', {}, /is no https address/, 'http://mcp.example/about'],
  ['a challenge that names a script', {}, /is no https address/, 'javascript:alert(1)'],
  ['a challenge with a password', {}, /is no https address/, 'https://a:b@mcp.example/about'],
  [
    'an issuer over http',
    { [own]: { ...resource, authorization_servers: ['http://issuer.example'] } },
    /issuer http:\/\/issuer\.example cannot be used/,
  ],
  [
    'an issuer with a query',
    { [own]: { ...resource, authorization_servers: ['https://issuer.example?x=1'] } },
    /cannot be used/,
  ],
  [
    'an issuer that is a script',
    { [own]: { ...resource, authorization_servers: ['javascript:alert(1)'] } },
    /cannot be used/,
  ],
  [
    'metadata of another issuer',
    { [own]: resource, [oauth]: { ...metadata, issuer: 'https://evil.example' } },
    /it is of another issuer/,
  ],
  [
    'metadata without an issuer',
    { [own]: resource, [oauth]: { token_endpoint: 'https://issuer.example/token' } },
    /it is of another issuer than .* or not valid/,
  ],
  [
    'a page to log in that is a script',
    { [own]: resource, [oauth]: { ...metadata, authorization_endpoint: 'javascript:alert(1)' } },
    /its authorization_endpoint, javascript:alert\(1\), is no https address/,
  ],
  [
    'a token endpoint over http',
    { [own]: resource, [oauth]: { ...metadata, token_endpoint: 'http://issuer.example/token' } },
    /its token_endpoint, .* is no https address/,
  ],
  [
    'a registration endpoint over http',
    { [own]: resource, [oauth]: { ...metadata, registration_endpoint: 'http://issuer.example/r' } },
    /its registration_endpoint/,
  ],
  [
    'metadata without a token endpoint',
    { [own]: resource, [oauth]: { issuer: metadata.issuer } },
    /names no token_endpoint/,
  ],
  ['no metadata at all', { [own]: resource }, /publishes no metadata/],
  [
    'metadata that redirect',
    { [own]: resource, [oauth]: new Response(null, { status: 302, headers: { location: 'https://evil.example' } }) },
    /publishes no metadata/,
  ],
  ['metadata that are a list', { [own]: resource, [oauth]: [metadata] }, /publishes no metadata/],
  [
    'an issuer in the internal network',
    {
      [own]: { ...resource, authorization_servers: ['https://10.0.0.1'] },
      'https://10.0.0.1/.well-known/oauth-authorization-server': new Error('10.0.0.1 is a private address'),
    },
    /could not be read: 10\.0\.0\.1 is a private address/,
  ],
  [
    'hidden characters in an issuer',
    { [own]: { ...resource, authorization_servers: ['https://issuer.example\u202e'] } },
    /^(?!.*\u202e)/,
  ],
])('%s is refused', async (_what, documents, message, resourceMetadata) => {
  // biome-ignore format: one line
  const { fetch } = serve(documents)
  await expect(discover(url, { fetch, resourceMetadata })).rejects.toMatchObject({ name: 'OAuthError', message: expect.stringMatching(message) }) // biome-ignore format: one line
})

test('a long list of issuers is not tried to its end', async () => {
  const issuers = Array.from({ length: 500 }, (_, index) => `https://issuer${index}.example`)
  const { fetch, asked } = serve({ [own]: { ...resource, authorization_servers: issuers } })
  await expect(discover(url, { fetch })).rejects.toThrow(/publishes no metadata/)
  expect(asked.length).toBeLessThan(30)
})
