import { createHash, randomBytes } from 'node:crypto'
import type { SignIns } from '../../runtime/storage/sign-ins.ts'
import type { Person } from '../http/route.ts'

export interface LinkPlace {
  readonly signIns: SignIns
  /** Written before the secret, if it tells the tenant of a request. */
  readonly tenant?: string | undefined
}

/**
 * Stores a link that signs this person in, once, and returns its secret. Whoever can write to the storage is the operator, so
 * this needs no other proof.
 */
export async function addLink({ signIns, tenant }: LinkPlace, { name, rights }: Person): Promise<string> {
  const secret = makeSecret(tenant)
  const now = Date.now()
  await signIns.add({ person: name, rights, kind: 'link', hash: hashSecret(secret), expiresAt: now + linkMs }, now)
  return secret
}

export const linkMs = 3_600_000

export function makeSecret(tenant: string | undefined): string {
  return `${tenant === undefined ? '' : `${tenant}.`}${randomBytes(32).toString('base64url')}`
}

/** Secrets are looked up by hash, so that timing reveals nothing about them. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
