import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toShellWord } from '../../contract/text/shell-word.ts'
import { createVault, type Vault } from '../../identity/vault/vault.ts'
import { makePrivateDirectory, readPrivateFile } from '../../state/private-file.ts'
import type { Config } from '../config/config.ts'
import { ConfigError } from '../config/config-error.ts'
import { runCommand } from './run-command.ts'

type Settings = NonNullable<Config['vault']>

interface VaultOptions {
  readonly settings: Settings | undefined
  readonly stateDirectory: string
  /** Several machines share the storage, so that a key in the state directory of one would not do. */
  readonly isShared: boolean
  readonly keepEnvironment?: readonly string[] | undefined
}

const make = 'Make one with: openssl rand -base64 32'

/** Opens what encrypts credentials: with the configured key, else with one in the state directory, which it creates. */
export async function openVault(options: VaultOptions): Promise<Vault> {
  const { settings = {}, stateDirectory, isShared } = options
  requireOne(settings)
  const former = (settings.formerKeyFiles ?? []).map((path) => toKey(readKeyFile(path), path))
  return createVault([await readKey(settings), ...former])

  async function readKey({ keyFile, keyEnv, keyCommand }: Settings): Promise<Uint8Array> {
    if (keyFile !== undefined) return toKey(readKeyFile(keyFile), keyFile)
    if (keyCommand)
      return toKey(await runCommand(keyCommand, options.keepEnvironment), `the output of ${keyCommand[0]}`)
    const variable = keyEnv ?? 'TOOLPACT_VAULT_KEY'
    const value = process.env[variable]
    if (value) return toKey(value, `the environment variable ${variable}`)
    if (keyEnv !== undefined) throw new ConfigError(`Credentials cannot be stored: the environment variable ${keyEnv} of vault.keyEnv is not set. ${make}`) // biome-ignore format: one line
    if (isShared) throw new ConfigError(`Credentials cannot be stored: servers that share a database need a common key. Set TOOLPACT_VAULT_KEY, or vault in the config. ${make}`) // biome-ignore format: one line
    return readOwnKey(stateDirectory)
  }
}

function requireOne({ keyFile, keyEnv, keyCommand }: Settings) {
  if ([keyFile, keyEnv, keyCommand].filter((place) => place !== undefined).length > 1)
    throw new ConfigError('vault in the config names more than one key. Leave one of keyFile, keyEnv and keyCommand.')
}

/** Of processes that create it at the same time, one wins. */
function readOwnKey(stateDirectory: string): Uint8Array {
  const path = join(stateDirectory, 'vault.key')
  makePrivateDirectory(stateDirectory)
  if (!readPrivateFile(path)) {
    const temporary = `${path}.${process.pid}.tmp`
    writeFileSync(temporary, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
    try {
      linkSync(temporary, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(temporary, { force: true })
    }
  }
  return toKey(Buffer.from(readPrivateFile(path)!).toString('utf8'), path)
}

function readKeyFile(path: string): string {
  try {
    if (process.platform !== 'win32' && statSync(path).mode & 0o077)
      throw new ConfigError(`The key ${path} in vault can be read by others. Run chmod 600 ${toShellWord(path)}.`)
    return readFileSync(path, 'utf8')
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause
    throw new ConfigError(`The key ${path} in vault cannot be read (${(cause as NodeJS.ErrnoException).code}). ${make}`, { cause }) // biome-ignore format: one line
  }
}

function toKey(text: string, place: string): Uint8Array {
  const trimmed = text.trim()
  const bytes = /^[0-9a-f]{64}$/i.test(trimmed) ? Buffer.from(trimmed, 'hex') : Buffer.from(trimmed, 'base64')
  if (bytes.length === 32) return Uint8Array.from(bytes)
  throw new ConfigError(`The key of the vault, ${place}, does not have 32 bytes in base64. ${make}`)
}
