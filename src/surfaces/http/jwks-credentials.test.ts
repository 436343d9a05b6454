import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import { closeServersAfterEach, serve } from '../../../test/helpers/local-servers.ts'
import { openHttp } from '../../../test/helpers/open-http.ts'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { type Issuer, type JwksOptions, openJwksCredentials } from './jwks-credentials.ts'
import { createMetadata } from './metadata.ts'

closeServersAfterEach()

const issuer = 'https://issuer.example'
const audience = 'http://127.0.0.1:7420/mcp'
let keys: { publicKey: CryptoKey; privateKey: CryptoKey }
let others: { publicKey: CryptoKey; privateKey: CryptoKey }
let keySet: string

beforeAll(async () => {
  keys = await generateKeyPair('ES256', { extractable: true })
  others = await generateKeyPair('ES256', { extractable: true })
  keySet = JSON.stringify({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }] })
})

const minutes = (count: number) => Math.floor(Date.now() / 1000) + count * 60

function sign(claims: JWTPayload = {}, { kid = 'one', key = keys.privateKey }: { kid?: string; key?: CryptoKey } = {}) {
  const payload = { iss: issuer, aud: audience, sub: 'ada', exp: minutes(5), ...claims }
  return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid }).sign(key)
}

async function open({ onFailure, ...options }: Partial<Issuer> & Pick<JwksOptions, 'onFailure'> = {}) {
  let asked = 0
  const address = await serve((_request, response) => {
    asked++
    response.setHeader('Content-Type', 'application/json')
    response.end(keySet)
  })
  const own = { jwks: `http://${address}/jwks.json`, issuer, audience, ...options }
  const credentials = await openJwksCredentials({ issuers: [own], ...(onFailure && { onFailure }) })
  const identify = async (token: string) => {
    const identified = await credentials.identify(token)
    return identified.kind === 'caller' ? identified.caller.name : `${identified.kind}: ${'detail' in identified ? identified.detail : ''}` // biome-ignore format: one line
  }
  return { credentials, identify, asked: () => asked }
}

test('a token of the issuer for this audience is the caller in its claim', async () => {
  const { identify, asked } = await open()
  const token = await sign()
  expect(await identify(token)).toBe('ada')
  expect(await identify(token)).toBe('ada')
  expect(await identify(await sign({ sub: 'auth0|77', aud: ['other', audience] }))).toBe('auth0|77')
  expect(asked()).toBe(1)
  const named = await open({ caller: 'client_id' })
  expect(await named.identify(await sign({ client_id: 'robot-7' }))).toBe('robot-7')
  expect(await named.identify(await sign())).toMatch(/^wrong/)
})

test('expired, early, foreign and incomplete tokens are wrong', async () => {
  const { identify } = await open()
  expect(await identify(await sign({ exp: minutes(-2) }))).toBe('wrong: The token has expired.')
  const claims: JWTPayload[] = [
    { exp: undefined },
    { nbf: minutes(5) },
    { iss: 'https://attacker.example' },
    { iss: `${issuer}/` },
    { iss: undefined },
    { aud: 'http://127.0.0.1:7420' },
    { aud: undefined },
    { sub: undefined },
  ]
  for (const claim of claims) expect(await identify(await sign(claim)), JSON.stringify(claim)).toMatch(/^wrong/)
})

test('a claim that cannot be the name of a caller is wrong', async () => {
  const { identify } = await open()
  for (const sub of [
    '',
    'cli',
    'ada\u3164',
    'library',
    'stdio',
    'STDIO',
    'ｓtdio',
    'public',
    'agent',
    'rules',
    'nobody',
    'local',
    'Local',
    '*',
    'a\nb',
    'a b',
    'x\u202e',
    'x'.repeat(257),
    7,
    ['ada'],
    { a: 1 },
  ])
    expect(await identify(await sign({ sub } as JWTPayload)), JSON.stringify(sub)).toMatch(/^wrong/)
})

