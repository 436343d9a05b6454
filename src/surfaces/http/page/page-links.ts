import { createHash, randomBytes } from 'node:crypto'
import type { Caller } from '../../../contract/tool.ts'

/** Somebody who came with a link. */
interface Visitor {
  readonly caller: Caller
  /** The caller's token when the link was made: with another one, or none, the visit is over. */
  readonly token: string | undefined
}

export interface PageLinks {
  /** A code that opens the page once. */
  makeCode(visitor: Visitor): string
  /** Uses a code up, and gives the value of the cookie in its place. */
  redeem(code: string): string | undefined
  find(cookie: string): Visitor | undefined
}

const codeMs = 3_600_000
const visitMs = 43_200_000
const maxKept = 64

/** Codes and visits live in this process only, so that a restart ends them all. */
export function createPageLinks(now: () => number = Date.now): PageLinks {
  const codes = createSecrets(codeMs, now)
  const visits = createSecrets(visitMs, now)
  return {
    makeCode: codes.make,
    redeem(code) {
      const visitor = codes.find(code)
      codes.forget(code)
      return visitor && visits.make(visitor)
    },
    find: visits.find,
  }
}

function createSecrets(lastsMs: number, now: () => number) {
  const kept = new Map<string, { readonly visitor: Visitor; readonly until: number }>()
  return {
    make(visitor: Visitor): string {
      const secret = randomBytes(32).toString('base64url')
      if (kept.size >= maxKept) kept.delete(kept.keys().next().value!)
      kept.set(toHash(secret), { visitor, until: now() + lastsMs })
      return secret
    },
    find(secret: string): Visitor | undefined {
      const found = kept.get(toHash(secret))
      return found && now() < found.until ? found.visitor : undefined
    },
    forget: (secret: string) => kept.delete(toHash(secret)),
  }
}

/** How far a guess agrees with a hash, which is what a search could betray, says nothing about the secret. */
function toHash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64')
}
