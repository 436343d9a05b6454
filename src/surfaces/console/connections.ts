import type { Toolpact } from '../../app/app.ts'
import { operator } from '../../contract/principal.ts'
import type { Person } from '../http/route.ts'
import type {
  ConnectedRequest,
  ConnectedResponse,
  ConnectionList,
  ConnectionRow,
  ConnectOffer,
  ConnectRequest,
  ConnectResponse,
} from './api/connections.ts'
import type { ActionResponse } from './api/rules.ts'
import { type Endpoint, Refusal } from './endpoint.ts'
import { hasRight } from './person.ts'

type Logins = NonNullable<Toolpact['connections']>

/** Connections to servers that people log in to. They need no right: everyone manages their own. */
export const connectionEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: 'connections',
    async handle({ person }, { toolpact }): Promise<ConnectionList> {
      const owner = toOwnOwner(person)
      const servers = listServers(toolpact)
      if (owner === undefined || servers.length === 0) return { owner: owner ?? null, connections: [] }
      const connected = await requireLogins(toolpact).list({ owner })
      return { owner, connections: servers.map((server) => toRow(server, connected)) }
    },
  },
  {
    method: 'GET',
    path: 'connections/{server}',
    async handle({ person, params, query, signal }, { toolpact }): Promise<ConnectOffer> {
      const server = findServer(toolpact, params.server!)
      const logins = requireLogins(toolpact)
      const owner = await findOwner(logins, person, query.get('for') ?? undefined)
      const offer = await explained(logins.discover(server, signal))
      if (!offer) throw new Refusal('conflict', `The server ${server} requires no login: it answers without one.`)
      const missing = toScopes(query.get('scope') ?? undefined)
      return {
        ...{ server, owner, missing, issuer: offer.issuer },
        isOwn: owner === toOwnOwner(person),
        scopes: [...new Set([...toScopes(offer.scope), ...missing])],
        state: toRow(server, await logins.list({ owner, server })).state,
      }
    },
  },
  {
    method: 'POST',
    path: 'connections/{server}/begin',
    body: 'ConnectRequest',
    async handle({ person, params, body, signal }, { toolpact, url }): Promise<ConnectResponse> {
      const server = findServer(toolpact, params.server!)
      const logins = requireLogins(toolpact)
      const { for: link, scope } = body as ConnectRequest
      const owner = await findOwner(logins, person, link)
      const more = toScopes(scope).join(' ')
      const options = { owner, by: toBy(person), redirectUri: `${url}/console/connected`, signal, ...(more && { scope: more }) } // biome-ignore format: one line
      const login = await explained(logins.begin(server, options))
      return { url: login.url, pending: login.pending }
    },
  },
  {
    method: 'POST',
    path: 'connected',
    body: 'ConnectedRequest',
    async handle({ person, body, signal }, { toolpact }): Promise<ConnectedResponse> {
      const { pending, answer } = body as unknown as ConnectedRequest
      const finished = requireLogins(toolpact).finish(pending, new URLSearchParams(answer), {
        by: toBy(person),
        signal,
      })
      const { server, owner, issuer } = await explained(finished)
      return { server, owner, issuer }
    },
  },
  {
    method: 'POST',
    path: 'connections/{server}/remove',
    async handle({ person, params }, { toolpact }): Promise<ActionResponse> {
      const server = findServer(toolpact, params.server!)
      const owner = toOwnOwner(person)
      if (owner === undefined) throw toNoCaller(person)
      const removed = await explained(requireLogins(toolpact).remove(server, owner))
      if (!removed.removed) throw new Refusal('not_found', `You are not connected to ${server}.`)
      const rest = removed.revoked ? '' : ` Its tokens may still work until they expire${removed.fault === undefined ? '' : `: ${removed.fault}`}.` // biome-ignore format: one line
      return { message: `You are no longer connected to ${server}.${rest}` }
    },
  },
]

