import { createPublicKey } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { printable, printableJson } from '../contract/text/printable.ts'
import { parseCheckpoint } from '../runtime/storage/proof/checkpoint.ts'
import {
  maxProofCharacters,
  type ProofVerdict,
  parseProofFile,
  verifyProofFile,
} from '../runtime/storage/proof/proof-file.ts'
import { parseVerifierKey, toVerifier, type Verifier } from '../runtime/storage/proof/signed-note.ts'
import { verifyFile, verifyLedger } from './ledger/verify.ts'
import { type Command, type Request, UsageError } from './options/command.ts'
import { exitCodes } from './terminal/exit-codes.ts'
import { paint } from './terminal/terminal.ts'

export const verify: Command = {
  usage: ['verify [--full] [--offline]', 'verify FILE [--key KEY]'],
  about: `Verifies the ledger, or a file: a proof of toolpact ledger prove, which needs no state directory but the public key; a
checkpoint that was kept elsewhere, which is compared with the ledger; or an archive. Exit code 1 if something is wrong.`,
  options: {
    key: {
      type: 'string',
      value: 'KEY',
      multiple: true,
      about: 'a public key that must have signed: its text, or a file with it or with a PEM public key',
    },
    full: {
      type: 'boolean',
      about: 'check every entry of a long ledger again, not only those after the last verification',
    },
    offline: { type: 'boolean', about: 'do not ask other machines for the checkpoints that they keep' },
  },
  examples: [
    ['toolpact verify proof.json --key auditor.pub', 'check a proof with a public key'],
    ['toolpact verify /mnt/audit/checkpoints', 'compare the ledger with checkpoints that were kept elsewhere'],
    ['toolpact verify --full', 'check every entry of the ledger'],
  ],
  async run(request) {
    const [file, more] = request.positionals
    if (more !== undefined) throw new UsageError(`verify takes one file, but also got '${more}'.`)
    const kind = file === undefined ? 'ledger' : findKind(file)
    const { key, full, offline } = request.options
    if (key && kind !== 'proof') throw new UsageError('--key is for a proof file.', 'The ledger knows its own key.')
    if (kind === 'proof') {
      if (full || offline)
        throw new UsageError(`--${full ? 'full' : 'offline'} is for the ledger, and this is a proof file.`)
      return verifyProof(file!, request)
    }
    const toolpact = await request.open({ access: 'read' })
    try {
      if (kind === 'archive') return await verifyFile(toolpact.ledger, file!, request)
      const kept = file === undefined ? [] : [{ place: file, text: readText(file) }]
      return await verifyLedger(toolpact, request, kept)
    } finally {
      await toolpact.close()
    }
  },
}

type Kind = 'ledger' | 'proof' | 'archive' | 'checkpoint'

/** By the first bytes: an archive is gzip, a proof is a JSON object. */
function findKind(path: string): Kind {
  const bytes = Buffer.alloc(64)
  try {
    const file = openSync(path, 'r')
    try {
      readSync(file, bytes, 0, bytes.length, 0)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throw toUnreadable(path, error)
  }
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'archive'
  return bytes.toString('latin1').trimStart().startsWith('{') ? 'proof' : 'checkpoint'
}

async function verifyProof(file: string, { options, terminal }: Request): Promise<number> {
  const text = readText(file)
  const keys = options.key ?? []
  if (keys.length === 0)
    throw new UsageError('A proof file is verified with a public key that you got from elsewhere.', `Its owner prints it with toolpact ledger key. Then: toolpact verify ${printable(file)} --key KEY`) // biome-ignore format: one line
  const verifiers = await Promise.all(keys.map((key) => readKey(key, text)))
  const verdict = await verifyProofFile(text, verifiers)
  if (options.json) terminal.print(printableJson(verdict))
  else if (verdict.valid) terminal.print([paint('green', '✓ '), printable(toMeaning(verdict))])
  else terminal.log([paint('red', '✗ '), printable(verdict.reason)])
  return verdict.valid ? exitCodes.success : exitCodes.failed
}

function toMeaning(verdict: Extract<ProofVerdict, { valid: true }>): string {
  const { origin, size, signedBy } = verdict
  const signed = `signed by ${signedBy.join(', ')}`
  if (verdict.kind === 'consistency')
    return `The ledger ${origin} with ${size} entries begins with the ${verdict.from} of the earlier checkpoint: ${signed}.`
  const count = verdict.records.length === 1 ? '1 record' : `${verdict.records.length} records`
  return `The ledger ${origin} contained ${count} of the call ${verdict.call} when it had ${size} entries: ${signed}.`
}

/** A PEM key has no name, so it takes the one in the file: what is verified is the key. */
async function readKey(key: string, proof: string): Promise<Verifier> {
  const text = /^[^\s+]+\+[0-9a-f]{8}\+/.test(key) ? key : readText(key)
  const verifier = text.includes('-----BEGIN') ? await fromPem(text, proof) : await parseVerifierKey(text)
  if (verifier) return verifier
  throw new UsageError(`--key cannot be '${printable(key)}': it is not a public key for Ed25519.`, 'Use what toolpact ledger key prints, or a file with it or with a PEM public key.') // biome-ignore format: one line
}

async function fromPem(pem: string, proof: string): Promise<Verifier | undefined> {
  const file = parseProofFile(proof)
  const note = file && parseCheckpoint('checkpoint' in file ? file.checkpoint : file.to)
  try {
    const { x } = createPublicKey(pem).export({ format: 'jwk' })
    return await toVerifier(note?.origin ?? 'unknown', Uint8Array.from(Buffer.from(x ?? '', 'base64url')))
  } catch {
    return undefined
  }
}

function readText(path: string): string {
  try {
    if (statSync(path).size > maxProofCharacters) throw Object.assign(new Error(), { code: 'EFBIG' })
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw toUnreadable(path, error)
  }
}

function toUnreadable(path: string, error: unknown): UsageError {
  return new UsageError(`The file ${printable(path)} cannot be read (${(error as NodeJS.ErrnoException).code}).`, 'Check the path.') // biome-ignore format: one line
}
