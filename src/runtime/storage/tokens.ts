import { hash as digest, randomBytes } from 'node:crypto'
import type { CallerScope } from '../../contract/tool.ts'
import { ToolpactError } from '../../contract/toolpact-error.ts'

type MaybePromise<Value> = Value | Promise<Value>

/** Tokens of HTTP callers. Only their hashes are stored, so a token is seen once: when it is created. */
export interface TokenStore {
  /** Where the tokens are stored, for messages to the operator. */
  readonly location: string
  /** Changes with every change of the tokens; undefined if none were ever stored. */
  version(): MaybePromise<string | undefined>
  /** In the order in which they were created, also those that have expired. */
  load(): Promise<Token[]>
  /** A caller may have several tokens. */
  create(caller: string, options?: TokenOptions): Promise<CreatedToken>
  /** Stores what `makeToken` made. Rejects if the token is stored already. */
  add(token: Token): Promise<void>
  /** Ends those of these ids that exist, at once and everywhere. Resolves to them. */
  revoke(ids: readonly string[]): Promise<Token[]>
  /**
   * Creates a token for the caller and scope of the newest of these ids, and ends them: at once, or after `overlapMs`. Undefined
   * if none of them exists.
   */
  rotate(ids: readonly string[], options?: RotateOptions): Promise<CreatedToken | undefined>
  /** When tokens were last used, by id, to the minute. ISO times. */
  lastUses(): Promise<TokenUses>
  /** Keeps the later time of each token. */
  noteUses(uses: TokenUses): Promise<void>
}

/** A caller's credential, without its secret. */
export interface Token {
  readonly caller: string
  /** SHA-256 of the token, in base64url. A token has 256 random bits, so its hash does not reveal it. */
  readonly hash: string
  /** The first characters of the token, by which people recognize it. */
  readonly prefix: string
  /** ISO time. */
  readonly createdAt: string
  /** ISO time. Absent: it does not expire. */
  readonly expiresAt?: string
  /** Absent: it permits what its caller may do. */
  readonly scope?: CallerScope
  /** What it is for, such as the client that uses it. */
  readonly label?: string
}

/** A token that was just created: the only moment at which its text is known. */
export interface CreatedToken extends Token {
  readonly id: string
  readonly token: string
}

/** What may be said about a new token. */
export interface TokenOptions {
  /** ISO time. */
  readonly expiresAt?: string | undefined
  readonly scope?: CallerScope | undefined
  readonly label?: string | undefined
}

/** How tokens are replaced. */
export interface RotateOptions {
  /** How long the old tokens still work. Default: 0. */
  readonly overlapMs?: number
  /** ISO time. Default: as long as the newest of the old tokens was valid. */
  readonly expiresAt?: string | undefined
}

/** When tokens were last used, as ISO times by id. */
export type TokenUses = { readonly [id: string]: string }

/** What an engine stores of tokens: two values, each changed atomically across processes. */
export interface TokenDocuments {
  readonly location: string
  readonly version: TokenStore['version']
  readonly load: TokenStore['load']
  /** `make` may run more than once, and returns the same list if nothing changes. */
  change(make: (tokens: readonly Token[]) => readonly Token[]): Promise<void>
  readonly lastUses: TokenStore['lastUses']
  /** As `change`. A change may be lost if the machine fails. */
  changeUses(make: (uses: TokenUses) => TokenUses): Promise<void>
}

/** Expired tokens stay in the list for a while: whoever still sends one is told why it is refused. */
const rememberedMs = 30 * 86_400_000

/** Uses of tokens that do not exist are dropped after this time: another process may just have created the token. */
const forgottenMs = 86_400_000

