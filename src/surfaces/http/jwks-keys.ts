import { readFile, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import type { JWTVerifyGetKey } from 'jose'

type Jose = typeof import('jose')

/** Gives the keys as they are now. Rejects where they cannot be loaded. */
export type KeySource = () => Promise<JWTVerifyGetKey>

/** Throws where the place is neither an address that can be trusted nor a file. */
export function toKeySource(place: string, jose: Jose): KeySource {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(place)) return toFileKeys(place, jose)
  const url = new URL(place)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isHere))
    throw new Error(`The keys at ${place} could be changed on the way. Use https in http.auth.jwks, or a file.`)
  const keys = jose.createRemoteJWKSet(url, { timeoutDuration: 5000, cooldownDuration: 30_000, cacheMaxAge: 600_000 })
  return async () => keys
}

/** A file is read again when it has changed. */
function toFileKeys(path: string, jose: Jose): KeySource {
  if (!isAbsolute(path)) throw new Error(`The path ${path} in http.auth.jwks is not absolute.`)
  let loaded: { readonly keys: JWTVerifyGetKey; readonly version: string } | undefined
  return async () => {
    const { ino, size, mtimeNs } = await stat(path, { bigint: true })
    const version = [ino, size, mtimeNs].join(' ')
    if (loaded?.version !== version)
      loaded = { keys: jose.createLocalJWKSet(JSON.parse(await readFile(path, 'utf8'))), version }
    return loaded.keys
  }
}
