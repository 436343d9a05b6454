import { hash as digest, timingSafeEqual } from 'node:crypto'
import type { Caller } from '../../contract/tool.ts'
import type { TokenStore } from '../../runtime/storage/operator-state.ts'
import { type Credentials, type Identified, isReservedCaller } from './credentials.ts'

export interface TokenCredentialsOptions {
  readonly tokens: Pick<TokenStore, 'load' | 'location' | 'version'>
  /** How often the tokens are checked for changes. Default: 200 ms. */
  readonly lookEveryMs?: number
  /** Called when the tokens can no longer be read. Until they can, every caller is refused. */
  readonly onFailure?: (cause: unknown) => void
}

interface Known {
  readonly caller: Caller
  readonly token: string
  readonly hash: Buffer
}

/** Accepts the tokens of the file, each for the caller it was issued to. */
export function createTokenCredentials(options: TokenCredentialsOptions): Credentials {
  const { tokens, lookEveryMs = 200, onFailure } = options
  let known: readonly Known[] = []
  /**
   * Cached hashes of the accepted tokens: hashing dominates the cost here. A Map looks up by a secret, seeded hash, so its
   * timing reveals nothing about a token.
   */
  let hashes: ReadonlyMap<string, Buffer> = new Map()
  let version: string | undefined
  let canRead = true
  let lookedAt = Number.NEGATIVE_INFINITY
  let refreshing: Promise<void> | undefined

  /** Reads the tokens if they may have changed. Returns a promise only if that has to wait. */
  function refresh(): Promise<void> | undefined {
    const now = performance.now()
    if (refreshing || now - lookedAt < lookEveryMs) return refreshing
    lookedAt = now
    // Read the version first: a change in between is noticed at the next check.
    const found = tokens.version()
    if (found === version) return undefined
    refreshing = reload(found).finally(() => {
      refreshing = undefined
    })
    return refreshing
  }

  async function reload(looked: ReturnType<TokenStore['version']>): Promise<void> {
    let next: readonly Known[] = []
    try {
      // If the version is unknown, reading the tokens reports why.
      const found = await Promise.resolve(looked).catch((cause: Error) => `unknown: ${cause.message}`)
      if (found === version) return
      version = found
      canRead = false
      if (found === undefined) throw new Error(`The tokens file ${tokens.location} was moved or deleted. Put it back, or restart this process to make a new one.`) // biome-ignore format: one line
      next = (await tokens.load()).map(({ caller, token }) => ({
        caller: { name: caller, via: 'token' },
        token,
        hash: toHash(token),
      }))
      canRead = true
    } catch (cause) {
      canRead = false
      onFailure?.(cause)
    }
    known = next
    hashes = new Map(known.map(({ token, hash }) => [token, hash]))
  }

  function identify(token: string): Identified {
    if (!canRead) return unavailable
    const hash = hashes.get(token) ?? toHash(token)
    let found: Caller | undefined
    // Compare with all of them in constant time, so that timing reveals nothing.
    for (const entry of known) if (timingSafeEqual(entry.hash, hash)) found = entry.caller
    if (!found) return { kind: 'wrong', detail: 'The token is not accepted.' }
    return isReservedCaller(found.name, true) ? reservedName : { kind: 'caller', caller: found }
  }

  const findToken = (caller: string) => known.find((entry) => entry.caller.name === caller)?.token

  return {
    identify(token) {
      if (token === undefined) return { kind: 'missing' }
      const waiting = refresh()
      return waiting ? waiting.then(() => identify(token)) : identify(token)
    },
    tokenOf(caller) {
      const waiting = refresh()
      return waiting ? waiting.then(() => findToken(caller)) : findToken(caller)
    },
  }
}

const unavailable: Identified = {
  kind: 'unavailable',
  code: 'tokens_unavailable',
  detail: 'The tokens of callers cannot be read at present.',
}

/** The token predates the reservation of the name, or was written into the file by hand. */
const reservedName: Identified = {
  kind: 'wrong',
  detail: 'The name of its caller is reserved. Run toolpact token NAME for one with another name.',
}

function toHash(token: string): Buffer {
  return digest('sha256', token, 'buffer')
}
