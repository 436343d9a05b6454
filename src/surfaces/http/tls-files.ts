import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'

/** Paths of PEM files. */
export interface TlsFiles {
  /** The certificate of the server, followed by those that lead to a trusted one. */
  readonly cert: string
  readonly key: string
}

/** The contents of both files, which belong together. */
export interface TlsPair {
  readonly cert: string
  readonly key: string
}

/** Reads a certificate and its key. Throws if they cannot be used, and says why. */
export function readTlsFiles(files: TlsFiles, now = Date.now()): TlsPair {
  const pair = { cert: read(files.cert, 'http.tls.cert'), key: read(files.key, 'http.tls.key') }
  const certificate = parseCertificate(pair.cert, files.cert)
  const key = parseKey(pair.key, files.key)
  if (!certificate.checkPrivateKey(key)) throw new Error(`The key ${files.key} does not belong to the certificate ${files.cert}. Set http.tls to files of the same pair.`) // biome-ignore format: one line
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]
  if (now >= to) throw new Error(`The certificate ${files.cert} expired on ${certificate.validTo}. Renew it.`)
  if (now < from) throw new Error(`The certificate ${files.cert} is only valid from ${certificate.validFrom} on. Check it, and the clock.`) // biome-ignore format: one line
  return pair
}

export interface FollowOptions {
  readonly files: TlsFiles
  /** Receives the pair whenever it has changed and can be used. */
  readonly onChange: (pair: TlsPair) => void
  /** Called if changed files cannot be used: what was read before stays in use. */
  readonly onFailure: (cause: unknown) => void
  readonly everyMs?: number
}

/**
 * Looks at the files again and again: programs that renew certificates replace files, folders or links, which no watcher of
 * files reports everywhere. A failure is reported once it lasts for two looks, since the two files are not written at once.
 */
export function followTlsFiles({ files, onChange, onFailure, everyMs = 1000 }: FollowOptions): () => void {
  let used = toVersion(files)
  let failed: string | undefined
  let reported: string | undefined
  function look() {
    const version = toVersion(files)
    if (version === used || version === reported) return
    try {
      onChange(readTlsFiles(files))
      used = version
      reported = undefined
    } catch (cause) {
      if (version === failed) {
        reported = version
        onFailure(new Error(`${(cause as Error).message} The certificate from before stays in use.`, { cause }))
      }
      failed = version
    }
  }
  const timer = setInterval(look, everyMs).unref()
  return () => clearInterval(timer)
}

function toVersion({ cert, key }: TlsFiles): string {
  return [cert, key]
    .map((path) => {
      const { mtimeMs, ino, size } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: 0, ino: 0, size: -1 }
      return `${mtimeMs} ${ino} ${size}`
    })
    .join()
}

function read(path: string, setting: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'does not exist' : code === 'EACCES' ? 'may not be read by this user' : `cannot be read (${code})` // biome-ignore format: one line
    throw new Error(`${setting} names ${path}, which ${why}.`, { cause })
  }
}

function parseCertificate(text: string, path: string): X509Certificate {
  try {
    return new X509Certificate(text)
  } catch (cause) {
    throw new Error(`${path} contains no certificate in PEM. Set http.tls.cert to one.`, { cause })
  }
}

function parseKey(text: string, path: string): KeyObject {
  try {
    return createPrivateKey(text)
  } catch (cause) {
    const isLocked = (cause as NodeJS.ErrnoException).code === 'ERR_MISSING_PASSPHRASE' || /ENCRYPTED/.test(text)
    throw new Error(isLocked ? `The key ${path} has a passphrase. Set http.tls.key to one without, readable by this user only.` : `${path} contains no private key in PEM. Set http.tls.key to one.`, { cause }) // biome-ignore format: one line
  }
}
