import type { ServerResponse } from 'node:http'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import { shorten } from '../../contract/text/shorten.ts'
import type { ReceivedCheckpoint, ReceivedCheckpoints } from '../../runtime/storage/proof/proof-store.ts'
import type { Route } from '../http/route.ts'
import { sendProblem, toProblem } from '../http/send-problem.ts'
import { sendAnswer } from './answer.ts'

/** Ledgers that one caller may send checkpoints of. */
const maxLedgers = 100
const maxBytes = 65_536

/**
 * `/v1/checkpoints` keeps checkpoints of other ledgers. Each must continue the one before, and be signed by the same key and
 * sent by the same caller as the first. So the ledger that sends them cannot be truncated or rewritten unnoticed.
 */
export function createCheckpointRoutes(received: ReceivedCheckpoints | undefined): Route[] {
  if (!received) return []
  return [
    {
      methods: ['GET', 'POST'],
      path: '/v1/checkpoints',
      async handle(request, response, { body, caller }) {
        if (request.method !== 'POST') {
          const origin = new URL(request.url!, 'http://localhost').searchParams.get('origin') ?? ''
          return sendLatest(received, response, { origin, caller: caller.name })
        }
        const parsed = parseJson(body ?? Buffer.alloc(0), { maxBytes, maxDepth: 4 })
        if (!parsed.ok) return sendProblem(response, 'invalid_json', { detail: parsed.message })
        const sent = isObject(parsed.value) ? toSent(parsed.value) : undefined
        if (!sent) return sendProblem(response, 'invalid_checkpoint')
        return take(received, response, { ...sent, caller: caller.name })
      },
    },
  ]
}

interface Sent {
  readonly old: number
  readonly proof: readonly string[]
  readonly checkpoint: string
  readonly publicKey: string
}

async function take(received: ReceivedCheckpoints, response: ServerResponse, sent: Sent & { readonly caller: string }) {
  const { parseCheckpoint } = await import('../../runtime/storage/proof/checkpoint.ts')
  const { fromBase64, parseVerifierKey, verifyNote } = await import('../../runtime/storage/proof/signed-note.ts')
  const { verifyConsistency } = await import('../../runtime/storage/proof/verify-tree.ts')
  const { old, checkpoint: note, publicKey: key, caller } = sent
  const checkpoint = parseCheckpoint(note)
  const verifier = await parseVerifierKey(key)
  const proof = sent.proof.map(fromBase64).filter((hash) => hash !== undefined)
  if (!checkpoint || !verifier || proof.length !== sent.proof.length) return sendProblem(response, 'invalid_checkpoint')
  const { origin, size } = checkpoint
  const isSigned = (await verifyNote(checkpoint.note, [verifier])).length > 0
  const latest = await received.latest(origin)
  if (!isSigned || (latest && (latest.key !== key || latest.caller !== caller)))
    return sendProblem(response, 'checkpoint_refused')
  if (!latest && (await received.count(caller)) >= maxLedgers)
    return sendProblem(response, 'checkpoint_refused', { detail: `You send checkpoints of ${maxLedgers} ledgers, which is the limit.` }) // biome-ignore format: one line
  if (old !== (latest?.size ?? 0) || size < old) return sendSize(response, latest)
  const before = latest && parseCheckpoint(latest.note)
  if (before ? !(await verifyConsistency(before, checkpoint, proof)) : proof.length > 0)
    return sendProblem(response, 'checkpoint_contradicts')
  const isTaken = await received.add({ origin, size, at: Date.now(), note: toStored(note, latest, size), key, caller })
  if (!isTaken) return sendProblem(response, 'checkpoint_contradicts')
  sendAnswer(response, { status: 200, body: JSON.stringify({ origin, size }) })
}

/** The same checkpoint again, perhaps with more signatures, is the one that is kept. */
function toStored(note: string, latest: ReceivedCheckpoint | undefined, size: number): string {
  return latest?.size === size ? latest.note : note
}

/** The sender proves next time that it continues this size. */
function sendSize(response: ServerResponse, latest: ReceivedCheckpoint | undefined) {
  const problem = JSON.parse(toProblem('checkpoint_size')) as JsonObject
  sendAnswer(response, { status: 409, body: JSON.stringify({ ...problem, size: latest?.size ?? 0 }) })
}

async function sendLatest(
  received: ReceivedCheckpoints,
  response: ServerResponse,
  { origin, caller }: { readonly origin: string; readonly caller: string },
) {
  const latest = await received.latest(origin)
  if (!latest || latest.caller !== caller)
    return sendProblem(response, 'not_found', {
      detail: `No checkpoint of ${shorten(origin, 100)} is kept here for you.`,
    })
  const { size, at, note } = latest
  const body = { origin, size, received_at: new Date(at).toISOString(), checkpoint: note }
  sendAnswer(response, { status: 200, body: JSON.stringify(body) })
}

function toSent({ old, proof, checkpoint, publicKey }: JsonObject): Sent | undefined {
  const isProof = Array.isArray(proof) && proof.length <= 63 && proof.every((hash) => typeof hash === 'string')
  if (!isProof || typeof checkpoint !== 'string' || typeof publicKey !== 'string') return undefined
  if (!Number.isSafeInteger(old) || (old as number) < 0) return undefined
  return { old: old as number, proof: proof as string[], checkpoint, publicKey }
}
