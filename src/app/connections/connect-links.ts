import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { isObject } from '../../contract/json.ts'
import { operator } from '../../contract/principal.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import type { Caller } from '../../contract/tool.ts'
import { toOwner } from '../../identity/owner.ts'
import type { Notes } from '../../runtime/storage/storage.ts'

/** Whose connection a link to the connect page is about. */
export interface LinkedCaller {
  readonly owner: string
  /** Who vouches for the caller, if its token is of another issuer. */
  readonly issuer?: string
  readonly subject?: string
}

/** Links to the connect page. They say whom they are for, and are no credential: the page checks who is signed in. */
export interface ConnectLinks {
  make(console: string, target: LinkTarget): Promise<string>
  /** Undefined if it was not made here. */
  read(text: string): Promise<LinkedCaller | undefined>
}

export interface LinkTarget {
  readonly server: string
  /** Default: the operator. */
  readonly caller?: Caller | undefined
  readonly scope?: string | undefined
}

const keyNote = 'connect-link-key'

/** Signed with a key of the storage: otherwise anyone could make a link by which a person connects another caller. */
export function openConnectLinks(notes: Notes): ConnectLinks {
  async function toMac(body: string): Promise<string> {
    const known = (await notes.get(keyNote)) ?? (await notes.setOnce(keyNote, randomBytes(32).toString('base64url')))
    return createHmac('sha256', Buffer.from(String(known), 'base64url'))
      .update(body)
      .digest('base64url')
  }

  return {
    async make(console, { server, caller, scope }) {
      const url = new URL(`${console}/console/connect/${encodeURIComponent(server)}`)
      const owner = toOwner(caller)
      if (owner !== operator) {
        const { issuer, subject } = caller ?? {}
        const linked: LinkedCaller = {
          owner,
          ...(issuer !== undefined && subject !== undefined && { issuer, subject }),
        }
        const body = Buffer.from(JSON.stringify(linked)).toString('base64url')
        url.searchParams.set('for', `${body}.${await toMac(body)}`)
      }
      if (scope !== undefined) url.searchParams.set('scope', scope)
      return url.href
    },
    async read(text) {
      const [, body, mac] = /^([\w-]{1,4096})\.([\w-]{43})$/.exec(text) ?? []
      if (body === undefined || mac === undefined) return undefined
      if (!timingSafeEqual(Buffer.from(mac), Buffer.from(await toMac(body)))) return undefined
      const parsed = parseJson(Buffer.from(body, 'base64url'), { maxBytes: 4096, maxDepth: 2 })
      return parsed.ok && isObject(parsed.value) ? (parsed.value as unknown as LinkedCaller) : undefined
    },
  }
}
