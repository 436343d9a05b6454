import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  hkdfSync,
  type KeyObject,
  sign,
} from 'node:crypto'
import { realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { toShellWord } from '../../contract/text/shell-word.ts'
import type { ProofStore } from '../../runtime/storage/proof/proof-store.ts'
import type { Signer } from '../../runtime/storage/proof/sealer.ts'
import { parseVerifierKey, toNamedKey, type Verifier } from '../../runtime/storage/proof/signed-note.ts'
import { ensurePrivateFile, readPrivateFile } from '../../state/private-file.ts'
import type { Config } from '../config/config.ts'
import { ConfigError } from '../config/config-error.ts'
import { readKeyFile } from '../config/read-key-file.ts'

type Signing = NonNullable<NonNullable<Config['ledger']>['signing']>

interface SigningOptions {
  readonly signing: Signing | undefined
  readonly stateDirectory: string
  /** Of the ledger: its id for the default name, and its own key if that is kept there. */
  readonly proof: Pick<ProofStore, 'ledgerId' | 'ownKey'>
  readonly keepEnvironment?: readonly string[] | undefined
}

/** Opens what signs checkpoints. Creates a key in the state directory, or in the database, if the config names none. */
export async function openSigner(options: SigningOptions): Promise<Signer> {
  const { signing = {}, stateDirectory, proof } = options
  requireOneKey(signing)
  const { command, publicKey } = signing
  if (command) {
    const verifier = (await parseVerifierKey(publicKey!))!
    const { runSigner } = await import('./run-signer.ts')
    const { keepEnvironment } = options
    return { verifier, isLocal: false, sign: (text) => runSigner(text, { command, keepEnvironment, verifier }) }
  }
  const key = signing.key === undefined ? (await readOwnKey(options, true))! : readKey(signing.key)
  const verifier = toOwnVerifier(signing.origin ?? (await toOrigin(proof)), key)
  return {
    verifier,
    isLocal: signing.key === undefined || isInside(signing.key, stateDirectory),
    sign: async (text) => sign(null, Buffer.from(text), key),
  }
}

/** The public keys whose checkpoints count, without creating a key. `isLocal`: its private key is kept with the ledger. */
export async function findVerifiers(options: SigningOptions): Promise<{ verifier: Verifier; isLocal: boolean }[]> {
  const { signing = {}, proof } = options
  requireOneKey(signing)
  const found: { verifier: Verifier; isLocal: boolean }[] = []
  if (signing.command || signing.key !== undefined) found.push(await openSigner(options))
  for (const text of signing.formerKeys ?? []) found.push({ verifier: (await parseVerifierKey(text))!, isLocal: false })
  const own = await readOwnKey(options, false)
  // Before an origin was configured, it signed under the default name.
  const names = new Set([signing.origin ?? (await toOrigin(proof)), await toOrigin(proof)])
  if (own) for (const name of names) found.push({ verifier: toOwnVerifier(name, own), isLocal: true })
  return found.map(({ verifier, isLocal }) => ({ verifier, isLocal }))
}

/** A secret for the journals of one ledger, from the private key: who has the one can make the other. */
export function readJournalSecret(path: string, ledgerId: string): Uint8Array {
  const { d } = readKey(path).export({ format: 'jwk' })
  return new Uint8Array(hkdfSync('sha256', Buffer.from(d!, 'base64url'), ledgerId, 'toolpact journal', 32))
}

function requireOneKey({ key, command, publicKey }: Signing) {
  const fault =
    key !== undefined && command
      ? 'It has both key and command. Leave one out.'
      : command && publicKey === undefined
        ? 'A command needs publicKey.'
        : publicKey !== undefined && !command
          ? 'publicKey is for a command.'
          : undefined
  if (fault) throw new ConfigError(`ledger.signing in the config cannot be used: ${fault}`)
}

async function toOrigin({ ledgerId }: Pick<ProofStore, 'ledgerId'>): Promise<string> {
  return `toolpact/ledger/${await ledgerId()}`
}

/** The key that Toolpact creates if none is configured. */
async function readOwnKey(
  { proof, stateDirectory }: SigningOptions,
  isCreated: boolean,
): Promise<KeyObject | undefined> {
  const { ownKey } = proof
  if (!ownKey) return readLocalKey(stateDirectory, isCreated)
  const pem = (await ownKey.read()) ?? (isCreated ? await ownKey.keep(makeKey()) : undefined)
  return pem === undefined ? undefined : toKey('The note ledger.key in the database', Buffer.from(pem))
}

function makeKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }) as string
}

function readLocalKey(stateDirectory: string, isCreated: boolean): KeyObject | undefined {
  const path = join(stateDirectory, 'ledger-key.pem')
  const pem = isCreated ? ensurePrivateFile(path, makeKey) : readPrivateFile(path)
  return pem && toKey(path, Buffer.from(pem))
}

function readKey(path: string): KeyObject {
  return toKey(path, readKeyFile(path, { setting: 'ledger.signing', make: toMake(path) }))
}

function toMake(path: string): string {
  return `Create one with: openssl genpkey -algorithm ed25519 -out ${toShellWord(path)}`
}

function toKey(path: string, pem: Buffer): KeyObject {
  try {
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // The same advice.
  }
  throw new ConfigError(`${path} is not an Ed25519 private key in PEM. ${toMake(path)}`) // biome-ignore format: one line
}

/** Without WebCrypto, which takes milliseconds to load: every command that records a call signs a checkpoint. */
function toOwnVerifier(name: string, key: KeyObject): Verifier {
  const publicKey = Uint8Array.from(Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x!, 'base64url'))
  const keyId = hash('sha256', toNamedKey(name, publicKey, 'note')).slice(0, 8)
  return { name, keyId, kind: 'note', publicKey }
}

function isInside(path: string, directory: string): boolean {
  try {
    return realpathSync(path).startsWith(`${realpathSync(directory)}${sep}`)
  } catch {
    return false
  }
}
