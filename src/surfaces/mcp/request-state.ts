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

/** As long as a question can wait. */
const maxAgeMs = 30 * 86_400_000

export type StateKey = () => Promise<Uint8Array>

const keyNote = 'mcp.request-state-key'

/** The key of all processes with the same storage, so that each can read the states of the others. */
export async function loadStateKey(notes: Served['notes']): Promise<Uint8Array> {
  const known = await notes?.get(keyNote)
  if (typeof known === 'string') return Buffer.from(known, 'base64url')
  const key = randomBytes(32)
  // Another process may have been faster.
  const kept = await notes?.setOnce(keyNote, key.toString('base64url'))
  return typeof kept === 'string' ? Buffer.from(kept, 'base64url') : key
}

/**
 * The states of one request: bound to its caller, its method and what it names. A client can read a state, but not change it,
 * or use it for another caller, tool, prompt or resource.
 */
export class RequestStates {
  /** What the client brought back, once it was read. */
  given: RequestState | undefined
  readonly #key: StateKey
  readonly #caller: string
  readonly #request: Request

  constructor(key: StateKey, caller: string, request: Request) {
    this.#key = key
    this.#caller = caller
    this.#request = request
  }

  /** Verifies what the client brought back. False if it is not for this request, expired, or was changed. */
  async read(text: JsonValue): Promise<boolean> {
    const [, body = '', id = '', time = '', mac = ''] =
      /^((.+)\.([0-9a-z]{1,12}))\.([\w-]{43})$/.exec(String(text)) ?? []
    const at = Number.parseInt(time, 36)
    const isOurs = mac !== '' && timingSafeEqual(Buffer.from(mac), Buffer.from(await this.#toMac(body)))
    if (!isOurs || Date.now() - at > maxAgeMs) return false
    this.given = { id, at }
    return true
  }

  async sign(id: string, at = Date.now()): Promise<string> {
    const body = `${id}.${at.toString(36)}`
    return `${body}.${await this.#toMac(body)}`
  }

  async #toMac(body: string): Promise<string> {
    const { method, params } = this.#request
    return createHmac('sha256', await this.#key())
      .update(JSON.stringify([this.#caller, method, params.name ?? params.uri ?? '', body]))
      .digest('base64url')
  }
}