test('a signature by another key, for another algorithm, or none is wrong', async () => {
  const { identify } = await open()
  const token = await sign()
  const [header, payload, signature] = token.split('.')
  const forged = Buffer.from(
    JSON.stringify({ ...JSON.parse(Buffer.from(payload!, 'base64url').toString()), sub: 'root' }),
  )
  expect(await identify(`${header}.${forged.toString('base64url')}.${signature}`)).toMatch(/signature is wrong/)
  expect(await identify(await sign({}, { key: others.privateKey }))).toMatch(/signature is wrong/)
  expect(await identify(`${header}.${payload}.`)).toMatch(/^wrong/)
  expect(await identify(`${header}.${payload}`)).toMatch(/^wrong/)
  expect(await identify(new UnsecuredJWT({ sub: 'ada', iss: issuer, aud: audience, exp: minutes(5) }).encode())).toMatch(/^wrong/) // biome-ignore format: one line
  // What everybody may read, used as the secret of an algorithm with a shared one.
  const secret = new TextEncoder().encode(keySet)
  const shared = (alg: string) =>
    new SignJWT({ sub: 'ada', iss: issuer, aud: audience, exp: minutes(5) }).setProtectedHeader({ alg, kid: 'one' }).sign(secret) // biome-ignore format: one line
  for (const alg of ['HS256', 'HS384', 'HS512']) expect(await identify(await shared(alg))).toMatch(/not accepted/)
  for (const garbage of ['x', '..', 'a.b.c', 'x'.repeat(9000)]) expect(await identify(garbage)).toMatch(/^wrong/)
})

test('an unknown key is wrong, and asking for it again and again does not burden the issuer', async () => {
  const { identify, asked } = await open()
  for (let sent = 0; sent < 20; sent++)
    expect(await identify(await sign({}, { kid: `unknown-${sent}`, key: others.privateKey }))).toMatch(
      /does not publish/,
    )
  expect(asked()).toBeLessThanOrEqual(2)
})

test('keys come from a file too, and a new file is noticed', async () => {
  const path = join(makeFolder(), 'jwks.json')
  writeFileSync(path, keySet)
  const { identify } = await open({ jwks: path })
  expect(await identify(await sign())).toBe('ada')
  const renewed = { keys: [{ ...(await exportJWK(others.publicKey)), kid: 'two', alg: 'ES256' }] }
  writeFileSync(path, JSON.stringify(renewed, null, 2))
  expect(await identify(await sign({}, { kid: 'two', key: others.privateKey }))).toBe('ada')
  expect(await identify(await sign({ sub: 'eve' }))).toMatch(/^wrong/)
})

test('keys that cannot be loaded are a failure here, not of the token', async () => {
  const failures: unknown[] = []
  const onFailure = (cause: unknown) => failures.push(cause)
  const broken = await serve((_request, response) => response.writeHead(500).end())
  const redirecting = await serve((_request, response) =>
    response.writeHead(302, { Location: `http://${broken}/` }).end(),
  )
  for (const jwks of [
    `http://${broken}/`,
    `http://${redirecting}/`,
    'http://127.0.0.1:1/',
    join(makeFolder(), 'none.json'),
  ]) {
    const { identify } = await open({ jwks, onFailure })
    expect(await identify(await sign()), jwks).toMatch(/^unavailable/)
  }
  expect(failures).toHaveLength(4)
})

test('keys are loaded over https, or from this machine alone', async () => {
  for (const jwks of [
    'http://issuer.example/jwks',
    'http://localhost.attacker.example/',
    'ftp://issuer.example/',
    'jwks.json',
  ])
    await expect(open({ jwks }), jwks).rejects.toThrow(/http\.auth\.jwks/)
})

test('over HTTP: a client without a token learns where to get one', async () => {
  const { credentials } = await open()
  const { url, send } = await openHttp({ credentials })
  const missing = await send('/mcp', { method: 'POST', token: null })
  expect(missing.status).toBe(401)
  expect(missing.headers['www-authenticate']).toContain(
    `resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`,
  )
  const expired = await send('/mcp', { method: 'POST', token: await sign({ exp: minutes(-2) }) })
  expect(expired.headers['www-authenticate']).toContain(
    'error="invalid_token", error_description="The token has expired."',
  )
  expect((await send('/mcp', { body: '{}', token: await sign() })).json.caller).toBe('ada')
})

test('the metadata names the resource as the client reached it, and the issuer', async () => {
  const { credentials } = await open()
  const { url, send } = await openHttp({
    credentials,
    trustedProxies: ['127.0.0.1'],
    hosts: ['tools.example'],
    metadata: createMetadata([{ issuer }]),
  })
  const read = async (path: string, headers = {}) => (await send(path, { token: null, headers })).json
  expect(await read('/.well-known/oauth-protected-resource/mcp')).toMatchObject({
    resource: `${url}/mcp`,
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
  })
  expect((await read('/.well-known/oauth-protected-resource')).resource).toBe(url)
  const proxied = { Host: 'tools.example', 'X-Forwarded-Proto': 'https' }
  expect((await read('/.well-known/oauth-protected-resource/mcp', proxied)).resource).toBe('https://tools.example/mcp')
})
