import { toJsonEscape } from '../../contract/text/hidden-characters.ts'
import { ToolpactError } from '../../contract/toolpact-error.ts'
import type { KeyResponse, ProofResponse, SealResponse } from './api/proof.ts'
import { type ConsoleParts, type Endpoint, Refusal } from './endpoint.ts'

export const proofEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: 'calls/{id}/seal',
    right: 'view',
    async handle({ params }, parts): Promise<SealResponse> {
      const { entries, checkpoint } = await requireProof(parts).findSeal(params.id!)
      if (entries.length === 0) throw new Refusal('not_found', 'The ledger has no entry of this call.')
      const size = checkpoint?.size ?? 0
      return {
        entries: entries.map(({ seq, index }) => ({ seq, index, isSealed: index < size })),
        checkpoint: checkpoint ? { size, at: new Date(checkpoint.at).toISOString() } : null,
      }
    },
  },
  {
    method: 'GET',
    path: 'calls/{id}/proof',
    right: 'view',
    text: 'code',
    async handle({ params }, parts): Promise<ProofResponse> {
      const file = await requireProof(parts).proveCall(params.id!).catch(refuse)
      return { text: `${toAscii(JSON.stringify(file, null, 2))}\n` }
    },
  },
  {
    method: 'GET',
    path: 'ledger/key',
    right: 'view',
    handle: async (_asked, parts): Promise<KeyResponse> => ({
      publicKey: await requireProof(parts).publicKey().catch(refuse),
    }),
  },
]

function requireProof({ toolpact: { proof } }: ConsoleParts) {
  if (proof) return proof
  throw new Refusal('not_found', 'The storage of this server does not seal its ledger.', 'The chain of hashes can still be verified.') // biome-ignore format: one line
}

/** Why nothing could be sealed or signed is for operators: it may name files. They find it with the command. */
function refuse(cause: unknown): never {
  if (!(cause instanceof ToolpactError)) throw cause
  if (cause.code === 'not_found' || cause.code === 'too_large') throw new Refusal('not_found', cause.message)
  throw new Refusal('server_failed', 'The ledger could not be sealed, or its key cannot be used.', 'Run toolpact verify on the machine that serves.') // biome-ignore format: one line
}

/** Escapes are part of JSON, so the value stays the same. */
function toAscii(json: string): string {
  return json.replace(/[^\n\x20-\x7e]/g, toJsonEscape)
}
