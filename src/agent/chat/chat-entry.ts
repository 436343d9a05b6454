import type { JsonObject } from '../../contract/json.ts'

/** What a session is made of, as it is kept. A step is one answer of the model with the calls that it makes. */
export type ChatEntry = UserEntry | AnswerEntry | ResultEntry | UndoEntry | EndEntry

interface UserEntry {
  readonly kind: 'user'
  readonly at: string
  readonly text: string
}

export interface AnswerEntry {
  readonly kind: 'answer'
  readonly at: string
  readonly step: number
  readonly text: string
  /** As the model wrote them: neither names nor arguments need be any. */
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
}

/** What became of a call, as the model is told. */
export interface ResultEntry {
  readonly kind: 'result'
  readonly at: string
  readonly step: number
  /** The call in the answer. */
  readonly id: string
  readonly name: string
  /** The id of the tool; null where the model named none. */
  readonly tool: string | null
  /** The call in the ledger; null where there was none. */
  readonly callId: string | null
  readonly success: boolean
  readonly code: string | null
  /** JSON, bounded, without control characters. */
  readonly data: string
  /** Stands around the data. Nobody who wrote the data could know it. */
  readonly boundary: string
}

interface UndoEntry {
  readonly kind: 'undo'
  readonly at: string
  readonly step: number
  readonly files: readonly { readonly path: string; readonly outcome: string }[]
}

interface EndEntry {
  readonly kind: 'end'
  readonly at: string
  readonly outcome: ChatOutcome
  readonly code: string | null
}

/** `answered`: the model has said all. `bound`: it has used up its steps. `stopped`: the person stopped it. */
export type ChatOutcome = 'answered' | 'bound' | 'stopped' | 'failed'

/** What the storage keeps was made by this program, of this form. */
export function fromKept(kept: readonly JsonObject[]): ChatEntry[] {
  return kept as unknown as ChatEntry[]
}
