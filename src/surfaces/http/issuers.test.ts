import type { ServerResponse } from 'node:http'
import {
  base64url,
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { closeServersAfterEach, serve } from '../../../test/helpers/local-servers.ts'
import { openHttp } from '../../../test/helpers/open-http.ts'
import type { Caller } from '../../contract/tool.ts'
import type { Identified } from './credentials.ts'
import { type Issuer, type JwksOptions, openJwksCredentials } from './jwks-credentials.ts'
import { createMetadata } from './metadata.ts'

closeServersAfterEach()

const audience = 'https://tools.example/mcp'
const now = () => Math.floor(Date.now() / 1000)

interface Pair {
  readonly publicKey: CryptoKey
  readonly privateKey: CryptoKey
}

let first: Pair
let second: Pair
let third: Pair

beforeAll(async () => {
  const make = () => generateKeyPair('ES256', { extractable: true })
  ;[first, second, third] = await Promise.all([make(), make(), make()])
})

interface SignOptions {
  readonly key?: CryptoKey
  readonly header?: Partial<JWTHeaderParameters>
}

function sign(claims: JWTPayload, { key = first.privateKey, header }: SignOptions = {}): Promise<string> {
  const payload = { aud: audience, sub: 'ada', exp: now() + 300, ...claims }
  return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: 'one', ...header }).sign(key)
}

/** An issuer that publishes keys and metadata, on loopback. Its keys can be replaced. */
async function startIssuer(pair: Pair, kid = 'one', answer?: (path: string, response: ServerResponse) => boolean) {
  const asked: string[] = []
  let keys = [{ ...(await exportJWK(pair.publicKey)), kid, alg: 'ES256', use: 'sig' }]
  const address = await serve((request, response) => {
    asked.push(request.url!)
    if (answer?.(request.url!, response)) return
    const issuer = `http://${address}`
    const metadata = { issuer, jwks_uri: `${issuer}/keys` }
    const body = request.url === '/keys' ? { keys } : request.url === '/.well-known/openid-configuration' ? metadata : undefined // biome-ignore format: one line
    response.writeHead(body ? 200 : 404, { 'Content-Type': 'application/json' }).end(JSON.stringify(body ?? {}))
  })
  return {
    issuer: `http://${address}`,
    asked,
    async rotate({ publicKey }: Pair, next: string) {
      keys = [{ ...(await exportJWK(publicKey)), kid: next, alg: 'ES256', use: 'sig' }]
    },
  }
}

function toText(identified: Identified): string {
  if (identified.kind === 'caller') return identified.caller.name
  return `${identified.kind}: ${'detail' in identified ? identified.detail : 'scope' in identified ? identified.scope : ''}`
}

/** One issuer, with the settings given. */
async function openOne(settings: Partial<Issuer> = {}, options: Partial<JwksOptions> = {}) {
  const source = await startIssuer(first)
  const { issuer } = source
  const credentials = await openJwksCredentials({ issuers: [{ issuer, audience, ...settings }], ...options })
  const identify = async (claims: JWTPayload, signing?: SignOptions) =>
    credentials.identify(await sign({ iss: issuer, ...claims }, signing))
  return {
    ...source,
    credentials,
    identify,
    name: async (claims: JWTPayload, signing?: SignOptions) => toText(await identify(claims, signing)),
    async caller(claims: JWTPayload): Promise<Caller> {
      const identified = await identify(claims)
      if (identified.kind !== 'caller') throw new Error(toText(identified))
      return identified.caller
    },
  }
}

