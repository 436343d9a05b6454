import { operator } from '../../contract/principal.ts'
import { type Authorizer, UpstreamFailure } from '../../host/connect/client.ts'
import type { Connections } from '../../identity/connections/connections.ts'
import { parseChallenge } from '../../identity/oauth/challenge.ts'
import { OAuthError } from '../../identity/oauth/oauth-error.ts'
import type { OAuthSettings } from '../../identity/oauth/oauth-settings.ts'
import { readScopes } from '../../identity/oauth/scopes.ts'
import { toConnectCommand } from '../../identity/owner.ts'
import type { OwnTokens } from './own-tokens.ts'

interface AuthorizersOptions {
  readonly connections: Connections
  readonly ownTokens: OwnTokens
}

type Mode = OAuthSettings['mode']

/** What gives requests to a server their token, by mode and owner. */
export function createAuthorizers({ connections, ownTokens }: AuthorizersOptions) {
  return (server: string, mode: Mode, owner: string): Authorizer => {
    const find = (rejected?: string, signal?: AbortSignal) => {
      if (mode === 'user') return connections.token({ owner, server }, { rejected, signal })
      // Tools are listed without a caller.
      if (mode === 'service' || owner === operator) return ownTokens.service(server, rejected)
      return ownTokens.exchanged(server, owner, rejected)
    }
    const token = async (rejected?: string, signal?: AbortSignal) => {
      try {
        return await find(rejected, signal)
      } catch (cause) {
        throw cause instanceof OAuthError ? toFailure(cause, { owner, server, mode }) : cause
      }
    }
    return {
      header: async (signal) => `Bearer ${await token(undefined, signal)}`,
      renew: async (rejected) => `Bearer ${await token(rejected.replace(/^Bearer /, ''))}` !== rejected,
      async explain(challenge) {
        const { error, scope: asked } = parseChallenge(challenge) ?? {}
        const scope = readScopes(asked)
        if (error !== 'insufficient_scope' || scope === undefined) return undefined
        // The owner may connect in another process.
        connections.forget({ owner, server })
        return toLack({ owner, server, mode, scope })
      },
    }
  }
}

interface Target {
  readonly owner: string
  readonly server: string
  readonly mode: Mode
}

/** For callers: what to do, without the words of the server. */
export function toFailure(cause: OAuthError, { mode, ...key }: Target): UpstreamFailure {
  const isUnconnected = cause.isFinal && mode !== 'service'
  const advice =
    mode === 'user'
      ? `Do not repeat the call before that. To connect: ${toConnectCommand(key)}`
      : 'Do not repeat the call with the same token. Call with a valid signed token of your own.'
  return new UpstreamFailure('unavailable', cause.message, { cause, isUnconnected, ...(isUnconnected && { advice }) })
}

/** The token is accepted, and permits less than the call needs. */
function toLack({ owner, server, mode, scope }: Target & { readonly scope: string }): UpstreamFailure {
  const message = `The server ${server} requires more rights for this call: ${scope}.`
  if (mode === 'user') {
    const advice = `Do not repeat the call before that. To grant them: ${toConnectCommand({ owner, server, scope })}`
    return new UpstreamFailure('refused', message, { isUnconnected: true, scope, advice })
  }
  const advice = `Do not repeat the call. The operator must add them to authorization.scopes of the server ${server} in the config.` // biome-ignore format: one line
  return new UpstreamFailure('refused', message, { isUnconnected: true, advice })
}
