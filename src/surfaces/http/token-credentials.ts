import { hash as digest, timingSafeEqual } from 'node:crypto'
import type { Caller } from '../../contract/tool.ts'
import { toCaller } from '../../runtime/pipeline/to-caller.ts'
import { type Token, type TokenStore, toTokenId } from '../../runtime/storage/tokens.ts'
import { type Credentials, type Identified, isReservedCaller } from './credentials.ts'

export interface TokenCredentialsOptions {
  readonly tokens: TokenStore
  /** How often the tokens are checked for changes. Default: 200 ms. */
  readonly lookEveryMs?: number
  /** How often the last use of a token is stored. Default: a minute. */
  readonly noteEveryMs?: number
  /** Called when the tokens can no longer be read. Until they can, every caller is refused. */
  readonly onFailure?: (cause: unknown) => void
}

/** How often the tokens are checked for changes while unknown tokens arrive. */
const soonMs = 10

interface Known {
  readonly id: string
  readonly caller: Caller
  readonly hash: Buffer
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  readonly identified: Identified
}

/** Accepts the stored tokens, each for the caller it was issued to. */
export function createTokenCredentials(options: TokenCredentialsOptions): Credentials {
  const { tokens, lookEveryMs = 200, onFailure } = options
  const noteUse = createUseNotes(options)
  let known: readonly Known[] = []
  /**
   * Tokens that were accepted, because hashing dominates the cost here. A Map looks up by a secret, seeded hash, so its timing
   * reveals nothing about a token.
   */
  let accepted = new Map<string, Known>()
  let version: string | undefined
  let canRead = true
  /** Why they cannot be read, as it was reported. */
  let failure: string | undefined
  let lookedAt = Number.NEGATIVE_INFINITY
  let refreshing: Promise<void> | undefined

  /** Reads the tokens if they may have changed. Returns a promise only if that has to wait. */
  function refresh(token: string): Promise<void> | undefined {
    const now = performance.now()
    // One that was not accepted before may just have been created.
    const everyMs = accepted.has(token) ? lookEveryMs : Math.min(lookEveryMs, soonMs)
    if (refreshing || now - lookedAt < everyMs) return refreshing
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
      if (found === undefined) throw new Error(`The tokens file ${tokens.location} was moved or deleted. Put it back, or create new tokens with toolpact token create NAME.`) // biome-ignore format: one line
      next = (await tokens.load()).map(toKnown)
      canRead = true
      failure = undefined
    } catch (cause) {
      canRead = false
      // A version whose tokens could not be read, such as in an outage, is read again at the next check.
      if (version !== undefined) version = 'failed'
      const { message } = cause as Error
      if (message !== failure) onFailure?.(cause)
      failure = message
    }
    known = next
    accepted = new Map()
  }

  function find(token: string): Known | undefined {
    const before = accepted.get(token)
    if (before) return before
    const hash = digest('sha256', token, 'buffer')
    let found: Known | undefined
    // Compare with all of them in constant time, so that timing reveals nothing.
    for (const entry of known) if (timingSafeEqual(entry.hash, hash)) found = entry
    if (found) accepted.set(token, found)
    return found
  }

  function identify(token: string): Identified {
    if (!canRead) return unavailable
    const found = find(token)
    if (!found) return { kind: 'wrong', detail: 'The token is not accepted.' }
    if (found.expiresAt <= Date.now()) return toExpired(found)
    if (found.identified.kind === 'caller') noteUse(found.id)
    return found.identified
  }

  return {
    identify(token) {
      if (token === undefined) return { kind: 'missing' }
      const waiting = refresh(token)
      return waiting ? waiting.then(() => identify(token)) : identify(token)
    },
    tokens,
  }
}

function toKnown({ caller: name, hash, expiresAt, scope }: Token): Known {
  const caller = toCaller({ name, via: 'token', ...(scope && { only: scope }) })
  return {
    id: toTokenId(hash),
    caller,
    hash: Buffer.from(hash, 'base64url'),
    expiresAt: expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt),
    identified: isReservedCaller(name, true) ? reservedName : { kind: 'caller', caller },
  }
}

/** Stores uses some time after the request, at most once per `noteEveryMs` and token. One that cannot be stored is lost. */
function createUseNotes({ tokens, noteEveryMs = 60_000 }: TokenCredentialsOptions): (id: string) => void {
  const noted = new Map<string, number>()
  let pending: { [id: string]: string } = {}

  function store() {
    const uses = pending
    pending = {}
    tokens.noteUses(uses).catch(() => {})
  }

  return (id) => {
    const now = Date.now()
    if (now - (noted.get(id) ?? 0) < noteEveryMs) return
    noted.set(id, now)
    if (Object.keys(pending).length === 0) setTimeout(store, Math.min(500, noteEveryMs)).unref()
    pending[id] = new Date(now).toISOString()
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
  detail: 'The name of its caller is reserved. Run toolpact token create NAME for one with another name.',
}

/** Only whoever has the token is told. */
function toExpired({ caller: { name }, expiresAt }: Known): Identified {
  const at = new Date(expiresAt).toISOString().replace(/\.\d+/, '')
  return { kind: 'wrong', detail: `The token expired at ${at}. Run toolpact token rotate ${name} for a new one.` }
}
