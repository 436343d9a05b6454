import { randomBytes } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { withFileLock } from './file-lock.ts'
import { makePrivateDirectory, PrivateFileError, readPrivateFile, writePrivateFile } from './private-file.ts'
import { readTokens, type Token, writeTokens } from './read-tokens.ts'

/** Who may call over HTTP: a private file in the state directory with a token for each caller. */
export interface TokensStore {
  readonly path: string
  /** Every token; none where there is no file. Throws a TokensFileError where the file cannot be read or trusted. */
  load(): Token[]
  /** What tells one state of the file from another without reading it; undefined where there is none. */
  version(): string | undefined
  /** The caller's token, made where there is none. */
  ensure(caller: string): Promise<EnsuredToken>
  /** A new token in place of the caller's; undefined where there is none to replace. */
  rotate(caller: string): Promise<Token | undefined>
  /** False where the caller has none. */
  remove(caller: string): Promise<boolean>
}

interface EnsuredToken extends Token {
  readonly isNew: boolean
}

export interface TokensFileOptions {
  /** The state directory. Made if absent, for this user alone. */
  readonly directory: string
  /** How long to wait while another process saves. Default: 10 seconds. */
  readonly lockTimeoutMs?: number
}

/** The tokens cannot be read or trusted. The message says why and what to do. */
export class TokensFileError extends Error {
  override readonly name = 'TokensFileError'
}

/** Opens `tokens.json`. Every change is made under a lock to what the file holds then, and whole. */
export function openTokensFile({ directory, lockTimeoutMs = 10_000 }: TokensFileOptions): TokensStore {
  const path = join(directory, 'tokens.json')

  function load(): Token[] {
    try {
      mustBeSecret(path)
      const bytes = readPrivateFile(path)
      return bytes ? readTokens(bytes) : []
    } catch (cause) {
      throw toTokensFileError(cause, path)
    }
  }

  async function change(make: (tokens: readonly Token[]) => readonly Token[]): Promise<void> {
    try {
      makePrivateDirectory(directory)
    } catch (cause) {
      throw toTokensFileError(cause, path)
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
    version: () => toVersion(path),
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

/** 256 random bits. The beginning lets people, and programs that look for leaked secrets, tell what it is. */
function makeToken(caller: string): Token {
  return { caller, token: `toolpact_${randomBytes(32).toString('base64url')}`, createdAt: new Date().toISOString() }
}

/** Who may read the tokens may call as anybody. Windows has no such bits. */
function mustBeSecret(path: string) {
  const mode = process.getuid ? (lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) : 0
  if (mode & 0o077 && (mode & 0o170000) === 0o100000)
    throw new PrivateFileError(path, `may be read by others (mode ${(mode & 0o777).toString(8)})`, 'Close it with chmod 600, and replace the tokens with toolpact token rotate.') // biome-ignore format: one line
}

function toVersion(path: string): string | undefined {
  try {
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    return stat && [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ')
  } catch (cause) {
    // It may be there and only not be seen: whoever reads it will tell.
    return `unknown: ${(cause as NodeJS.ErrnoException).code}`
  }
}

function toTokensFileError(cause: unknown, path: string): TokensFileError {
  if (cause instanceof PrivateFileError)
    return new TokensFileError(`The tokens in ${path} are not used, because ${cause.path} ${cause.fault}. ${cause.advice}`, { cause }) // biome-ignore format: one line
  const { code, message } = cause as NodeJS.ErrnoException
  const fault = code === undefined ? message : `cannot be read (${code})`
  return new TokensFileError(`The tokens file ${path} ${fault}. Mend it, or move it away and make new tokens.`, {
    cause,
  })
}
