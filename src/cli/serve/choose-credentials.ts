import type { Toolpact } from '../../app/app.ts'
import type { IssuerEntry } from '../../app/config/issuers.ts'
import { tokenPlaceholder } from '../../surfaces/client-configs.ts'
import { type Credentials, localCaller, noToken } from '../../surfaces/http/credentials.ts'
import { createTokenCredentials } from '../../surfaces/http/token-credentials.ts'
import { type Options, UsageError } from '../options/command.ts'

export interface ChosenCredentials {
  readonly credentials: Credentials
  /** Describes who may call, for the operator. */
  readonly about: string
  /** The token for local clients, or a placeholder; undefined if none is needed. */
  readonly token: string | undefined
  /** Whether `toolpact token` prints that token. */
  readonly isKept: boolean
}

export interface ChooseOptions {
  readonly options: Options
  readonly tokens: Toolpact['tokens']
  /** The issuers whose tokens are accepted, if any. */
  readonly issuers: readonly IssuerEntry[]
  /** The claims that the config gives rights to. */
  readonly claims: () => readonly string[]
  /** Whether other machines can reach the server. */
  readonly isOpen: boolean
  readonly onFailure: (cause: unknown) => void
}

/** Chooses the credentials: local tokens, tokens of an issuer, or none on loopback. */
export async function chooseCredentials({
  options,
  tokens,
  issuers,
  claims,
  isOpen,
  onFailure,
}: ChooseOptions): Promise<ChosenCredentials> {
  if (options['no-token']) {
    if (isOpen) throw new UsageError('--no-token works only on an address that no other machine can reach.', 'Leave --host or --no-token out.') // biome-ignore format: one line
    if (issuers.length > 0)
      throw new UsageError('--no-token and http.auth in the config exclude each other.', 'Remove one of them.')
    return { credentials: noToken, about: 'No token is needed.', token: undefined, isKept: false }
  }
  if (issuers.length > 0) {
    const { openJwksCredentials } = await import('../../surfaces/http/jwks-credentials.ts')
    const credentials = await openJwksCredentials({ issuers, claims, onFailure }).catch((cause: Error) => {
      throw new UsageError(cause.message)
    })
    return {
      credentials,
      about: `Callers need a token of ${issuers.map(({ issuer, audience }) => `${issuer} for ${audience}`).join(', or of ')}.`,
      token: tokenPlaceholder,
      isKept: false,
    }
  }
  const { token } = await tokens.ensure(localCaller.name)
  return {
    credentials: createTokenCredentials({ tokens, onFailure }),
    about: `The tokens are in ${tokens.location}.`,
    token,
    isKept: true,
  }
}
