import type { IncomingMessage } from 'node:http'
import type { FoundTenants } from '../../../app/tenants/open-tenants.ts'
import { onceLink } from '../../../surfaces/console/pages.ts'
import { readTenant, toTenant } from '../../../surfaces/console/sign-in.ts'
import { type Credentials, readBearer } from '../../../surfaces/http/credentials.ts'

/** Finds the tenant that a request is for; the server itself if it names none that there is. Nothing is proven by it. */
export type ChooseTenant = (request: IncomingMessage) => string | Promise<string>

/** By the host that the request addresses, which the server has checked. */
export function chooseByHost({ entries, own }: FoundTenants): ChooseTenant {
  const names = new Map(toHosts(entries.values()).map(({ host, name }) => [host, name]))
  return ({ headers }) => {
    const host = headers.host?.toLowerCase() ?? ''
    return names.get(host) ?? names.get(host.replace(/:\d+$/, '')) ?? own
  }
}

/** The hosts of tenants: with a port if their address has one, else for every port. */
export function toHosts(entries: Iterable<{ readonly name: string; readonly url: string | undefined }>) {
  return [...entries].flatMap(({ name, url }) => (url === undefined ? [] : [{ name, host: new URL(url).host }]))
}

/** By the claim of the token. Browsers have none: links to the console and its sessions name their tenant. */
export function chooseByClaim({ entries, own }: FoundTenants, jwks: Credentials, port: () => number): ChooseTenant {
  async function findName({ headers, url = '' }: IncomingMessage): Promise<string | undefined> {
    if (headers.authorization !== undefined) {
      const identified = await jwks.identify(readBearer(headers.authorization))
      return identified.kind === 'caller' ? identified.tenant : undefined
    }
    const code = onceLink.exec(url)?.[1]
    return code === undefined ? readTenant(headers.cookie, port()) : toTenant(code)
  }
  return async (request) => {
    const name = await findName(request)
    return name !== undefined && entries.has(name) ? name : own
  }
}
