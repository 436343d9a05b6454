import { hash as digest, timingSafeEqual } from 'node:crypto'
import type { Caller } from '../../contract/tool.ts'
import type { TokensStore } from '../../state/tokens-file.ts'
import { type Credentials, type Identified, isReservedCaller } from './credentials.ts'

export interface TokenCredentialsOptions {
  readonly tokens: Pick<TokensStore, 'load' | 'path' | 'version'>
  /** How long a change of the file may go unnoticed. Default: 200 ms. */
  readonly lookEveryMs?: number
  /** Called when the tokens can no longer be read. Until they can, no caller is let in. */
  readonly onFailure?: (cause: unknown) => void
}

interface Known {
  readonly caller: Caller
  readonly token: string
  readonly hash: Buffer
}

/** Lets in whoever shows a token of the file, as the caller that it was made for. */
export function createTokenCredentials(options: TokenCredentialsOptions): Credentials {
  const { tokens, lookEveryMs = 200, onFailure } = options
  let known: readonly Known[] = []
  /**
   * The hashes of the tokens that are accepted: to make one costs more than all else here. A map looks for a text by a
   * secret hash of its own, so how long that takes tells nothing about any token either.
   */
  let hashes: ReadonlyMap<string, Buffer> = new Map()
  let version: string | undefined
  let canRead = true
  let lookedAt = Number.NEGATIVE_INFINITY

  function look(): readonly Known[] {
    const now = performance.now()
    if (now - lookedAt < lookEveryMs) return known
    lookedAt = now
    // The version before the content: what changes in between is seen at the next look.
    const found = tokens.version()
    if (found === version) return known
    const isGone = found === undefined
    version = found
    canRead = false
    known = []
    try {
      if (isGone) throw new Error(`The tokens file ${tokens.path} was moved or deleted. Put it back, or restart this process to make a new one.`) // biome-ignore format: one line
      known = tokens.load().map(({ caller, token }) => ({ caller: { name: caller }, token, hash: toHash(token) }))
      canRead = true
    } catch (cause) {
      onFailure?.(cause)
    }
    hashes = new Map(known.map(({ token, hash }) => [token, hash]))
    return known
  }

  return {
    identify(token) {
      if (token === undefined) return { kind: 'missing' }
      const entries = look()
      if (!canRead) return unavailable
      const hash = hashes.get(token) ?? toHash(token)
      let found: Caller | undefined
      // All of them, each in constant time: how long it takes tells nothing about any token.
      for (const entry of entries) if (timingSafeEqual(entry.hash, hash)) found = entry.caller
      if (!found) return { kind: 'wrong', detail: 'The token is not accepted.' }
      return isReservedCaller(found.name, true) ? reservedName : { kind: 'caller', caller: found }
    },
    tokenOf: (caller) => look().find((entry) => entry.caller.name === caller)?.token,
  }
}

const unavailable: Identified = {
  kind: 'unavailable',
  code: 'tokens_unavailable',
  detail: 'The tokens of callers cannot be read at present.',
}

/** Such a token can be left from before the name was reserved, or be written into the file by hand. */
const reservedName: Identified = {
  kind: 'wrong',
  detail: 'The name of its caller is reserved. Run toolpact token NAME for one with another name.',
}

function toHash(token: string): Buffer {
  return digest('sha256', token, 'buffer')
}
