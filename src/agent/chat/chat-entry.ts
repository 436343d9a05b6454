import type { JsonObject, JsonValue } from '../../contract/json.ts'

/** The stored entries of a session. A step is one answer of the model with its calls. */
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
  /** As the model wrote them: names and arguments may be invalid. */
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
}

/** The outcome of a call, as the model sees it. */
export interface ResultEntry {
  readonly kind: 'result'
  readonly at: string
  readonly step: number
  /** The call in the answer. */
  readonly id: string
  readonly name: string
  /** The id of the tool; null if the model named none. */
  readonly tool: string | null
  /** The call in the ledger; null if there was none. */
  readonly callId: string | null
  readonly success: boolean
  readonly code: string | null
  /** JSON of limited size, without control characters. */
  readonly data: string
  /** Delimits the data. The author of the data cannot know it. */
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

/** `answered`: the model is done. `bound`: it has used up its steps. `stopped`: the person stopped it. */
export type ChatOutcome = 'answered' | 'bound' | 'stopped' | 'failed'

/** Stored entries were written by this program, in this format. */
export function fromKept(kept: readonly JsonObject[]): ChatEntry[] {
  return kept as unknown as ChatEntry[]
}

/** What a person sees of a running session. */
export type ChatEvent =
  /** The model was asked, and may take a while. */
  | { readonly type: 'asking'; readonly model: string }
  /** A piece of streamed text. */
  | { readonly type: 'text'; readonly text: string }
  /** The complete text, and the number of calls requested. */
  | { readonly type: 'answer'; readonly step: number; readonly text: string; readonly calls: number }
  /** The input as parsed, or its text if it could not be parsed. */
  | { readonly type: 'call'; readonly step: number; readonly tool: string; readonly input: JsonValue }
  | ResultEvent
  /** The model was not shown the last result: the tool declares no output schema. */
  | { readonly type: 'hidden'; readonly step: number; readonly tool: string }
  /** Older messages are omitted from what the model reads. */
  | { readonly type: 'folded'; readonly messages: number }
  /** Calls that were in flight when the process died. */
  | { readonly type: 'interrupted'; readonly calls: number }
  | EndEvent

export interface ResultEvent {
  readonly type: 'result'
  readonly step: number
  readonly tool: string
  readonly callId: string | null
  readonly success: boolean
  readonly code: string | null
  /** What went wrong; null if nothing did. */
  readonly message: string | null
  /** What is wrong with the input, by property. */
  readonly problems?: readonly { readonly pointer: string; readonly message: string }[]
  readonly output: JsonValue
  readonly durationMs: number
}

export interface EndEvent {
  readonly type: 'end'
  readonly session: string
  readonly outcome: ChatOutcome
  readonly steps: number
  /** Calls refused by the policy or a person. */
  readonly refused: number
  readonly code: string | null
  readonly message: string | null
  readonly suggestion: string | null
}
