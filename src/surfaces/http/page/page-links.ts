import { createHash, randomBytes } from 'node:crypto'
import type { Caller } from '../../../contract/tool.ts'

/** A visitor who used a link. */
interface Visitor {
  readonly caller: Caller
  /** The caller's token when the link was created. If it changes, the visit ends. */
  readonly token: string | undefined
}

export interface PageLinks {
  /** A one-time code that opens the page. */
  makeCode(visitor: Visitor): string
  /** Redeems a code for a cookie value. */
  redeem(code: string): string | undefined
  find(cookie: string): Visitor | undefined
}

const codeMs = 3_600_000
const visitMs = 43_200_000
const maxKept = 64

/** Kept in memory only: a restart ends all codes and visits. */
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

/** Looked up by hash, so that timing reveals nothing about the secret. */
function toHash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64')
}
