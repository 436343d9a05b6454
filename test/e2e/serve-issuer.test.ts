import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { useServeFolders } from '../helpers/open-serve.ts'

const openServeFolder = useServeFolders()

test('with an issuer in the config, its tokens are accepted and no others, and their claim names the caller', async () => {
  const { start, run, folder } = openServeFolder()
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256' }] }
  writeFileSync(join(folder, 'keys.json'), JSON.stringify(keys))
  const auth = { jwks: 'keys.json', issuer: 'https://issuer.example', audience: 'tools', caller: 'client' }
  writeFileSync(join(folder, 'own.json'), JSON.stringify({ toolsets: ['learning'], http: { auth } }))
  const local = (await run(['token'])).stdout.trim()
  const { url, send } = await start(['--config', 'own.json'])
  const sign = (claims: { [name: string]: string }) =>
    new SignJWT({ client: 'robot', ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer('https://issuer.example')
      .setAudience(claims.aud ?? 'tools')
      .setExpirationTime('5 min')
      .sign(privateKey)
  const call = (token: string | null) => send('/v1/tools/learning.hello', { body: '{"name":"Ada"}', token })
  expect((await call(await sign({}))).status).toBe(200)
  expect((await call(await sign({ aud: 'other' }))).status).toBe(401)
  expect((await call(local)).status).toBe(401)
  const { status, headers } = await call(null)
  expect(status).toBe(401)
  expect(headers['www-authenticate']).toContain(`resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`)
  const metadata = await send('/.well-known/oauth-protected-resource/mcp', { token: null })
  expect(metadata.json).toMatchObject({ resource: `${url}/mcp`, authorization_servers: ['https://issuer.example'] })
  const [record] = (await run(['ledger', '--json'])).stdout.split('\n')
  expect(JSON.parse(record!)).toMatchObject({ caller: { name: 'robot' } })
})

test('without an issuer there is no such metadata', async () => {
  const { start } = openServeFolder()
  const { send } = await start()
  expect((await send('/.well-known/oauth-protected-resource')).status).toBe(404)
})
