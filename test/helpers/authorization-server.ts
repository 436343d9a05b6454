import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Configuration } from 'oidc-provider'
import { readBody } from './read-body.ts'

/** A real authorization server on loopback, in this process. */
export interface AuthorizationServer {
  readonly issuer: string
  /** Method and path of each request, in order. */
  readonly requests: readonly string[]
  /** Access and refresh tokens that it has issued. */
  readonly issued: readonly string[]
  /** How often the token endpoint was asked for each grant. */
  count(grant: string): number
  /** Does what a person would: opens the address, logs in, consents. Resolves to the address that the browser is sent to. */
  logIn(url: string, person: string): Promise<URL>
  close(): Promise<void>
}

export interface AuthorizationServerOptions {
  /** Seconds until an access token expires. */
  readonly accessTokenSeconds?: number
  /** The protected resources that tokens may be for. */
  readonly resources?: readonly string[]
  readonly scopes?: readonly string[]
  readonly configuration?: Partial<Configuration>
  /** Adds to what the provider can do. */
  readonly extend?: (provider: Provider) => void
  /** Answers instead of the provider, if it returns true: for issuers with ways of their own. */
  readonly answer?: (request: IncomingMessage, response: ServerResponse, body: Buffer) => boolean
}

export async function startAuthorizationServer(options: AuthorizationServerOptions = {}): Promise<AuthorizationServer> {
  const { accessTokenSeconds = 3600, resources, scopes = ['read', 'write'] } = options
  const requests: string[] = []
  const grants: string[] = []
  let handle: ReturnType<Provider['callback']> | undefined
  const server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url}`)
    if (!options.answer) return handle!(request, response)
    const body = await readBody(request)
    if (!body) return
    if (options.answer(request, response, body)) return
    // The provider takes a body that was read already, with a warning.
    Object.assign(request, { body: body.toString() })
    handle!(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clientDefaults: { grant_types: ['authorization_code', 'refresh_token'] },
    scopes: ['openid', 'offline_access', ...scopes],
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    ttl: { AccessToken: accessTokenSeconds },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    ...options.configuration,
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: true },
      revocation: { enabled: true },
      clientCredentials: { enabled: true },
      deviceFlow: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo(_context, indicator) {
          if (resources && !resources.includes(indicator)) throw new Error('invalid_target')
          return {
            scope: scopes.join(' '),
            audience: indicator,
            accessTokenFormat: 'jwt',
            accessTokenTTL: accessTokenSeconds,
          }
        },
      },
      ...options.configuration?.features,
    },
  })
  options.extend?.(provider)
  const issued: string[] = []
  provider.on('grant.success', (context) => {
    grants.push(String(context.oidc.params?.grant_type))
    const { access_token: access, refresh_token: refresh } = context.body as { [name: string]: string | undefined }
    issued.push(...[access, refresh].filter((token) => token !== undefined))
  })
  handle = provider.callback()
  return {
    issuer,
    requests,
    issued,
    count: (grant) => grants.filter((one) => one === grant).length,
    logIn: (url, person) => browse(url, person, issuer),
    close: () => close(server),
  }
}

/** Follows redirects and fills in the forms of the development pages, until the browser would leave the issuer. */
async function browse(start: string, person: string, issuer: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let [url, body] = [new URL(start), undefined as URLSearchParams | undefined]
  for (let step = 0; step < 20; step++) {
    const response = await fetch(url, {
      method: body ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(body && { body }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
      cookies.set(name!, value!)
    }
    const location = response.headers.get('location')
    const page = await response.text()
    body = undefined
    if (location !== null) {
      url = new URL(location, url)
      if (url.origin !== issuer) return url
      continue
    }
    const [form, action] = /<form[^>]+action="([^"]+)"[\s\S]*?<\/form>/.exec(page) ?? []
    // A login on another device ends with a page of the issuer.
    if (form === undefined && response.status === 200 && url.pathname.startsWith('/device')) return url
    if (form === undefined) throw new Error(`The login ended with ${response.status}: ${page.slice(0, 500)}`)
    url = new URL(action!, url)
    body = new URLSearchParams(readHidden(form))
    if (body.get('prompt') === 'login') for (const [name, value] of [['login', person], ['password', 'any']] as const) body.set(name, value) // biome-ignore format: one line
  }
  throw new Error('The login did not end.')
}

/** The hidden fields of a form. */
function readHidden(form: string): [string, string][] {
  const inputs = [...form.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([input]) => input)
  const read = (input: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(input)?.[1] ?? ''
  return inputs.map((input) => [read(input, 'name'), read(input, 'value')])
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}
