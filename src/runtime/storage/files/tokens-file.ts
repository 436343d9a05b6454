import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject, JsonValue } from '../../../contract/json.ts'
import { parseJson } from '../../../contract/schema/parse-json.ts'
import { withFileLock } from '../../../state/file-lock.ts'
import {
  makePrivateDirectory,
  PrivateFileError,
  readPrivateFile,
  writePrivateFile,
} from '../../../state/private-file.ts'
import { StateError } from '../../../state/state-error.ts'
import { type EnsuredToken, makeToken, type Token, type TokenStore } from '../operator-state.ts'

/** Long enough not to be guessed, and limited to characters that a header can carry. */
const fields: { readonly [name: string]: RegExp } = {
  caller: /^[A-Za-z0-9][\w.@-]{0,63}$/,
  token: /^[\w.~+/-]{32,512}$/,
  createdAt: /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/,
}

export interface TokensFileOptions {
  /** The state directory. Created if absent, accessible to this user only. */
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

/** Opens `tokens.json`. Changes are atomic, and serialized across processes by a lock file. */
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
      // A file that cannot be read again would lock every caller out.
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

/** A readable token lets another user impersonate the caller. Windows has no permission bits. */
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
  return new StateError(
    `The tokens file ${path} ${fault}. Fix it, or move it away and create new tokens with toolpact token.`,
    {
      cause,
    },
  )
}

/** Parses a tokens file. Error messages complete a sentence that starts with the file name. */
function readTokens(bytes: Uint8Array): Token[] {
  const parsed = parseJson(bytes, { maxBytes: 16_777_216, maxDepth: 8 })
  if (!parsed.ok) throw new Error(`is not valid: ${parsed.message}`)
  const { version, tokens, ...others } = mustBeObject(parsed.value, 'is no object')
  if (version !== 1) throw new Error(`has the version ${JSON.stringify(version)}, and this Toolpact knows version 1`)
  const [other] = Object.keys(others)
  if (other !== undefined) throw new Error(`has '${other}', which no tokens file has`)
  if (!Array.isArray(tokens)) throw new Error("has no list 'tokens'")
  const read = tokens.map((value, index) => readToken(value, `token ${index + 1}`))
  for (const field of ['caller', 'token'] as const)
    if (new Set(read.map((token) => token[field])).size < read.length) throw new Error(`has the same ${field} twice`)
  return read
}

function writeTokens(tokens: readonly Token[]): string {
  return `${JSON.stringify({ version: 1, tokens }, null, 2)}\n`
}

function readToken(value: JsonValue, name: string): Token {
  const token = mustBeObject(value, `has a ${name} that is no object`)
  for (const [field, pattern] of Object.entries(fields)) {
    const text = Object.hasOwn(token, field) ? token[field] : undefined
    if (typeof text !== 'string' || !pattern.test(text)) throw new Error(`has no valid '${field}' in ${name}`)
  }
  const other = Object.keys(token).find((field) => !Object.hasOwn(fields, field))
  if (other !== undefined) throw new Error(`has '${other}' in ${name}, which no token has`)
  return token as unknown as Token
}

function mustBeObject(value: JsonValue, fault: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new Error(fault)
}
