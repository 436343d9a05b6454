import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createVault, type Vault } from '../../identity/vault/vault.ts'
import { ensurePrivateFile, makePrivateDirectory, readPrivateFile } from '../../state/private-file.ts'
import type { Config } from '../config/config.ts'
import { ConfigError } from '../config/config-error.ts'
import { readKeyFile } from '../config/read-key-file.ts'
import { runCommand } from './run-command.ts'

type Settings = NonNullable<Config['vault']>

export interface VaultOptions {
  readonly settings: Settings | undefined
  readonly stateDirectory: string
  /** Several machines share the storage, so that a key in the state directory of one would not do. */
  readonly isShared: boolean
  readonly keepEnvironment?: readonly string[] | undefined
}

const defaultVariable = 'TOOLPACT_VAULT_KEY'
const make = 'Make one with: openssl rand -base64 32'

/** Opens what encrypts credentials: with the configured key, else with one in the state directory, which it creates. */
export async function openVault(options: VaultOptions): Promise<Vault> {
  const { settings = {}, stateDirectory, isShared } = options
  requireOne(settings)
  const former = (settings.formerKeyFiles ?? []).map(readNamedKey)
  const key = await readKey(settings)
  // The one that is being replaced is read last: until it is gone, there is another one.
  const replaced = usesOwnKey(options) ? readFormerKey(stateDirectory) : undefined
  return createVault([key, ...(replaced ? [replaced] : []), ...former])

  async function readKey({ keyFile, keyEnv, keyCommand }: Settings): Promise<Uint8Array> {
    if (keyFile !== undefined) return readNamedKey(keyFile)
    if (keyCommand)
      return toKey(await runCommand(keyCommand, options.keepEnvironment), `the output of ${keyCommand[0]}`)
    const variable = keyEnv ?? defaultVariable
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

/** Whether the key is the one that Toolpact creates. */
export function usesOwnKey({ settings = {}, isShared }: VaultOptions): boolean {
  const { keyFile, keyEnv, keyCommand } = settings
  return keyFile === undefined && keyEnv === undefined && !keyCommand && !process.env[defaultVariable] && !isShared
}

/** The key in the state directory, and the one that it replaced while not everything is encrypted anew. */
export function toKeyPaths(stateDirectory: string) {
  const path = join(stateDirectory, 'vault.key')
  return { path, former: `${path}.former` }
}

export function makeKey(): string {
  return `${randomBytes(32).toString('base64')}\n`
}

export function readOwnKey(stateDirectory: string): Uint8Array {
  const { path } = toKeyPaths(stateDirectory)
  makePrivateDirectory(stateDirectory)
  return toKey(Buffer.from(ensurePrivateFile(path, makeKey)).toString('utf8'), path)
}

function readFormerKey(stateDirectory: string): Uint8Array | undefined {
  const { former } = toKeyPaths(stateDirectory)
  const bytes = readPrivateFile(former)
  return bytes && toKey(Buffer.from(bytes).toString('utf8'), former)
}

function readNamedKey(path: string): Uint8Array {
  return toKey(readKeyFile(path, { setting: 'vault', make }).toString('utf8'), path)
}

function toKey(text: string, place: string): Uint8Array {
  const trimmed = text.trim()
  const bytes = /^[0-9a-f]{64}$/i.test(trimmed) ? Buffer.from(trimmed, 'hex') : Buffer.from(trimmed, 'base64')
  if (bytes.length === 32) return Uint8Array.from(bytes)
  throw new ConfigError(`The key of the vault, ${place}, does not have 32 bytes in base64. ${make}`)
}
