import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { TokenStore } from '../../runtime/storage/operator-state.ts'
import type { Notes } from '../../runtime/storage/storage.ts'
import type { Person } from '../http/route.ts'
import { consoleCaller } from './person.ts'
import { createSessions } from './sessions.ts'

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
  /** Ends the session of a request. Returns the cookie to set. */
  end(request: IncomingMessage): Promise<string>
}

export interface LinkSignInOptions {
  readonly port: number
  readonly tokens: Pick<TokenStore, 'load'>
  /** Where sessions outlive this process. */
  readonly notes: Notes
  readonly now?: () => number
}

export function createLinkSignIn({ port, tokens, notes, now = Date.now }: LinkSignInOptions): LinkSignIn {
  // Browsers share cookies between the ports of a host.
  const cookieName = `toolpact-${port}`
  const codes = createSessions({ lastsMs: codeMs, now })
  const sessions = createSessions({ lastsMs: sessionMs, now, kept: { notes, port } })
  const toCookie = (value: string, seconds: number, isHttps = false) =>
    `${cookieName}=${value}; Path=/console; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isHttps ? '; Secure' : ''}`

  async function digestToken(): Promise<string> {
    const { token = '' } = (await tokens.load()).find(({ caller }) => caller === consoleCaller) ?? {}
    return createHash('sha256').update(token).digest('base64url')
  }

  return {
    async makeCode({ name, rights }) {
      const secret = randomBytes(32).toString('base64url')
      await codes.add(secret, { name, rights, tokenDigest: await digestToken() })
      return secret
    },
    async redeem(code, isHttps) {
      const session = await codes.take(code)
      if (!session) return undefined
      const secret = randomBytes(32).toString('base64url')
      await sessions.add(secret, session)
      return toCookie(secret, sessionMs / 1000, isHttps)
    },
    async find({ headers }) {
      const secret = readCookie(headers.cookie, cookieName)
      const session = secret === undefined ? undefined : await sessions.find(secret)
      if (!session || session.tokenDigest !== (await digestToken())) return undefined
      return { name: session.name, rights: session.rights }
    },
    async end({ headers }) {
      const secret = readCookie(headers.cookie, cookieName)
      if (secret !== undefined) await sessions.take(secret)
      return toCookie('', 0)
    },
  }
}

const codeMs = 3_600_000
const sessionMs = 43_200_000

function readCookie(header: string | undefined, name: string): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}
