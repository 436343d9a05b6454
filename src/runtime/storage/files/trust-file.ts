import { join } from 'node:path'
import type { JsonValue } from '../../../contract/json.ts'
import { parseJson } from '../../../contract/schema/parse-json.ts'
import { withFileLock } from '../../../state/file-lock.ts'
import {
  makePrivateDirectory,
  PrivateFileError,
  readPrivateFile,
  writePrivateFile,
} from '../../../state/private-file.ts'
import { StateError } from '../../../state/state-error.ts'
import type { TrustedFile, TrustStore } from '../operator-state.ts'

/** The list of trusted files, in the state directory, where workspace tools cannot write. */
type TrustFile = Omit<TrustStore, 'load'> & {
  /** Throws a `StateError`. */
  load(): TrustedFile[]
}

const fileName = 'trust.json'
const lockTimeoutMs = 10_000

export function openTrustFile({ directory }: { readonly directory: string }): TrustFile {
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

function toError(path: string, cause: unknown): StateError {
  if (cause instanceof PrivateFileError)
    return new StateError(
      `Nothing that ${path} trusts is trusted, because ${cause.path} ${cause.fault}. ${cause.advice}`,
      { cause },
    )
  const { code, message } = cause as NodeJS.ErrnoException
  const fault = code === undefined ? message : `cannot be read (${code})`
  return new StateError(`Nothing is trusted, because ${path} ${fault}. Fix it, or move it away.`, { cause })
}

const fields = ['path', 'digest', 'trustedBy', 'trustedAt'] as const

/** Error messages complete a sentence that starts with the file name. */
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
