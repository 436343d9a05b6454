import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import type { JsonObject } from '../../contract/json.ts'

/** Encrypts what is secret before it is stored. */
export interface Vault {
  /** `context`: what the secret belongs to. It can be opened for the same context only. */
  seal(secret: JsonObject, context: string): string
  /** Undefined if it was sealed with another key or for another context, or was changed. */
  open(sealed: string, context: string): JsonObject | undefined
  /** Whether it was sealed with an older key, and should be sealed again. */
  isStale(sealed: string): boolean
}

const version = 'v1'

/** AES-256-GCM. The first key seals; the others, which it replaced, still open. Each key has 32 bytes. */
export function createVault([first, ...others]: readonly [Uint8Array, ...Uint8Array[]]): Vault {
  const keys = new Map([first, ...others].map((key) => [toKeyId(key), key]))
  const newest = toKeyId(first)
  return {
    seal(secret, context) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', first, nonce).setAAD(Buffer.from(context))
      const bytes = Buffer.concat([cipher.update(JSON.stringify(secret), 'utf8'), cipher.final(), cipher.getAuthTag()])
      return [version, newest, nonce.toString('base64url'), bytes.toString('base64url')].join('.')
    },
    open(sealed, context) {
      const [form, id = '', nonce = '', text = ''] = sealed.split('.')
      const key = form === version ? keys.get(id) : undefined
      const bytes = Buffer.from(text, 'base64url')
      if (!key || bytes.length < 16) return undefined
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'))
          .setAAD(Buffer.from(context))
          .setAuthTag(bytes.subarray(-16))
        return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8'))
      } catch {
        return undefined
      }
    },
    isStale: (sealed) => sealed.split('.')[1] !== newest,
  }
}

/** Names a key without revealing it. */
function toKeyId(key: Uint8Array): string {
  return hash('sha256', Buffer.concat([Buffer.from('toolpact vault key '), key])).slice(0, 8)
}