describe('keys', () => {
  test('are found by the metadata of the issuer, which must be its own', async () => {
    const { name, asked } = await openOne()
    expect(await name({})).toBe('ada')
    expect(asked).toEqual(['/.well-known/openid-configuration', '/keys'])

    const liar = await startIssuer(first, 'one', (path, response) => {
      if (path === '/keys') return false
      response.end(JSON.stringify({ issuer: 'https://other.example', jwks_uri: 'https://other.example/keys' }))
      return true
    })
    const failures: unknown[] = []
    const credentials = await openJwksCredentials({
      issuers: [{ issuer: liar.issuer, audience }],
      onFailure: (cause) => failures.push(cause),
    })
    expect(toText(await credentials.identify(await sign({ iss: liar.issuer })))).toMatch(/^unavailable/)
    expect(String(failures[0])).toContain('describes another issuer')
  })

  test('are found by the metadata of an issuer with a path, of either form', async () => {
    for (const form of ['/.well-known/oauth-authorization-server/realm', '/realm/.well-known/openid-configuration']) {
      let issuer = ''
      const source = await startIssuer(first, 'one', (path, response) => {
        if (path !== form) return false
        response.end(JSON.stringify({ issuer, jwks_uri: `${issuer.replace('/realm', '')}/keys` }))
        return true
      })
      issuer = `${source.issuer}/realm`
      const credentials = await openJwksCredentials({ issuers: [{ issuer, audience }] })
      expect(toText(await credentials.identify(await sign({ iss: issuer }))), form).toBe('ada')
    }
  })

  test.each<[string, (path: string, response: ServerResponse) => boolean]>([
    [
      'a document of ten megabytes',
      (_, response) => Boolean(response.end(`{"a":"${'x'.repeat(10_000_000)}"}`)) || true,
    ],
    ['a redirect', (_, response) => Boolean(response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end())],
    ['keys on an unprotected host', (_, response) => Boolean(response.end(JSON.stringify({ issuer: `http://${response.req.headers.host}`, jwks_uri: 'http://keys.example/' })))], // biome-ignore format: one line
    ['keys in a file', (_, response) => Boolean(response.end(JSON.stringify({ issuer: `http://${response.req.headers.host}`, jwks_uri: 'file:///etc/passwd' })))], // biome-ignore format: one line
    ['what is no JSON', (_, response) => Boolean(response.end('<html>'))],
  ])('metadata that is %s gives none', async (_, answer) => {
    const source = await startIssuer(first, 'one', answer)
    const failures: unknown[] = []
    const credentials = await openJwksCredentials({
      issuers: [{ issuer: source.issuer, audience }],
      onFailure: (cause) => failures.push(cause),
    })
    const token = await sign({ iss: source.issuer })
    expect(toText(await credentials.identify(token))).toMatch(/^unavailable/)
    const asked = source.asked.length
    expect(toText(await credentials.identify(token))).toMatch(/^unavailable/)
    expect(source.asked.length).toBe(asked)
    expect(failures).toHaveLength(2)
  })

  test('that are rotated are loaded again for a key that is not known, and the old ones end', async () => {
    const { name, rotate, asked } = await openOne({}, { cooldownMs: 0 })
    expect(await name({})).toBe('ada')
    await rotate(second, 'two')
    expect(await name({ sub: 'bob' }, { key: second.privateKey, header: { kid: 'two' } })).toBe('bob')
    expect(await name({ sub: 'eve' })).toMatch(/does not publish/)
    expect(asked.filter((path) => path === '/keys').length).toBeGreaterThanOrEqual(2)
  })

  test('are not loaded again for every unknown key', async () => {
    const { name, asked } = await openOne()
    expect(await name({})).toBe('ada')
    for (let sent = 0; sent < 10; sent++)
      expect(await name({}, { key: second.privateKey, header: { kid: `no-${sent}` } })).toMatch(/does not publish/)
    expect(asked.filter((path) => path === '/keys')).toHaveLength(1)
  })
})

