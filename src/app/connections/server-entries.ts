import { toAddress } from '../../host/to-address.ts'
import type { OAuthFetch } from '../../identity/oauth/discover.ts'
import { OAuthError } from '../../identity/oauth/oauth-error.ts'
import type { OAuthSettings } from '../../identity/oauth/oauth-settings.ts'
import type { Config } from '../config/config.ts'
import { expandVariables } from '../config/expand-variables.ts'
import { createOAuthFetch } from './oauth-fetch.ts'

/** The servers of the config that callers log in to. */
export interface ServerEntries {
  /** The URL of a server and what the operator set about its login, with variables expanded. Throws an `OAuthError`. */
  read(server: string): { readonly url: URL; readonly settings: OAuthSettings }
  /** The host that the operator named is trusted, and so is an issuer on it. All others must have public addresses. */
  fetchFor(server: string): OAuthFetch
}

/** `folder`: of the config. */
export function openServerEntries(config: () => Config, folder: string): ServerEntries {
  function entryOf(server: string): Entry {
    const { mcpServers = {} } = config()
    if (Object.hasOwn(mcpServers, server)) return mcpServers[server]!
    throw new OAuthError(`There is no server ${server} in the config. See toolpact mcp list`)
  }

  function read(server: string) {
    const entry = entryOf(server)
    const addressed = toAddress(server, entry, { environment: process.env, folder })
    if ('fault' in addressed) throw new OAuthError(addressed.fault)
    if (addressed.address.kind === 'stdio') throw new OAuthError(`The server ${server} is a program of this machine, which needs no login. Give it credentials with "env".`) // biome-ignore format: one line
    return { url: new URL(addressed.address.url), settings: toSettings(server, entry) }
  }

  return {
    read,
    fetchFor: (server) => createOAuthFetch([...(config().policy?.allowHosts ?? []), read(server).url.hostname]),
  }
}

type Entry = NonNullable<Config['mcpServers']>[string]

function toSettings(server: string, { authorization = {} }: Entry): OAuthSettings {
  const { mode = 'user', clientSecret, privateKey, ...settings } = authorization
  const expand = (text: string, key: string) => expandVariables(text, `authorization.${key} of the server ${server}`)
  return {
    ...settings,
    mode,
    ...(clientSecret !== undefined && { clientSecret: expand(clientSecret, 'clientSecret') }),
    ...(privateKey !== undefined && { privateKey: expand(privateKey, 'privateKey') }),
  }
}
