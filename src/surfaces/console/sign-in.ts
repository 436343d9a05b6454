import type { IncomingMessage } from 'node:http'
import type { OpenIdPerson, OpenIdSignIn } from '../../app/connections/open-sign-in.ts'
import { openMemorySignIns } from '../../runtime/storage/memory/sign-ins.ts'
import type { SessionFacts, SignInKey, SignIns, StoredSignIn } from '../../runtime/storage/sign-ins.ts'
import { isHttps } from '../http/client-of.ts'
import type { Person } from '../http/route.ts'
import { hashSecret, linkMs, makeSecret } from './add-link.ts'
import { describeBrowser } from './describe-browser.ts'

/** Finds the person of a request. */
export interface SignIn {
  /** Undefined if nobody is signed in. The session counts as used, unless `isLook`. */
  find(request: IncomingMessage, options?: { readonly isLook?: boolean }): Promise<SignedIn | undefined>
}

/** A person with a session. */
export interface SignedIn extends Person {
  /** Names the session, for people. */
  readonly session: string
}

/** Signs people in on a browser: by links that can be used once, or as an issuer says. */
export interface ConsoleSignIn extends SignIn {
  /** A code that signs this person in, once. */
  makeCode(person: Person): Promise<string>
  /** Redeems a code for a session. Returns the cookie to set; undefined if the code is not valid. */
  redeem(code: string, browser: Browser): Promise<string | undefined>
  /** Begins a session for someone that an issuer has signed in. Returns the cookie to set. */
  begin(person: OpenIdPerson, browser: Browser): Promise<string>
  /** Ends the session of a request. Returns the cookies to set. */
  end(request: IncomingMessage): Promise<string[]>
  /** All sessions, oldest first. */
  list(): Promise<readonly ListedSession[]>
  /** Ends a session by its name, at every server. False if there is none. */
  revoke(session: string): Promise<boolean>
}

/** What is known of a browser. */
export interface Browser {
  readonly isHttps: boolean
  /** The header `User-Agent`. */
  readonly agent: string | undefined
}

export function toBrowser(request: IncomingMessage): Browser {
  return { isHttps: isHttps(request), agent: request.headers['user-agent'] }
}

export interface ListedSession extends SignedIn {
  readonly facts: SessionFacts | undefined
  readonly expiresAt: number
}

export interface SignInOptions {
  readonly port: number
  /** Where links and sessions are valid at every server of the storage. Absent: at this one, until it ends. */
  readonly signIns: SignIns | undefined
  /** The issuer that people may come from. Read for each request, so that a changed config applies at once. */
  readonly signInBy?: () => Pick<OpenIdSignIn, 'issuer' | 'rightsOf'> | undefined
  /** How long sessions last. Read for each one. */
  readonly lasts?: () => SessionTimes | undefined
  /** Written before the secrets, if they tell the tenant of a request. */
  readonly tenant?: string | undefined
  readonly now?: () => number
}

/** Settings of sessions. */
interface SessionTimes {
  readonly sessionMs?: number
  readonly sessionIdleMs?: number
}

/**
 * Links and sessions are in the storage, of their secrets only the hash, so every server that shares it knows them. While the
 * storage fails, people can still sign in to see why: their sessions then end with this process.
 */
