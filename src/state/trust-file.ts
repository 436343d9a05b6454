import { join } from 'node:path'
import type { JsonValue } from '../contract/json.ts'
import { parseJson } from '../contract/schema/parse-json.ts'
import { withFileLock } from './file-lock.ts'
import { makePrivateDirectory, PrivateFileError, readPrivateFile, writePrivateFile } from './private-file.ts'

/** A file whose exact content somebody has trusted. */
export interface TrustedFile {
  /** Its real path. */
  readonly path: string
  /** Of its bytes: `sha256:` and 64 hex digits. */
  readonly digest: string
  readonly trustedBy: string
  /** ISO time. */
  readonly trustedAt: string
}

/** What the operator trusts, in the state directory, where no tool of the workspace reaches. */
export interface TrustStore {
  /** Throws a TrustFileError where the list cannot be read, or somebody else can have written it. */
  load(): TrustedFile[]
  /** In place of what was trusted at that path before. */
  add(file: TrustedFile): Promise<void>
  /** False where nothing was trusted at that path. */
  remove(path: string): Promise<boolean>
}

/** The list of what is trusted cannot be used. The message says why and what to do. */
export class TrustFileError extends Error {
  override readonly name = 'TrustFileError'
}

const fileName = 'trust.json'
const lockTimeoutMs = 10_000

export function openTrustFile({ directory }: { readonly directory: string }): TrustStore {
  const path = join(directory, fileName)

  function load(): TrustedFile[] {
    try {
      const bytes = readPrivateFile(path)
      return bytes ? readTrusted(bytes) : []
    } catch (cause) {
      throw toError(path, cause)
    }
  }

  async function change(make: (files: readonly TrustedFile[]) => readonly TrustedFile[]): Promise<void> {
    try {
      makePrivateDirectory(directory)
    } catch (cause) {
      throw toError(path, cause)
    }
    await withFileLock(`${path}.lock`, lockTimeoutMs, () =>
      writePrivateFile(path, `${JSON.stringify({ version: 1, trusted: make(load()) }, null, 2)}\n`),
    )
  }

  return {
    load,
    add: (file) => change((files) => [...files.filter(({ path }) => path !== file.path), file]),
    async remove(gone) {
      const isThere = load().some(({ path }) => path === gone)
      if (isThere) await change((files) => files.filter(({ path }) => path !== gone))
      return isThere
    },
  }
}

function toError(path: string, cause: unknown): TrustFileError {
  if (cause instanceof PrivateFileError)
    return new TrustFileError(
      `Nothing that ${path} trusts is trusted, because ${cause.path} ${cause.fault}. ${cause.advice}`,
      { cause },
    )
  const { code, message } = cause as NodeJS.ErrnoException
  const fault = code === undefined ? message : `cannot be read (${code})`
  return new TrustFileError(`Nothing is trusted, because ${path} ${fault}. Mend it, or move it away.`, { cause })
}

const fields = ['path', 'digest', 'trustedBy', 'trustedAt'] as const

/** Throws what is wrong, as the end of a sentence that begins with the file. */
function readTrusted(bytes: Uint8Array): TrustedFile[] {
  const parsed = parseJson(bytes, { maxBytes: 16_777_216, maxDepth: 8 })
  if (!parsed.ok) throw new Error(`is not valid: ${parsed.message.replace(/\.$/, '')}`)
  const { version, trusted } = Object(parsed.value)
  if (version !== 1) throw new Error(`has the version ${JSON.stringify(version)}, and this Toolpact knows version 1`)
  if (!Array.isArray(trusted)) throw new Error("has no list 'trusted'")
  return trusted.map((value: JsonValue, index) => {
    const file = Object(value)
    const wrong = fields.find((field) => typeof file[field] !== 'string')
    if (wrong !== undefined) throw new Error(`has no '${wrong}' in entry ${index + 1}`)
    return file
  })
}
