import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { openMemorySignIns } from '../../runtime/storage/memory/sign-ins.ts'
import type { TokenStore } from '../../runtime/storage/operator-state.ts'
import type { SignIns, StoredSignIn } from '../../runtime/storage/sign-ins.ts'
import type { Person } from '../http/route.ts'
import { consoleCaller } from './person.ts'

/** Finds the person of a request. One-time links are one way to sign in; another can be another implementation. */
export interface SignIn {
  /** Undefined if nobody is signed in. */
  find(request: IncomingMessage): Promise<Person | undefined>
}

/** Signs people in on a browser by links that can be used once. */
export interface LinkSignIn extends SignIn {
  /** A code that signs this person in, once. If the token of the console is replaced, the session ends. */
  makeCode(person: Person): Promise<string>
  /** Redeems a code for a session. Returns the cookie to set; undefined if the code is not valid. */
  redeem(code: string, isHttps: boolean): Promise<string | undefined>
  /** Ends the session of a request. Returns the cookies to set. */
  end(request: IncomingMessage): Promise<string[]>
}

export interface LinkSignInOptions {
  readonly port: number
  readonly tokens: Pick<TokenStore, 'load'>
  /** Where links and sessions are valid at every server of the storage. Absent: at this one, until it ends. */
  readonly signIns: SignIns | undefined
  /** Written before the secrets, if they tell the tenant of a request. */
  readonly tenant?: string | undefined
  readonly now?: () => number
}

/**
 * Links and sessions are in the storage, of their secrets only the hash, so every server that shares it knows them. While the
 * storage fails, people can still sign in to see why: their sessions then end with this process.
 */
export function createLinkSignIn({ port, tokens, signIns, tenant, now = Date.now }: LinkSignInOptions): LinkSignIn {
  const local = openMemorySignIns()
  const stored = signIns ?? local

  async function add(kind: StoredSignIn['kind'], about: Pick<StoredSignIn, 'person' | 'rights' | 'tokenDigest'>) {
    const secret = `${tenant === undefined ? '' : `${tenant}.`}${randomBytes(32).toString('base64url')}`
    const signIn = { ...about, kind, hash: toHash(secret), expiresAt: now() + lastsMs[kind] }
    await stored.add(signIn, now()).catch(() => local.add(signIn, now()))
    return secret
  }

  async function take(kind: StoredSignIn['kind'], secret: string) {
    const key = { kind, hash: toHash(secret) }
    return (await local.take(key, now())) ?? stored.take(key, now())
  }

  async function findSession(secret: string) {
    const key = { kind: 'session', hash: toHash(secret) } as const
    return (await local.find(key, now())) ?? stored.find(key, now())
  }

  async function digestToken(): Promise<string> {
    const { token = '' } = (await tokens.load()).find(({ caller }) => caller === consoleCaller) ?? {}
    return toHash(token)
  }

  return {
    makeCode: async ({ name, rights }) => add('link', { person: name, rights, tokenDigest: await digestToken() }),
    async redeem(code, isHttps) {
      const link = await take('link', code)
      if (!link) return undefined
      const { person, rights, tokenDigest } = link
      const secret = await add('session', { person, rights, tokenDigest })
      return toCookie(`toolpact-${port}=${secret}`, lastsMs.session / 1000, isHttps)
    },
    async find({ headers }) {
      for (const { secret } of readCookies(headers.cookie)) {
        const session = await findSession(secret)
        if (session && session.tokenDigest === (await digestToken()))
          return { name: session.person, rights: session.rights }
      }
      return undefined
    },
    async end({ headers }) {
      const ended: string[] = []
      for (const { name, secret } of readCookies(headers.cookie))
        if (await take('session', secret)) ended.push(toCookie(`${name}=`, 0))
      return ended
    },
  }
}

const lastsMs = { link: 3_600_000, session: 43_200_000 }

function toCookie(pair: string, seconds: number, isHttps = false): string {
  return `${pair}; Path=/console; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isHttps ? '; Secure' : ''}`
}

const maxCookies = 8

/** Of links and sessions: random, after the name of a tenant if there are several. */
export const secretPattern = '(?:[a-z0-9-]{1,63}\\.)?[\\w-]{43}'

const cookie = new RegExp(`(?:^|;)\\s*(toolpact-\\d{1,5})=(${secretPattern})(?=\\s*(?:;|$))`, 'g')

/** The tenant that the session of a request is of, by its cookie. Whether there is such a session is not known. */
export function readTenant(header: string | undefined, port: number): string | undefined {
  const found = readCookies(header)
  const { secret } = found.find(({ name }) => name === `toolpact-${port}`) ?? found[0] ?? {}
  return secret === undefined ? undefined : toTenant(secret)
}

/** The tenant that a secret names. */
export function toTenant(secret: string): string | undefined {
  return secret.includes('.') ? secret.slice(0, secret.indexOf('.')) : undefined
}

/**
 * Every session that the browser has on this host. Browsers share cookies between ports, so each server names its own by its
 * port; a server that shares the storage finds it by any name.
 */
function readCookies(header = ''): { readonly name: string; readonly secret: string }[] {
  return [...header.matchAll(cookie)].slice(0, maxCookies).map(([, name, secret]) => ({ name: name!, secret: secret! }))
}

/** Looked up by hash, so that timing reveals nothing about the secret. */
function toHash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
