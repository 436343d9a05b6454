import { existsSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { withFileLock } from '../../../state/file-lock.ts'
import {
  makePrivateDirectory,
  PrivateFileError,
  readPrivateFile,
  writePrivateFile,
} from '../../../state/private-file.ts'
import { StateError } from '../../../state/state-error.ts'
import { type ReadTokens, readTokens, readUses, writeTokens } from '../read-tokens.ts'
import type { Token, TokenDocuments } from '../tokens.ts'

export interface TokensFileOptions {
  /** The state directory. Created if absent, accessible to this user only. */
  readonly directory: string
  /** How long to wait while another process saves. Default: 10 seconds. */
  readonly lockTimeoutMs?: number
}

/** `tokens.json` and `token-uses.json` in the state directory, which only this user can read. */
type TokensFile = Omit<TokenDocuments, 'location' | 'version'> & { readonly path: string }

/**
 * Opens the files. Changes are atomic, and serialized across processes by a lock file. Times of use have a file of their own:
 * they change often, and servers read the tokens again when those have changed.
 */
export function openTokensFile({ directory, lockTimeoutMs = 10_000 }: TokensFileOptions): TokensFile {
  const path = join(directory, 'tokens.json')
  const usesPath = join(directory, 'token-uses.json')

  function read(): ReadTokens {
    try {
      mustBeSecret(path)
      const bytes = readPrivateFile(path)
      return bytes ? readTokens(bytes) : { tokens: [], isPlain: false }
    } catch (cause) {
      throw toStateError(cause, path)
    }
  }

  async function locked(job: () => void): Promise<void> {
    try {
      makePrivateDirectory(directory)
    } catch (cause) {
      throw toStateError(cause, path)
    }
    await withFileLock(`${path}.lock`, lockTimeoutMs, job)
  }

  const change = (make: (tokens: readonly Token[]) => readonly Token[]) =>
    locked(() => {
      const { tokens, isPlain } = read()
      const changed = make(tokens)
      if (changed !== tokens || isPlain) writePrivateFile(path, writeTokens(changed))
    })

  function loadUses() {
    try {
      const bytes = readPrivateFile(usesPath)
      return readUses(bytes && Buffer.from(bytes).toString())
    } catch {
      return {}
    }
  }

  return {
    path,
    change,
    async load() {
      const { tokens, isPlain } = read()
      // An older version stored the tokens themselves. They stay valid, and only their hashes remain.
      if (isPlain) await change((own) => own)
      return tokens
    },
    lastUses: async () => loadUses(),
    async changeUses(make) {
      // Never creates the directory: if it was moved away, its tokens are elsewhere, and putting it back must work.
      if (!existsSync(path)) return
      const write = () => writePrivateFile(usesPath, `${JSON.stringify(make(loadUses()))}\n`, { isDurable: false })
      await withFileLock(`${path}.lock`, lockTimeoutMs, write)
    },
  }
}

/** Others could try out callers and scopes, or learn who calls. Windows has no permission bits. */
function mustBeSecret(path: string) {
  const mode = process.getuid ? (lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) : 0
  if (mode & 0o077 && (mode & 0o170000) === 0o100000)
    throw new PrivateFileError(path, `may be read by others (mode ${(mode & 0o777).toString(8)})`, 'Close it with chmod 600, and replace the tokens with toolpact token rotate NAME.') // biome-ignore format: one line
}

function toStateError(cause: unknown, path: string): StateError {
  if (cause instanceof PrivateFileError)
    return new StateError(`The tokens in ${path} are not used, because ${cause.path} ${cause.fault}. ${cause.advice}`, { cause }) // biome-ignore format: one line
  const { code, message } = cause as NodeJS.ErrnoException
  const fault = code === undefined ? message : `cannot be read (${code})`
  return new StateError(
    `The tokens file ${path} ${fault}. Fix it, or move it away and create new tokens with toolpact token create NAME.`,
    { cause },
  )
}
