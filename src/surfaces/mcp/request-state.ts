import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { JsonValue } from '../../contract/json.ts'
import type { Request } from '../../protocol/message.ts'
import type { Served } from '../served.ts'

/** What a client brings back in `requestState`. */
export interface RequestState {
  /** The question about approval, or the call that waits for input. */
  readonly id: string
  /** When the state was made. */
  readonly at: number
}

/** The state of one request: bound to its caller, its method and what it names. */
export interface RequestStates {
  /** What the client sent, verified. `invalid`: it is not for this request, expired, or was changed. */
  read(): Promise<RequestState | 'invalid' | undefined>
  sign(id: string, at?: number): Promise<string>
}

/** As long as a question can wait. */
const maxAgeMs = 30 * 86_400_000

export type StateKey = () => Promise<Uint8Array>

const keyNote = 'mcp.request-state-key'

/** The key of all processes with the same storage, so that each can read the states of the others. */
export async function loadStateKey(notes: Served['notes']): Promise<Uint8Array> {
  const known = await notes?.get(keyNote)
  if (typeof known === 'string') return Buffer.from(known, 'base64url')
  const key = randomBytes(32)
  await notes?.set(keyNote, key.toString('base64url'))
  // Another process may have been faster.
  const kept = await notes?.get(keyNote)
  return typeof kept === 'string' ? Buffer.from(kept, 'base64url') : key
}

/** A client can read a state, but not change it, or use it for another caller, tool, prompt or resource. */
export function createRequestStates(key: StateKey, caller: string, { method, params }: Request): RequestStates {
  const target = params.name ?? params.uri ?? ''
  const toMac = async (body: string) =>
    createHmac('sha256', await key())
      .update(JSON.stringify([caller, method, target, body]))
      .digest('base64url')

  async function read(text: JsonValue): Promise<RequestState | 'invalid'> {
    const [, body = '', id = '', time = '', mac = ''] =
      /^((.+)\.([0-9a-z]{1,12}))\.([\w-]{43})$/.exec(String(text)) ?? []
    const at = Number.parseInt(time, 36)
    const isOurs = mac !== '' && timingSafeEqual(Buffer.from(mac), Buffer.from(await toMac(body)))
    return isOurs && Date.now() - at <= maxAgeMs ? { id, at } : 'invalid'
  }

  return {
    read: async () => (params.requestState === undefined ? undefined : read(params.requestState)),
    async sign(id, at = Date.now()) {
      const body = `${id}.${at.toString(36)}`
      return `${body}.${await toMac(body)}`
    },
  }
}