/** Whose connections are a person's own: those of the operator for one who signed in by a link of all rights. */
function toOwnOwner(person: Person): string | undefined {
  if (person.issuer !== undefined) return person.name
  return hasRight(person, 'manage') ? operator : undefined
}

/** A login is finished by the person who began it. */
function toBy({ name, issuer, subject }: Person): string {
  return JSON.stringify(issuer === undefined ? [name] : [issuer, subject])
}

/**
 * The caller that a person connects. A link names another one only if Toolpact made it: a caller of an issuer is the person who
 * signed in there with the same subject, and all other callers are clients of the operator.
 */
async function findOwner(logins: Logins, person: Person, link: string | undefined): Promise<string> {
  if (link === undefined) {
    const owner = toOwnOwner(person)
    if (owner !== undefined) return owner
    throw toNoCaller(person)
  }
  const linked = await logins.readLink(link)
  if (!linked) throw new Refusal('invalid_request', 'This link is not valid: it was changed, or is of another server.', 'Call the tool again, and open the link of its answer.') // biome-ignore format: one line
  const { owner, issuer, subject } = linked
  const isTheirs = issuer === undefined ? person.issuer === undefined && hasRight(person, 'manage') : person.issuer === issuer && person.subject === subject // biome-ignore format: one line
  if (isTheirs) return owner
  const who =
    issuer === undefined ? 'The operator must open it.' : `It must be opened by that person, signed in at ${issuer}.`
  throw new Refusal('right_missing', `This link is for ${owner}, and you are signed in as ${person.name}. ${who}`, 'Sign out, and sign in as that person.') // biome-ignore format: one line
}

function toNoCaller({ name }: Person): Refusal {
  return new Refusal('right_missing', `${name} signed in by a link without the right 'manage', and so has no connections.`, 'Sign in as the operator: toolpact open') // biome-ignore format: one line
}

function requireLogins({ connections }: Toolpact): Logins {
  if (connections) return connections
  throw new Refusal('conflict', 'This storage keeps no connections.')
}

/** The servers that each caller logs in to. */
function listServers({ config: { mcpServers = {} } }: Toolpact): string[] {
  const servers = Object.entries(mcpServers)
  return servers.filter(([, { authorization }]) => authorization && (authorization.mode ?? 'user') === 'user').map(([name]) => name) // biome-ignore format: one line
}

function findServer(toolpact: Toolpact, name: string): string {
  if (listServers(toolpact).includes(name)) return name
  throw new Refusal('not_found', 'There is no server of this name that people log in to.', 'Run toolpact mcp list to see the servers.') // biome-ignore format: one line
}

function toRow(server: string, connected: Awaited<ReturnType<Logins['list']>>): ConnectionRow {
  const found = connected.find((one) => one.server === server)
  if (!found) return { server, state: 'missing', issuer: null, connectedAt: null, renewedAt: null }
  const { issuer, connectedAt, renewedAt, fault } = found
  return {
    ...{ server, issuer },
    state: fault === undefined ? 'connected' : 'ended',
    connectedAt: new Date(connectedAt).toISOString(),
    renewedAt: renewedAt === undefined ? null : new Date(renewedAt).toISOString(),
    ...(fault !== undefined && { fault }),
  }
}

const maxScopes = 50

/** Scopes of a link are words of a server. */
function toScopes(text: string | undefined): string[] {
  const scopes = text?.split(' ').filter((scope) => scope !== '') ?? []
  if (scopes.length <= maxScopes && scopes.every((scope) => /^[!#-[\]-~]{1,200}$/.test(scope))) return scopes
  throw new Refusal('invalid_request', 'The scopes of this link are not valid.')
}

/** What an issuer or server answered is for the person. */
function explained<Value>(work: Promise<Value>): Promise<Value> {
  return work.catch((cause: Error) => {
    throw cause.name === 'OAuthError' ? new Refusal('conflict', cause.message) : cause
  })
}