export function createSignIn(options: SignInOptions): ConsoleSignIn {
  const { port, signIns, signInBy, lasts, tenant, now = Date.now } = options
  const local = openMemorySignIns()
  const stored = signIns ?? local
  const times = () => ({ sessionMs: defaultSessionMs, sessionIdleMs: defaultIdleMs, ...lasts?.() })

  async function add(kind: StoredSignIn['kind'], about: Omit<StoredSignIn, 'kind' | 'hash'>) {
    const secret = makeSecret(tenant)
    const signIn = { ...about, kind, hash: hashSecret(secret) }
    await stored.add(signIn, now()).catch(() => local.add(signIn, now()))
    return secret
  }

  async function addSession(about: Pick<StoredSignIn, 'person' | 'rights'>, browser: Browser) {
    const { sessionMs, sessionIdleMs } = times()
    const at = now()
    const facts = { startedAt: at, seenAt: at, endsAt: at + sessionMs, browser: describeBrowser(browser.agent) }
    const expiresAt = at + Math.min(sessionMs, sessionIdleMs)
    const secret = await add('session', { ...about, expiresAt, session: facts })
    return toCookie(`toolpact-${port}=${secret}`, { seconds: Math.floor(sessionMs / 1000), isHttps: browser.isHttps })
  }

  async function take(key: SignInKey) {
    return (await local.take(key, now())) ?? stored.take(key, now())
  }

  async function findSession(hash: string) {
    const key = { kind: 'session', hash } as const
    return (await local.find(key, now())) ?? stored.find(key, now())
  }

  /** To the minute, so that most requests only read. */
  async function renew(found: StoredSignIn): Promise<void> {
    const { session: facts } = found
    const at = now()
    if (!facts || at - facts.seenAt < seenEveryMs) return
    const expiresAt = Math.min(facts.endsAt, at + times().sessionIdleMs)
    const renewed = { ...found, expiresAt, session: { ...facts, seenAt: at } }
    if (!(await local.renew(renewed, at))) await stored.renew(renewed, at).catch(() => {})
  }

  /** Rights that come from groups follow the config of this moment. */
  function toSignedIn({
    person: name,
    rights,
    issuer,
    subject,
    groups = [],
    hash,
  }: StoredSignIn): SignedIn | undefined {
    const session = toSessionName(hash)
    if (issuer === undefined || subject === undefined) return { name, rights, session }
    const by = signInBy?.()
    const given = by?.issuer === issuer ? by.rightsOf({ name, groups }) : []
    return given.length === 0 ? undefined : { name, rights: given, issuer, subject, groups, session }
  }

  return {
    makeCode: ({ name, rights }) => add('link', { person: name, rights, expiresAt: now() + linkMs }),
    async redeem(code, browser) {
      const link = await take({ kind: 'link', hash: hashSecret(code) })
      if (!link) return undefined
      const { person, rights } = link
      return addSession({ person, rights }, browser)
    },
    async begin({ name: person, ...principal }, browser) {
      return addSession({ person, rights: [], ...principal }, browser)
    },
    async find({ headers }, { isLook = false } = {}) {
      for (const { secret } of readCookies(headers.cookie)) {
        const found = await findSession(hashSecret(secret))
        const person = found && toSignedIn(found)
        if (!person) continue
        if (!isLook) await renew(found!)
        return person
      }
      return undefined
    },
    async end({ headers }) {
      const ended: string[] = []
      for (const { name, secret } of readCookies(headers.cookie))
        if (await take({ kind: 'session', hash: hashSecret(secret) })) ended.push(toCookie(`${name}=`, { seconds: 0 }))
      return ended
    },
    async list() {
      const [here, there] = [await local.list('session', now()), await stored.list('session', now())]
      const all = stored === local ? here : [...here, ...there]
      return all.flatMap((one) => {
        const person = toSignedIn(one)
        return person ? [{ ...person, facts: one.session, expiresAt: one.expiresAt }] : []
      })
    },
    async revoke(session) {
      const all = [...(await local.list('session', now())), ...(await stored.list('session', now()))]
      const found = all.find(({ hash }) => toSessionName(hash) === session)
      return found !== undefined && (await take(found)) !== undefined
    },
  }
}

const defaultSessionMs = 43_200_000
const defaultIdleMs = 14_400_000
const seenEveryMs = 60_000

/** Names a session for people: part of its hash, from which nothing follows about its secret. */
export function toSessionName(hash: string): string {
  return hash.slice(0, 12)
}

function toCookie(
  pair: string,
  { seconds, isHttps = false }: { readonly seconds: number; readonly isHttps?: boolean },
): string {
  // biome-ignore format: one line
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
