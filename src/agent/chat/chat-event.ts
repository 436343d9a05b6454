import type { JsonValue } from '../../contract/json.ts'
import type { ChatOutcome } from './chat-entry.ts'

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
