import type { JsonValue } from '../../contract/json.ts'
import type { ChatOutcome } from './chat-entry.ts'

/** What a person sees of a session while it goes on. */
export type ChatEvent =
  /** The model is asked, and may take its time. */
  | { readonly type: 'asking'; readonly model: string }
  /** A piece of what the model says, as it comes. */
  | { readonly type: 'text'; readonly text: string }
  /** All that it said, and how many calls it wants. */
  | { readonly type: 'answer'; readonly step: number; readonly text: string; readonly calls: number }
  /** The input as it was read, or the text of what could not be. */
  | { readonly type: 'call'; readonly step: number; readonly tool: string; readonly input: JsonValue }
  | ResultEvent
  /** The model was not shown the last result: the tool declares no output schema. */
  | { readonly type: 'hidden'; readonly step: number; readonly tool: string }
  /** Older messages are left out of what the model reads. */
  | { readonly type: 'folded'; readonly messages: number }
  /** Calls that were under way when the process died. */
  | { readonly type: 'interrupted'; readonly calls: number }
  | EndEvent

export interface ResultEvent {
  readonly type: 'result'
  readonly step: number
  readonly tool: string
  readonly callId: string | null
  readonly success: boolean
  readonly code: string | null
  /** What went wrong; null where nothing did. */
  readonly message: string | null
  readonly output: JsonValue
  readonly durationMs: number
}

export interface EndEvent {
  readonly type: 'end'
  readonly session: string
  readonly outcome: ChatOutcome
  readonly steps: number
  /** Calls that the policy or a person refused. */
  readonly refused: number
  readonly code: string | null
  readonly message: string | null
  readonly suggestion: string | null
}
