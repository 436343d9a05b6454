import { expect, test } from 'vitest'
import { ask, logIn, openLoginStage } from '../helpers/open-login-stage.ts'

const client = {
  client_id: '5d1f6a1e-0000-4000-8000-000000000000',
  redirect_uris: ['http://127.0.0.1:7421/callback'],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
} as const

/** An issuer that behaves as Entra does: OpenID metadata only, no registration, and it rejects `resource`. */
async function openEntra() {
  const rejected: string[] = []
  let mail = ''
  const stage = await openLoginStage({
    scopes: ['read', 'write', 'api://mail/.default'],
    configuration: {
      clients: [client as never],
      features: {
        registration: { enabled: false },
        resourceIndicators: {
          enabled: true,
          useGrantedResource: () => true,
          // The audience follows from the scope there.
          defaultResource: () => mail,
          getResourceServerInfo: () => ({ scope: 'read write api://mail/.default', audience: mail, accessTokenFormat: 'jwt', accessTokenTTL: 3600 }), // biome-ignore format: one line
        },
      },
    },
    answer(request, response, body) {
      const { url = '' } = request
      if (url.startsWith('/.well-known/oauth-authorization-server')) return end(404, {})
      const query = new URLSearchParams(request.method === 'POST' ? body.toString() : url.split('?')[1])
      if (!query.has('resource') || !(url.startsWith('/auth?') || url === '/token')) return false
      rejected.push(url.split('?')[0]!)
      return end(400, { error: 'invalid_target', error_description: 'AADSTS9010010: The resource parameter provided in the request does not match with the requested scopes.' }) // biome-ignore format: one line
      function end(status: number, answer: object) {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
        return true
      }
    },
  })
  mail = stage.mail.url
  return { ...stage, rejected }
}

test('Entra: no resource is sent, the default scope is asked for, and the connection is renewed', async () => {
  const stage = await openEntra()
  const authorization = { quirks: 'entra', clientId: client.client_id, scopes: ['api://mail/.default'] }
  const toolpact = await stage.open({ authorization })
  const login = await toolpact.connections!.begin('mail', { redirectUri: client.redirect_uris[0] })
  expect(Object.fromEntries(new URL(login.url).searchParams)).toMatchObject({ client_id: client.client_id, scope: 'api://mail/.default offline_access' }) // biome-ignore format: one line
  expect(new URL(login.url).searchParams.has('resource')).toBe(false)
  await logIn(toolpact, stage, { person: 'olga' })
  expect(await ask(toolpact)).toContain('You are olga.')
  stage.mail.reject(stage.mail.seen.at(-1)!)
  expect(await ask(toolpact)).toContain('You are olga.')
  expect(stage.issuer.count('refresh_token')).toBe(1)
  expect(stage.rejected).toEqual([])
})

test('without the switch, what Entra answers says which setting helps', async () => {
  const stage = await openEntra()
  const toolpact = await stage.open({ authorization: { clientId: client.client_id } })
  const login = await toolpact.connections!.begin('mail', { redirectUri: client.redirect_uris[0] })
  expect(new URL(login.url).searchParams.get('resource')).toBe(stage.mail.url)
  expect((await fetch(login.url)).status).toBe(400)
  const answer = new URLSearchParams({ state: new URL(login.url).searchParams.get('state')!, error: 'invalid_target', error_description: 'AADSTS9010010: no', iss: stage.issuer.issuer }) // biome-ignore format: one line
  await expect(login.finish(answer)).rejects.toThrow('Set "authorization": { "resource": false } of the server')
})

test('an issuer that registers nobody asks for a client id, and names where Entra has it', async () => {
  const stage = await openEntra()
  const plain = await stage.open({})
  await expect(logIn(plain, stage, { person: 'olga' })).rejects.toThrow(/registers no clients by itself.*"clientId"/)
  const entra = await stage.open({ authorization: { quirks: 'entra' } })
  await expect(logIn(entra, stage, { person: 'olga' })).rejects.toThrow('the Microsoft Entra admin center')
})
