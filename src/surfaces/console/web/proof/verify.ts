import { parseCheckpoint } from '../../../../runtime/storage/proof/checkpoint.ts'
import {
  type ProofStep,
  type ProofVerdict,
  parseProofFile,
  verifyProofFile,
} from '../../../../runtime/storage/proof/proof-file.ts'
import {
  fromBase64,
  parseVerifierKey,
  toVerifier,
  type Verifier,
} from '../../../../runtime/storage/proof/signed-note.ts'

/** What a verification found, check by check. */
export interface Verification {
  readonly steps: readonly ProofStep[]
  readonly verdict: ProofVerdict
}

const maxKeys = 16

/** Verifies a proof file with public keys, one to a line, or one in PEM. Nothing leaves the browser. */
export async function verifyHere(file: string, keys: string): Promise<Verification> {
  const steps: ProofStep[] = []
  const refuse = (reason: string): Verification => ({ steps, verdict: { valid: false, reason } })
  // Browsers offer cryptography only to pages that nobody can have changed on their way.
  if (globalThis.crypto?.subtle === undefined) return refuse('The browser offers no cryptography to this page: it was not loaded over HTTPS or from this machine. Use toolpact verify.') // biome-ignore format: one line
  try {
    const verifiers = await readKeys(keys, file)
    if (!verifiers) return refuse('That is not a public key for Ed25519. Use what toolpact ledger key prints.')
    return { steps, verdict: await verifyProofFile(file, verifiers, (step) => steps.push(step)) }
  } catch {
    return refuse('This browser cannot verify it: Ed25519 may be missing. Use toolpact verify.')
  }
}

/** Undefined if one of them is not a key. */
async function readKeys(text: string, file: string): Promise<Verifier[] | undefined> {
  const lines = text.includes('-----BEGIN') ? [text] : text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length === 0 || lines.length > maxKeys) return undefined
  const found = await Promise.all(lines.map((line) => parseVerifierKey(line).then((key) => key ?? fromPem(line, file))))
  return found.includes(undefined) ? undefined : (found as Verifier[])
}

/** A PEM key has no name, so it takes the one in the file: what is verified is the key. */
async function fromPem(text: string, proof: string): Promise<Verifier | undefined> {
  const encoded = /^\s*-----BEGIN PUBLIC KEY-----([\s\S]{1,200})-----END PUBLIC KEY-----\s*$/.exec(text)?.[1]
  const bytes = encoded === undefined ? undefined : fromBase64(encoded.replace(/\s/g, ''))
  // An Ed25519 key in SPKI: 12 bytes that say so, and the key.
  if (bytes?.length !== 44) return undefined
  const file = parseProofFile(proof)
  const note = file && parseCheckpoint('checkpoint' in file ? file.checkpoint : file.to)
  const key = await crypto.subtle.importKey('spki', bytes, 'Ed25519', true, ['verify'])
  return toVerifier(note?.origin ?? 'unknown', new Uint8Array(await crypto.subtle.exportKey('raw', key)))
}
