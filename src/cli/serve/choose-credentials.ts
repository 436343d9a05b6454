import type { Toolpact } from '../../app/app.ts'
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
  readonly auth: NonNullable<Toolpact['config']['http']>['auth']
  /** Whether other machines can reach the server. */
  readonly isOpen: boolean
  readonly onFailure: (cause: unknown) => void
}

/** Chooses the credentials: local tokens, tokens of an issuer, or none on loopback. */
export async function chooseCredentials({
  options,
  tokens,
  auth,
  isOpen,
  onFailure,
}: ChooseOptions): Promise<ChosenCredentials> {
  if (options['no-token']) {
    if (isOpen) throw new UsageError('--no-token works only on an address that no other machine can reach.', 'Leave --host or --no-token out.') // biome-ignore format: one line
    if (auth) throw new UsageError('--no-token and http.auth in the config exclude each other.', 'Remove one of them.')
    return { credentials: noToken, about: 'No token is needed.', token: undefined, isKept: false }
  }
  if (auth) {
    const { openJwksCredentials } = await import('../../surfaces/http/jwks-credentials.ts')
    const credentials = await openJwksCredentials({ ...auth, onFailure }).catch((cause: Error) => {
      throw new UsageError(cause.message)
    })
    return {
      credentials,
      about: `Callers need a token of ${auth.issuer} for ${auth.audience}.`,
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
