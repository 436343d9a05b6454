import { hash } from 'node:crypto'
import { ToolpactError } from '../../contract/toolpact-error.ts'
import { type Checkpoint, parseCheckpoint } from '../../runtime/storage/proof/checkpoint.ts'
import { parseNote, parseVerifierKey, verifyNote } from '../../runtime/storage/proof/signed-note.ts'
import { postEvent } from '../notify/post-notice.ts'
import { type OutgoingRequest, sendRequest } from '../notify/send-request.ts'
import {
  type CheckpointPlace,
  ContradictionError,
  type PlaceOptions,
  type SentCheckpoint,
} from './checkpoint-places.ts'

/** Cosignatures and checkpoints are short. */
const maxBytes = 65_536

/** Posts every checkpoint, signed as notices of questions are. */
export function openWebhookPlace(
  url: string,
  { allowHosts, secretEnv }: PlaceOptions & { readonly secretEnv: string | undefined },
): CheckpointPlace {
  return {
    name: `the webhook ${toName(url)}`,
    async send({ checkpoint, note, publicKey }, signal) {
      const { origin, size } = checkpoint
      const failure = await postEvent({ event: 'checkpoint', origin, size, checkpoint: note, publicKey }, { url, secretEnv, allowHosts, signal }) // biome-ignore format: one line
      if (failure) throw new Error(failure.fault)
      return undefined
    },
  }
}

/** Another Toolpact, which verifies that each checkpoint continues the one before, and keeps them. */
export function openToolpactPlace(
  address: string,
  { allowHosts, tokenEnv }: PlaceOptions & { readonly tokenEnv: string | undefined },
): CheckpointPlace {
  const url = `${address.replace(/\/+$/, '')}/v1/checkpoints`

  function toRequest(
    more: Pick<OutgoingRequest, 'method' | 'body' | 'signal'> & { readonly query?: string },
  ): OutgoingRequest {
    const { query = '', ...rest } = more
    const token = tokenEnv === undefined ? undefined : process.env[tokenEnv]
    if (tokenEnv !== undefined && !token) throw new Error(`the environment variable ${tokenEnv} is not set`)
    const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) }
    return { ...rest, url: `${url}${query}`, headers, allowHosts, maxBytes }
  }

  return {
    name: `the Toolpact ${toName(address)}`,
    async send(sent, signal) {
      await offer(sent, async (old, proof) => {
        const { note: checkpoint, publicKey } = sent
        const body = JSON.stringify({ old, proof, checkpoint, publicKey })
        const answer = await sendOnce(toRequest({ method: 'POST', body, signal }))
        if (answer.status === 409) return { size: Number((JSON.parse(answer.text) as { size?: unknown }).size) }
        return answer
      })
      return undefined
    },
    async read(origin, signal) {
      const query = `?origin=${encodeURIComponent(origin)}`
      const { status, text } = await sendOnce(toRequest({ method: 'GET', query, signal }))
      if (status === 404) return []
      if (status !== 200) throw new Error(`it answered with status ${status}`)
      return toCheckpoints((JSON.parse(text) as { checkpoint?: unknown }).checkpoint)
    },
  }
}

/** A witness of C2SP: it signs that each checkpoint continues the one before. */
export function openWitnessPlace(
  address: string,
  { allowHosts, publicKey }: PlaceOptions & { readonly publicKey: string | undefined },
): CheckpointPlace {
  const url = address.replace(/\/+$/, '')
  return {
    name: `the witness ${toName(address)}`,
    async send(sent, signal) {
      const lines = await offer(sent, async (old, proof) => {
        const body = [`old ${old}`, ...proof, '', sent.note].join('\n')
        const answer = await sendOnce({ method: 'POST', url: `${url}/add-checkpoint`, body, allowHosts, signal, maxBytes }) // biome-ignore format: one line
        return answer.status === 409 ? { size: Number(answer.text.trim() || Number.NaN) } : answer
      })
      return keepValid(sent.note, lines)
    },
    async read(origin, signal) {
      const path = `${url}/${hash('sha256', origin)}/checkpoint`
      const { status, text } = await sendOnce({ method: 'GET', url: path, allowHosts, signal, maxBytes })
      if (status === 404) return []
      if (status !== 200) throw new Error(`it answered with status ${status}`)
      return toCheckpoints(text)
    },
  }

  /** The signature lines of the witness, if they fit its key. */
  async function keepValid(note: string, lines: string): Promise<string> {
    if (publicKey === undefined) return ''
    const verifier = await parseVerifierKey(publicKey)
    if (!verifier)
      throw new ToolpactError('invalid_config', 'publicKey of a witness in ledger.checkpoints is not a key.')
    const own = lines.split(/(?<=\n)/).filter((line) => line.startsWith(`— ${verifier.name} `))
    const signed = parseNote(`${note}${own.join('')}`)
    if (own.length === 0 || !signed || (await verifyNote(signed, [verifier])).length === 0)
      throw new Error('its cosignature does not fit its public key')
    return own.join('')
  }
}

type Answer = { readonly status: number; readonly text: string } | { readonly size: number }

/** Offers a checkpoint with a proof from the size that the other side has, which it reports if we did not know it. */
async function offer(
  { checkpoint, prove, rootAt }: SentCheckpoint,
  post: (old: number, proof: readonly string[]) => Promise<Answer>,
): Promise<string> {
  let old = 0
  for (let attempt = 0; attempt < 3; attempt++) {
    const answer = await post(old, await prove(old))
    if ('size' in answer) {
      if (!Number.isSafeInteger(answer.size) || answer.size < 0)
        throw new Error('it answered with status 409 and no size')
      if (answer.size > checkpoint.size) {
        // Another process was faster, unless this ledger never had as many entries.
        if (await rootAt(answer.size)) return ''
        throw new ContradictionError(`it has a checkpoint of ${answer.size} entries, and this ledger has ${checkpoint.size}: the ledger was truncated or rolled back. Run toolpact ledger --verify`) // biome-ignore format: one line
      }
      old = answer.size
    } else if (answer.status === 422)
      throw new ContradictionError('the checkpoint does not continue the one that it has: the ledger was rolled back or rewritten. Run toolpact ledger --verify') // biome-ignore format: one line
    else if (answer.status !== 200) throw new Error(`it answered with status ${answer.status}`)
    else return answer.text
  }
  throw new Error('it named another size each time')
}

async function sendOnce(outgoing: OutgoingRequest): Promise<{ readonly status: number; readonly text: string }> {
  const sent = await sendRequest(outgoing)
  if ('fault' in sent) throw new Error(sent.fault)
  return sent
}

function toCheckpoints(note: unknown): Checkpoint[] {
  const checkpoint = typeof note === 'string' ? parseCheckpoint(note) : undefined
  if (!checkpoint) throw new Error('it answered with something else than a checkpoint')
  return [checkpoint]
}

/** Without credentials and parameters, which may be secret. */
function toName(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname === '/' ? '' : pathname}`
}