/** The token store of an engine, made of what the engine stores. */
export function createTokenStore(documents: TokenDocuments): TokenStore {
  const { version, load, lastUses } = documents

  async function add(token: Token): Promise<void> {
    await documents.change((tokens) => {
      if (tokens.some(({ hash }) => toTokenId(hash) === toTokenId(token.hash)))
        throw new ToolpactError('exists_already', `There is a token ${toTokenId(token.hash)} already.`)
      return [...withoutOld(tokens), token]
    })
  }

  const findIds = async () => new Set((await load()).map(({ hash }) => toTokenId(hash)))

  return {
    get location() {
      return documents.location
    },
    version,
    load,
    add,
    async lastUses() {
      const [ids, uses] = [await findIds(), await lastUses()]
      return Object.fromEntries(Object.entries(uses).filter(([id]) => ids.has(id)))
    },
    async create(caller, options) {
      const made = makeToken(caller, options)
      await add(toStored(made))
      return made
    },
    async revoke(ids) {
      let revoked: Token[] = []
      await documents.change((tokens) => {
        revoked = tokens.filter(({ hash }) => ids.includes(toTokenId(hash)))
        return revoked.length === 0 ? tokens : withoutOld(tokens.filter((token) => !revoked.includes(token)))
      })
      return revoked
    },
    async rotate(ids, { overlapMs = 0, expiresAt } = {}) {
      let made: CreatedToken | undefined
      await documents.change((tokens) => {
        const old = tokens.filter(({ hash }) => ids.includes(toTokenId(hash)))
        const newest = old.at(-1)
        if (!newest) {
          made = undefined
          return tokens
        }
        const { caller, scope, label } = newest
        made = makeToken(caller, { scope, label, expiresAt: expiresAt ?? toSameLife(newest) })
        const left = tokens.flatMap((token) => (old.includes(token) ? endAfter(token, overlapMs) : token))
        return [...withoutOld(left), toStored(made)]
      })
      return made
    },
    async noteUses(uses) {
      const ids = await findIds()
      const limit = new Date(Date.now() - forgottenMs).toISOString()
      await documents.changeUses((known) => {
        const later = Object.entries(uses).filter(([id, at]) => at > (known[id] ?? ''))
        const all = Object.entries({ ...known, ...Object.fromEntries(later) })
        return Object.fromEntries(all.filter(([id, at]) => ids.has(id) || at > limit))
      })
    },
  }
}

/** 256 random bits. The prefix identifies a leaked token to people and secret scanners. */
export function makeToken(caller: string, { expiresAt, scope, label }: TokenOptions = {}): CreatedToken {
  const token = `toolpact_${randomBytes(32).toString('base64url')}`
  const hash = hashToken(token)
  return {
    id: toTokenId(hash),
    ...{ caller, hash, token, prefix: toPrefix(token), createdAt: new Date().toISOString() },
    ...(expiresAt !== undefined && { expiresAt }),
    ...(scope && (scope.toolsets || scope.readOnly) && { scope }),
    ...(label !== undefined && { label }),
  }
}

export function toStored({ id: _, token: __, ...stored }: CreatedToken): Token {
  return stored
}

export function hashToken(token: string): string {
  return digest('sha256', token, 'base64url')
}

/** Names a token for people and commands: part of its hash, which says nothing about the token itself. */
export function toTokenId(hash: string): string {
  return Buffer.from(hash, 'base64url').toString('hex').slice(0, 12)
}

/** Few enough characters to leave 230 bits secret. */
export function toPrefix(token: string): string {
  return token.slice(0, token.startsWith('toolpact_') ? 13 : 4)
}

export function isExpired({ expiresAt }: Pick<Token, 'expiresAt'>, now: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= now
}

function withoutOld(tokens: readonly Token[]): Token[] {
  const limit = Date.now() - rememberedMs
  return tokens.filter((token) => !isExpired(token, limit))
}

function endAfter(token: Token, overlapMs: number): Token | [] {
  if (overlapMs <= 0) return []
  const end = new Date(Date.now() + overlapMs).toISOString()
  return token.expiresAt !== undefined && token.expiresAt < end ? token : { ...token, expiresAt: end }
}

function toSameLife({ createdAt, expiresAt }: Token): string | undefined {
  if (expiresAt === undefined) return undefined
  return new Date(Date.now() + Date.parse(expiresAt) - Date.parse(createdAt)).toISOString()
}
