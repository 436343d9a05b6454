import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeJwt, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import type Provider from 'oidc-provider'
import { expect, test } from 'vitest'
import { withCallerToken } from '../../src/contract/caller-token.ts'
import { ask, openLoginStage } from '../helpers/open-login-stage.ts'
import { useServeFolders } from '../helpers/open-serve.ts'

const openServeFolder = useServeFolders()

const client = {
  client_id: 'toolpact',
  client_secret: 'the secret of this client',
  grant_types: ['client_credentials'],
  redirect_uris: [],
  response_types: [],
}

const withGrant = (grant: string) => ({
  clients: [{ ...client, grant_types: [...client.grant_types, grant] } as never],
})

const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })

/** A token of a caller for Toolpact, as its issuer would sign it. */
const sign = (subject: string) => new SignJWT({}).setProtectedHeader({ alg: 'RS256' }).setSubject(subject).setIssuer('https://people.example').setAudience('toolpact').setExpirationTime('5 min').sign(privateKey) // biome-ignore format: one line

/** Adds a grant that exchanges tokens of callers. `seen`: the parameters of each request. */
function toExchange(grant: string, names: readonly string[], subjectName: string, seen: object[]) {
  return (provider: Provider) =>
    provider.registerGrantType(
      grant,
      async (context) => {
        const { client: own, params } = context.oidc
        seen.push({ ...params })
        const { payload } = await jwtVerify(String(params![subjectName]), publicKey, { audience: 'toolpact' })
        const resource = String(params!.resource ?? params!.audience)
        const made = new provider.Grant({ accountId: payload.sub!, clientId: own!.clientId })
        made.addResourceScope(resource, 'read')
        const token = new provider.AccessToken({ accountId: payload.sub!, client: own!, grantId: await made.save(), gty: 'exchange', scope: 'read' } as never) // biome-ignore format: one line
        Object.assign(token, { resourceServer: new (provider as never as { ResourceServer: new (id: string, info: object) => object }).ResourceServer(resource, { scope: 'read', audience: resource, accessTokenFormat: 'jwt', accessTokenTTL: 300 }) }) // biome-ignore format: one line
        context.body = { access_token: await token.save(), token_type: 'Bearer', expires_in: 300, issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' } // biome-ignore format: one line
      },
      [...names],
      ['resource'],
    )
}

const rfc8693 = ['subject_token', 'subject_token_type', 'requested_token_type', 'resource', 'audience', 'scope']

test('the token of each caller is exchanged once, and never passed on or left anywhere', async () => {
  const seen: { [name: string]: string }[] = []
  const grant = 'urn:ietf:params:oauth:grant-type:token-exchange'
  const stage = await openLoginStage({
    configuration: withGrant(grant),
    extend: toExchange(grant, rfc8693, 'subject_token', seen),
  })
  const authorization = { mode: 'exchange', clientId: client.client_id, clientSecret: client.client_secret, scopes: ['read'] } // biome-ignore format: one line
  const toolpact = await stage.open({ authorization })
  const tokens = [await sign('ada'), await sign('grace')]
  const [ada, grace] = [
    withCallerToken({ name: 'ada', issuer: 'https://people.example', subject: 'ada', via: 'jwt' }, tokens[0]!),
    withCallerToken({ name: 'grace', issuer: 'https://people.example', subject: 'grace', via: 'jwt' }, tokens[1]!),
  ]
  const answers = await Promise.all([ada, ada, grace, ada].map((caller) => ask(toolpact, 'whoami', caller)))
  expect(answers.map((text) => /You are \w+/.exec(text)?.[0])).toEqual(['You are ada', 'You are ada', 'You are grace', 'You are ada']) // biome-ignore format: one line
  expect(seen.map(({ subject_token }) => decodeJwt(subject_token!).sub).sort()).toEqual(['ada', 'grace'])
  expect(seen[0]).toMatchObject({ resource: stage.mail.url, requested_token_type: 'urn:ietf:params:oauth:token-type:access_token' }) // biome-ignore format: one line
  for (const token of tokens) expect(stage.mail.seen).not.toContain(token)

  // The server rejects what was exchanged: once more, during the call.
  for (const token of stage.mail.seen) stage.mail.reject(token)
  expect(await ask(toolpact, 'whoami', ada)).toContain('You are ada')
  expect(seen).toHaveLength(3)

  // The same name by another way of authentication, or with fewer scopes, is not the same caller.
  expect(await ask(toolpact, 'whoami', { name: 'ada', via: 'token' })).toMatch(/^credential_required: .*ada presented none/) // biome-ignore format: one line
  expect(await ask(toolpact, 'whoami')).toMatch(/^credential_required: .*signed token \(JWT\)/)
  expect(await ask(toolpact, 'whoami', withCallerToken({ ...ada, scopes: ['tools:read'] }, tokens[0]!))).toContain('You are ada') // biome-ignore format: one line
  expect(seen).toHaveLength(4)

  await toolpact.close()
  const left = readAll(stage.state)
  expect(left).toContain('mail.whoami')
  for (const secret of [...tokens, ...stage.mail.seen, client.client_secret]) expect(left).not.toContain(secret)
})

test('over HTTP, the token that a request carries is exchanged, and its caller served as that person', async () => {
  const seen: { [name: string]: string }[] = []
  const grant = 'urn:ietf:params:oauth:grant-type:token-exchange'
  const stage = await openLoginStage({
    configuration: withGrant(grant),
    extend: toExchange(grant, rfc8693, 'subject_token', seen),
  })
  const { folder, start } = openServeFolder()
  const authorization = { mode: 'exchange', clientId: client.client_id, clientSecret: client.client_secret, scopes: ['read'] } // biome-ignore format: one line
  const auth = { issuer: 'https://people.example', audience: 'toolpact', jwks: 'keys.json' }
  writeFileSync(join(folder, 'keys.json'), JSON.stringify({ keys: [await exportJWK(publicKey)] }))
  writeFileSync(join(folder, 'exchange.json'), JSON.stringify({ ...stage.toConfig({ authorization }), toolsets: ['mail'], http: { auth } })) // biome-ignore format: one line
  const { send } = await start(['--config', join(folder, 'exchange.json')])
  const tokens = [await sign('ada'), await sign('grace')]
  const answers = await Promise.all(tokens.map((token) => send('/v1/tools/mail.whoami', { token, body: '{}' })))
  expect(answers.map(({ text }) => /You are \w+/.exec(text)?.[0])).toEqual(['You are ada', 'You are grace'])
  expect(seen.map(({ subject_token }) => subject_token).sort()).toEqual([...tokens].sort())
  for (const token of tokens) expect(stage.mail.seen).not.toContain(token)
})

test('Entra exchanges by its own grant, on behalf of the user', async () => {
  const seen: { [name: string]: string }[] = []
  const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
  const names = ['assertion', 'requested_token_use', 'scope', 'resource', 'audience']
  const stage = await openLoginStage({
    configuration: withGrant(grant),
    extend: toExchange(grant, names, 'assertion', seen),
  })
  // The real one derives the audience from the scope.
  const authorization = { mode: 'exchange', quirks: 'entra', resource: stage.mail.url, clientId: client.client_id, clientSecret: client.client_secret, scopes: ['read'] } // biome-ignore format: one line
  const toolpact = await stage.open({ authorization })
  const ada = withCallerToken({ name: 'ada', issuer: 'https://people.example', subject: 'ada', via: 'jwt' }, await sign('ada')) // biome-ignore format: one line
  expect(await ask(toolpact, 'whoami', ada)).toContain('You are ada')
  expect(seen).toEqual([
    expect.objectContaining({ requested_token_use: 'on_behalf_of', assertion: expect.any(String), scope: 'read' }),
  ])
})

test('a token that its issuer does not exchange is a declared error, and one that comes back is not used', async () => {
  const token = await sign('ada')
  const stage = await openLoginStage({
    configuration: { clients: [client as never] },
    answer(request, response, body) {
      const sent = new URLSearchParams(body.toString())
      if (request.url !== '/token' || sent.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:token-exchange') return false // biome-ignore format: one line
      const isKnown = sent.get('subject_token') === token
      const answer = isKnown ? { access_token: token, token_type: 'Bearer', issued_token_type: 'x' } : { error: 'invalid_grant', error_description: 'the token has expired' } // biome-ignore format: one line
      response.writeHead(isKnown ? 200 : 400, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
      return true
    },
  })
  const authorization = { mode: 'exchange', clientId: client.client_id, clientSecret: client.client_secret, scopes: ['read'] } // biome-ignore format: one line
  const toolpact = await stage.open({ authorization })
  const toCaller = (raw: string) => withCallerToken({ name: 'ada', issuer: 'https://people.example', subject: 'ada', via: 'jwt' }, raw) // biome-ignore format: one line
  expect(await ask(toolpact, 'whoami', toCaller(token))).toMatch(/^upstream_unavailable: .*the token of the caller itself, which is not passed on/) // biome-ignore format: one line
  expect(await ask(toolpact, 'whoami', toCaller(await sign('other')))).toMatch(/^credential_required: .*invalid_grant: the token has expired/) // biome-ignore format: one line
  expect(stage.mail.seen).not.toContain(token)
})

/** Everything in a folder, as one text. */
function readAll(folder: string): string {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  return paths.map((path) => (statSync(path).isFile() ? readFileSync(path, 'latin1') : '')).join('\n')
}
