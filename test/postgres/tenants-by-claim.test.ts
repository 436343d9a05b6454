import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { openBrowser } from '../helpers/open-console.ts'
import { send } from '../helpers/open-http.ts'
import { hasPostgres } from '../helpers/postgres-cluster.ts'
import { usePostgresTenants } from './open-tenants.ts'

const { openTenantFolder } = await usePostgresTenants()

const keys = await generateKeyPair('ES256', { extractable: true })
const others = await generateKeyPair('ES256', { extractable: true })
const auth = { jwks: 'keys.json', issuer: 'https://issuer.example', audience: 'toolpact' }
const names = { acme: {}, globex: {} }

async function sign(claims: JWTPayload, key = keys.privateKey) {
  const payload = {
    iss: auth.issuer,
    aud: auth.audience,
    sub: 'ada',
    exp: Math.floor(Date.now() / 1000) + 300,
    ...claims,
  }
  return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(key)
}

async function openClaims(tenants: object, own = {}) {
  const opened = openTenantFolder({ toolsets: ['learning'], http: { auth }, tenants } as never, own)
  opened.write('keys.json', { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }] })
  return { ...opened, ...(await opened.start()) }
}

const helloPath = '/v1/tools/learning.hello'
const body = '{"name":"Ada"}'

describe.skipIf(!hasPostgres)('tenants of one server, by the claim of a token', () => {
  test('have calls and sessions of MCP apart, for callers with the same name', async () => {
    const { url, run } = await openClaims({ by: 'claim', claim: 'org', names })
    const [acme, globex] = [await sign({ org: 'acme' }), await sign({ org: 'globex' })]
    const initialize = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } } }) // biome-ignore format: one line
    const accept = { Accept: 'application/json, text/event-stream' }
    const begun = await send(`${url}/mcp`, { token: acme, body: initialize, headers: accept })
    const session = { ...accept, 'Mcp-Session-Id': begun.headers['mcp-session-id'] as string }
    expect(begun.status).toBe(200)
    const list = { body: '{"jsonrpc":"2.0","id":2,"method":"tools/list"}', headers: session }
    expect((await send(`${url}/mcp`, { token: acme, ...list })).text).toContain('hello')
    expect((await send(`${url}/mcp`, { token: globex, ...list })).status).toBe(404)
    for (const token of [acme, acme, globex]) expect((await send(`${url}${helloPath}`, { token, body })).status).toBe(200) // biome-ignore format: one line
    const count = async (tenant: string) => (await run(['ledger', '--json'], tenant)).stdout.trim().split('\n').length
    expect([await count('acme'), await count('globex')]).toEqual([2, 1])
    expect((await run(['verify'], 'acme')).code).toBe(0)
  })

  test('tokens without a tenant, of another issuer, or of tenants that do not exist get one answer', async () => {
    const { url, output } = await openClaims({ by: 'claim', names })
    expect((await send(`${url}${helloPath}`, { token: await sign({ tenant: 'acme' }), body })).status).toBe(200)
    const hostile = ['Acme', 'ACME', 'acme ', 'acme/../globex', '../acme', '', '.', 'default', 'a'.repeat(5000), 'аcme', 'acme\u0000', '__proto__', 'constructor'] // biome-ignore format: one line
    const wrong = [...hostile, undefined, null, 7, ['acme'], { acme: true }].map((tenant) => sign({ tenant } as JWTPayload)) // biome-ignore format: one line
    const answers = await Promise.all(
      [...wrong, sign({ tenant: 'acme', aud: 'other' })].map(async (token) => send(`${url}${helloPath}`, { token: await token, body })), // biome-ignore format: one line
    )
    for (const { status, text, headers } of answers)
      expect([status, text, headers['www-authenticate']]).toEqual([401, answers[0]!.text, answers[0]!.headers['www-authenticate']]) // biome-ignore format: one line
    expect(answers[0]!.text).not.toMatch(/acme|globex/)
    const forged = await send(`${url}${helloPath}`, { token: await sign({ tenant: 'acme' }, others.privateKey), body })
    expect(forged.status).toBe(401)
    expect(output.stderr).toBe('')
  })

  test('links and sessions of a console tell their tenant, and are valid in no other', async () => {
    const { url, run, port } = await openClaims({ by: 'claim', names })
    const makeLink = async (name: string) => (await run(['open', '--print', '--port', `${port}`], name)).stdout.trim()
    const link = await makeLink('acme')
    expect(link).toMatch(new RegExp(`^${url}/console\\?once=acme\\.[\\w-]{43}$`))
    for (const foreign of [link.replace('acme.', 'globex.'), link.replace('acme.', 'nobody.'), link.replace('acme.', '')]) // biome-ignore format: one line
      expect((await send(foreign, { token: null })).status).toBe(401)
    const signed = await send(link, { token: null })
    expect(signed.status).toBe(303)
    const cookie = signed.headers['set-cookie']![0]!.split(';')[0]!
    await send(`${url}${helloPath}`, { token: await sign({ tenant: 'acme' }), body })
    await send(`${url}${helloPath}`, { token: await sign({ tenant: 'globex', sub: 'eve' }), body })
    const calls = await openBrowser(url, cookie).get('calls')
    expect(calls.json.calls.map(({ caller }: { caller: string }) => caller)).toEqual(['ada'])
    for (const forged of [cookie.replace('acme.', 'globex.'), cookie.replace('acme.', ''), cookie.replace('acme.', 'x.')]) // biome-ignore format: one line
      expect((await openBrowser(url, forged).get('calls')).status).toBe(401)
    // No server can be added there: it would run as the user who serves.
    const added = await openBrowser(url, cookie).post('servers/add', { text: 'npx -y some-server', confirmed: true })
    expect(added.status).toBeGreaterThanOrEqual(400)
    expect((await openBrowser(url, cookie).get('clients')).text).not.toContain('--config')
  })

  test('by host, the claim must name the tenant of the host', async () => {
    const urls = { acme: { url: 'https://acme.example' }, globex: { url: 'https://globex.example' } }
    const { sendTo } = await openClaims({ by: 'host', names: urls })
    const token = await sign({ tenant: 'acme' })
    expect((await sendTo('acme.example', helloPath, { token, body })).status).toBe(200)
    expect((await sendTo('globex.example', helloPath, { token, body })).status).toBe(401)
    expect((await sendTo('acme.example', helloPath, { token: await sign({}), body })).status).toBe(401)
  })

  test('that are idle are closed, and opened again; beyond the limit the one that was idle longest makes room', async () => {
    const { url, sql } = await openClaims({ by: 'claim', names: { ...names, third: {} }, maxOpen: 1, idleMs: 1000 })
    for (let round = 0; round < 3; round++)
      for (const tenant of ['acme', 'globex', 'third'])
        expect((await send(`${url}${helloPath}`, { token: await sign({ tenant }), body })).status).toBe(200)
    const writers = 'SELECT count(DISTINCT writer) FROM ledger'
    for (const tenant of ['acme', 'globex', 'third']) expect(sql(tenant, writers)).toBe('3')
  })
})