describe('hostile tokens', () => {
  const far = 86_400
  const cases: readonly [string, (own: { issuer: string; other: string }) => Promise<string>, RegExp][] = [
    ['for another audience', ({ issuer }) => sign({ iss: issuer, aud: 'https://other.example' }), /not for this server/],
    ['for audiences that only begin alike', ({ issuer }) => sign({ iss: issuer, aud: [`${audience}/`, `${audience}2`] }), /not for this server/],
    ['for the audience of the other issuer', ({ issuer }) => sign({ iss: issuer, aud: 'other' }), /not for this server/],
    ['of an unknown issuer', () => sign({ iss: 'https://attacker.example' }), /not from its issuer/],
    ['of an issuer that is written otherwise', ({ issuer }) => sign({ iss: `${issuer}/` }), /not from its issuer/],
    ['of no issuer', () => sign({}), /not from its issuer/],
    ['of an issuer that is no text', ({ issuer }) => sign({ iss: [issuer] as unknown as string }), /not from its issuer|not valid/],
    ['that has expired', ({ issuer }) => sign({ iss: issuer, exp: now() - 120 }), /expired/],
    ['that is not valid yet', ({ issuer }) => sign({ iss: issuer, nbf: now() + 120 }), /not for this server/],
    ['that never expires', ({ issuer }) => sign({ iss: issuer, exp: undefined }), /lacks a claim/],
    ['with an expiry that is no number', ({ issuer }) => sign({ iss: issuer, exp: 'never' as unknown as number }), /lacks a claim|not valid/],
    ['of one issuer, signed by another', ({ issuer }) => sign({ iss: issuer }, { key: second.privateKey }), /signature is wrong/],
    ['of one issuer, with the key id of another', ({ issuer }) => sign({ iss: issuer }, { key: second.privateKey, header: { kid: 'two' } }), /does not publish/],
    ['of the other issuer, signed by the first', ({ other }) => sign({ iss: other, aud: 'other' }, { header: { kid: 'two' } }), /signature is wrong/],
    ['with a key of its own', async ({ issuer }) => sign({ iss: issuer }, { key: third.privateKey, header: { jwk: await exportJWK(third.publicKey), kid: await calculateJwkThumbprint(await exportJWK(third.publicKey)) } }), /does not publish/],
    ['that names other keys', ({ issuer }) => sign({ iss: issuer }, { key: third.privateKey, header: { jku: 'http://127.0.0.1:1/keys' } }), /signature is wrong/],
    ['that names another certificate', ({ issuer }) => sign({ iss: issuer }, { key: third.privateKey, header: { x5u: 'http://127.0.0.1:1/', x5c: ['MIIB'] } }), /signature is wrong/],
    ['with a critical header that is not understood', ({ issuer }) => forge({ alg: 'ES256', kid: 'one', crit: ['x'], x: 1 }, { iss: issuer, aud: audience, sub: 'ada', exp: now() + far }), /not accepted|not valid/],
    ['that is not signed', async ({ issuer }) => new UnsecuredJWT({ iss: issuer, aud: audience, sub: 'ada', exp: now() + far }).encode(), /^wrong/],
    ['of the algorithm None', ({ issuer }) => forge({ alg: 'None', kid: 'one' }, { iss: issuer, aud: audience, sub: 'ada', exp: now() + far }), /^wrong/],
    ['signed with the public key as a secret', async ({ issuer }) => sharedSecret(issuer, await exportSPKI(first.publicKey)), /not accepted/],
    ['signed with the key set as a secret', async ({ issuer }) => sharedSecret(issuer, JSON.stringify(await exportJWK(first.publicKey))), /not accepted/],
    ['that is encrypted', async () => `${base64url.encode('{"alg":"dir","enc":"A256GCM"}')}..a.b.c`, /^wrong/],
    ['that is huge', ({ issuer }) => sign({ iss: issuer, more: 'x'.repeat(20_000) }), /too long/],
    ['with 10,000 groups', ({ issuer }) => sign({ iss: issuer, groups: Array.from({ length: 10_000 }, (_, index) => `g${index}`) }), /too long/],
    ['with 201 groups', ({ issuer }) => sign({ iss: issuer, groups: Array.from({ length: 201 }, (_, index) => `g${index}`) }), /no list of groups/],
    ['with groups of the wrong type', ({ issuer }) => sign({ iss: issuer, groups: { ops: true } }), /no list of groups/],
    ['with groups that are no texts', ({ issuer }) => sign({ iss: issuer, groups: ['ops', 7] }), /no list of groups/],
    ['with a group of hidden characters', ({ issuer }) => sign({ iss: issuer, groups: ['ops\u200b'] }), /no list of groups/],
    ['with an endless group', ({ issuer }) => sign({ iss: issuer, groups: ['x'.repeat(257)] }), /no list of groups/],
    ['whose groups are elsewhere, as Entra does', ({ issuer }) => sign({ iss: issuer, _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://graph.example' } } }), /no list of groups/],
    ['with a caller of the other issuer', ({ issuer }) => sign({ iss: issuer, sub: 'corp/ada' }), /names no caller/],
    ['with a group of the other issuer', ({ issuer }) => sign({ iss: issuer, groups: ['corp/ops'] }), /no list of groups/],
    ['with a caller of Toolpact', ({ issuer }) => sign({ iss: issuer, sub: 'local' }), /names no caller/],
  ] // biome-ignore format: a table

  test.each(cases)('%s', async (_, toToken, expected) => {
    const [one, two] = [await startIssuer(first), await startIssuer(second, 'two')]
    const credentials = await openJwksCredentials({
      issuers: [
        { issuer: one.issuer, audience },
        { issuer: two.issuer, name: 'corp', audience: 'other' },
      ],
    })
    const identified = await credentials.identify(await toToken({ issuer: one.issuer, other: two.issuer }))
    expect(identified.kind).toBe('wrong')
    expect(toText(identified)).toMatch(expected)
    // The same without a fault is accepted.
    expect(toText(await credentials.identify(await sign({ iss: one.issuer })))).toBe('ada')
  })

  /** Signed by nobody. */
  async function forge(header: object, payload: object): Promise<string> {
    return [...[header, payload].map((part) => base64url.encode(JSON.stringify(part))), 'AAAA'].join('.')
  }

  function sharedSecret(iss: string, secret: string): Promise<string> {
    return new SignJWT({ iss, aud: audience, sub: 'ada', exp: now() + far })
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(new TextEncoder().encode(secret))
  }
})

describe('callers of several issuers', () => {
  test('have different names, groups and claims, whatever the issuers say', async () => {
    const [one, two] = [await startIssuer(first), await startIssuer(second, 'two')]
    const credentials = await openJwksCredentials({
      issuers: [
        { issuer: one.issuer, audience },
        { issuer: two.issuer, audience, name: 'corp' },
      ],
      claims: () => ['team=a', 'corp/team=a', 'corp/team=b'],
    })
    const claims = { groups: ['ops'], team: 'a', 'corp/team': 'b' }
    expect(await credentials.identify(await sign({ iss: one.issuer, ...claims }))).toMatchObject({
      caller: { name: 'ada', via: 'jwt', issuer: one.issuer, subject: 'ada', groups: ['ops'], claims: ['team=a'] },
    })
    const other = await sign({ iss: two.issuer, ...claims }, { key: second.privateKey, header: { kid: 'two' } })
    expect(await credentials.identify(other)).toMatchObject({
      caller: { name: 'corp/ada', issuer: two.issuer, subject: 'ada', groups: ['corp/ops'], claims: ['corp/team=a'] },
    })
  })

  test('need names, of which one may be missing', async () => {
    const issuers = [{ issuer: 'https://a.example', audience }, { issuer: 'https://b.example', audience }] // biome-ignore format: one line
    await expect(openJwksCredentials({ issuers })).rejects.toThrow('need different names')
    const [a, b] = issuers
    await expect(openJwksCredentials({ issuers: [a!, { ...b!, name: 'b' }] })).resolves.toBeDefined()
    await expect(openJwksCredentials({ issuers: [a!, { ...a!, name: 'b' }] })).rejects.toThrow('the same issuer')
    await expect(openJwksCredentials({ issuers: [{ issuer: 'http://a.example', audience }] })).rejects.toThrow('https')
  })
})

describe('claims', () => {
  test.each<[string, string | undefined, JWTPayload, readonly string[] | undefined]>([
    ['a list', undefined, { groups: ['ops', 'dev', 'ops'] }, ['ops', 'dev']],
    ['one text', undefined, { groups: 'Domain Admins' }, ['Domain Admins']],
    ['none', undefined, {}, undefined],
    ['null', undefined, { groups: null }, undefined],
    ['a path, as of Keycloak', 'realm_access.roles', { realm_access: { roles: ['ops'] } }, ['ops']],
    ['a path that leads nowhere', 'realm_access.roles', { realm_access: ['roles'] }, undefined],
    ['an inherited property', 'constructor.name', {}, undefined],
    ['a name with dots, as of Auth0', 'https://id.example/groups', { 'https://id.example/groups': ['ops'] }, ['ops']],
  ])('groups can be %s', async (_, groups, claims, expected) => {
    const { caller } = await openOne({ groups })
    expect((await caller(claims)).groups).toEqual(expected)
  })

  test('the name of a caller can be another claim, beside its subject', async () => {
    const { caller, name } = await openOne({ caller: 'email' })
    expect(await caller({ email: 'ada@example.org', sub: '7' })).toMatchObject({
      name: 'ada@example.org',
      subject: '7',
    })
    expect(await name({})).toBe('wrong: The claim email names no caller that can be used.')
  })

  test('a caller has only the claims that the config names, and those of the config as it is now', async () => {
    let wanted: readonly string[] = ['department=ops', 'level=3', 'tags=b', 'admin=true', 'address.city=Ulm', 'x=[object Object]'] // biome-ignore format: one line
    const { credentials, issuer } = await openOne({}, { claims: () => wanted })
    const claims = { department: 'ops', level: 3, tags: ['a', 'b'], admin: true, address: { city: 'Ulm' }, x: {} }
    const token = await sign({ iss: issuer, ...claims })
    const read = async () => {
      const identified = await credentials.identify(token)
      return identified.kind === 'caller' ? identified.caller.claims : identified
    }
    expect(await read()).toEqual(['department=ops', 'level=3', 'tags=b', 'admin=true', 'address.city=Ulm'])
    wanted = ['tags=a', 'tags=c']
    expect(await read()).toEqual(['tags=a'])
    wanted = []
    expect(await read()).toBeUndefined()
  })

  test('clocks may differ by a minute, or as much as the config says', async () => {
    const usual = await openOne()
    expect(await usual.name({ exp: now() - 30 })).toBe('ada')
    expect(await usual.name({ nbf: now() + 30 })).toBe('ada')
    expect(await usual.name({ exp: now() - 90 })).toMatch(/expired/)
    const strict = await openOne({ skewSeconds: 0 })
    expect(await strict.name({ exp: now() - 30 })).toMatch(/expired/)
    expect(await strict.name({ nbf: now() + 30 })).toMatch(/^wrong/)
    const loose = await openOne({ skewSeconds: 300 })
    expect(await loose.name({ exp: now() - 250 })).toBe('ada')
  })
})

describe('scopes', () => {
  const scopes = { any: 'tools', safe_write: 'tools:write', dangerous: 'tools:danger' }

  test.each<[JWTPayload, Partial<Caller>]>([
    [{ scope: 'openid tools' }, { scopes: ['tools'], lacks: { safe_write: 'tools:write', dangerous: 'tools:danger' } }],
    [{ scp: 'tools tools:write' }, { scopes: ['tools', 'tools:write'], lacks: { dangerous: 'tools:danger' } }],
    [{ scp: ['tools', 'tools:danger'] }, { scopes: ['tools', 'tools:danger'], lacks: { safe_write: 'tools:write' } }],
  ])('%j', async (claims, expected) => {
    const { caller } = await openOne({ scopes })
    expect(await caller(claims)).toMatchObject(expected)
  })

  test('a token that has all of them lacks none, and without settings no scope counts', async () => {
    const { caller } = await openOne({ scopes })
    expect(await caller({ scope: 'tools tools:write tools:danger' })).not.toHaveProperty('lacks')
    const open = await openOne()
    expect(await open.caller({ scope: 'tools' })).not.toHaveProperty('scopes')
  })

  test('over HTTP: the challenge and the metadata name what a client needs', async () => {
    const { credentials, issuer } = await openOne({ scopes })
    const metadata = createMetadata([{ issuer, scopes }, { issuer: 'https://b.example' }])
    const { url, send } = await openHttp({ credentials, metadata })
    const place = `resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`
    const missing = await send('/mcp', { method: 'POST', token: null })
    expect(missing.status).toBe(401)
    expect(missing.headers['www-authenticate']).toBe(`Bearer realm="toolpact", scope="tools", ${place}`)
    const wrong = await send('/mcp', { method: 'POST', token: await sign({ iss: issuer, exp: now() - 120 }) })
    expect(wrong.headers['www-authenticate']).toBe(
      `Bearer realm="toolpact", error="invalid_token", error_description="The token has expired.", scope="tools", ${place}`,
    )
    const lacking = await send('/mcp', { body: '{}', token: await sign({ iss: issuer, scope: 'openid' }) })
    expect(lacking.status).toBe(403)
    expect(lacking.json).toMatchObject({ code: 'insufficient_scope' })
    expect(lacking.headers['www-authenticate']).toBe(
      `Bearer realm="toolpact", error="insufficient_scope", error_description="The token lacks the scope tools.", scope="tools", ${place}`,
    )
    const described = await send('/.well-known/oauth-protected-resource/mcp', { token: null })
    expect(described.json).toMatchObject({
      authorization_servers: [issuer, 'https://b.example'],
      scopes_supported: ['tools', 'tools:write', 'tools:danger'],
    })
  })
})
