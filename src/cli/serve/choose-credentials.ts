import type { Toolpact } from '../../app/app.ts'
import type { IssuerEntry } from '../../app/config/issuers.ts'
import { type Credentials, noToken } from '../../surfaces/http/credentials.ts'
import { createTokenCredentials } from '../../surfaces/http/token-credentials.ts'
import { type Options, UsageError } from '../options/command.ts'

/** The command as the user can type it: without a global installation, only npx finds it. */
export const ownCommand = process.env.npm_execpath ? 'npx toolpact' : 'toolpact'

export interface ChosenCredentials {
  readonly credentials: Credentials
  /** Describes who may call, for the operator. */
  readonly about: string
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
    return { credentials: noToken, about: 'No token is needed.' }
  }
  if (issuers.length > 0) {
    const { openJwksCredentials } = await import('../../surfaces/http/jwks-credentials.ts')
    const credentials = await openJwksCredentials({ issuers, claims, onFailure }).catch((cause: Error) => {
      throw new UsageError(cause.message)
    })
    return {
      credentials,
      about: `Callers need a token of ${issuers.map(({ issuer, audience }) => `${issuer} for ${audience}`).join(', or of ')}.`,
    }
  }
  return {
    credentials: createTokenCredentials({ tokens, onFailure }),
    about: `Callers need a token: ${ownCommand} token create NAME.`,
  }
}
