import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { withFileLock } from '../../../state/file-lock.ts'
import {
  makePrivateDirectory,
  PrivateFileError,
  readPrivateFile,
  writePrivateFile,
} from '../../../state/private-file.ts'
import { StateError } from '../../../state/state-error.ts'
import { type EnsuredToken, makeToken, type Token, type TokenStore } from '../operator-state.ts'
import { readTokens, writeTokens } from './read-tokens.ts'

export interface TokensFileOptions {
  /** The state directory. Made if absent, for this user alone. */
  readonly directory: string
  /** How long to wait while another process saves. Default: 10 seconds. */
  readonly lockTimeoutMs?: number
}

/** The tokens file: JSON in the state directory that only this user can read. */
type TokensFile = Omit<TokenStore, 'location' | 'version' | 'load'> & {
  readonly path: string
  /** Throws a `StateError`. */
  load(): Token[]
}

/** Opens `tokens.json`. Every change is made under a lock to what the file holds then, and whole. */
export function openTokensFile({ directory, lockTimeoutMs = 10_000 }: TokensFileOptions): TokensFile {
  const path = join(directory, 'tokens.json')

  function load(): Token[] {
    try {
      mustBeSecret(path)
      const bytes = readPrivateFile(path)
      return bytes ? readTokens(bytes) : []
    } catch (cause) {
      throw toStateError(cause, path)
    }
  }

  async function change(make: (tokens: readonly Token[]) => readonly Token[]): Promise<void> {
    try {
      makePrivateDirectory(directory)
    } catch (cause) {
      throw toStateError(cause, path)
    }
    await withFileLock(`${path}.lock`, lockTimeoutMs, () => {
      const tokens = load()
      const changed = make(tokens)
      if (changed === tokens) return
      const text = writeTokens(changed)
      // What could not be read again would shut every caller out.
      readTokens(Buffer.from(text))
      writePrivateFile(path, text)
    })
  }

  return {
    path,
    load,
    async ensure(caller) {
      const known = load().find((token) => token.caller === caller)
      if (known) return { ...known, isNew: false }
      const made = makeToken(caller)
      let ensured: EnsuredToken = { ...made, isNew: true }
      await change((tokens) => {
        const other = tokens.find((token) => token.caller === caller)
        if (other) ensured = { ...other, isNew: false }
        return other ? tokens : [...tokens, made]
      })
      return ensured
    },
    async rotate(caller) {
      const made = makeToken(caller)
      let found = false
      await change((tokens) => {
        found = tokens.some((token) => token.caller === caller)
        return found ? tokens.map((token) => (token.caller === caller ? made : token)) : tokens
      })
      return found ? made : undefined
    },
    async remove(caller) {
      let found = false
      await change((tokens) => {
        found = tokens.some((token) => token.caller === caller)
        return found ? tokens.filter((token) => token.caller !== caller) : tokens
      })
      return found
    },
  }
}

/** Who may read the tokens may call as anybody. Windows has no such bits. */
function mustBeSecret(path: string) {
  const mode = process.getuid ? (lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) : 0
  if (mode & 0o077 && (mode & 0o170000) === 0o100000)
    throw new PrivateFileError(path, `may be read by others (mode ${(mode & 0o777).toString(8)})`, 'Close it with chmod 600, and replace the tokens with toolpact token rotate.') // biome-ignore format: one line
}

function toStateError(cause: unknown, path: string): StateError {
  if (cause instanceof PrivateFileError)
    return new StateError(`The tokens in ${path} are not used, because ${cause.path} ${cause.fault}. ${cause.advice}`, { cause }) // biome-ignore format: one line
  const { code, message } = cause as NodeJS.ErrnoException
  const fault = code === undefined ? message : `cannot be read (${code})`
  return new StateError(`The tokens file ${path} ${fault}. Mend it, or move it away and make new tokens.`, {
    cause,
  })
}
