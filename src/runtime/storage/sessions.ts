import type { Image } from '../../contract/image.ts'
import type { JsonObject } from '../../contract/json.ts'
import { ToolpactError } from '../../contract/toolpact-error.ts'

/**
 * Sessions of a person with the agent. What happens is appended as it happens, so that the death of the process loses
 * at most what was under way. Every method but `begin`, `list` and `find` rejects where there is no such session.
 */
export interface Sessions {
  /** Rejects where there is one with that id. Only the `maxSessions` that were last used are kept. */
  begin(session: NewSession, now: number): Promise<void>
  /** Rejects what is larger than `maxEntryCharacters`, and more than `maxEntries`. */
  append(id: string, entry: JsonObject, now: number): Promise<void>
  setStatus(id: string, status: SessionStatus, now: number): Promise<void>
  /** Every entry, in order. */
  read(id: string): Promise<JsonObject[]>
  /** The one that was used last stands first. */
  list(query?: SessionQuery): Promise<SessionSummary[]>
  /** Those whose id begins so; one with exactly that id goes before all others. */
  find(start: string): Promise<SessionSummary[]>
  remove(id: string): Promise<void>
  /**
   * Keeps what was at a path before a step wrote there, down to the disk. Of a path that is told again in the same step
   * the first `before` and the last `after` are kept. Of large sessions the images of the oldest steps are dropped.
   */
  keepImage(id: string, step: number, image: Image): Promise<void>
  /** Of the last step that has any, in the order in which they were first told. */
  lastImages(id: string): Promise<StepImages | undefined>
  forgetImages(id: string, step: number): Promise<void>
}

/** `active`: a process works on it, or died while it did. `idle`: it waits for a person. */
export type SessionStatus = 'active' | 'idle' | 'failed'

export interface NewSession {
  readonly id: string
  /** Real path of the folder that its tools work in. */
  readonly workspace: string
  /** How it began, in a few words. */
  readonly title: string
}

export interface SessionSummary extends NewSession {
  readonly status: SessionStatus
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly usedAt: number
  readonly entries: number
}

interface SessionQuery {
  readonly workspace?: string
  readonly limit?: number
}

interface StepImages {
  readonly step: number
  readonly images: readonly Image[]
}

export const maxSessions = 200
export const maxEntries = 5000
export const maxEntryCharacters = 1_000_000
/** Of one session. */
export const maxImageBytes = 33_554_432

export function toNoSession(id: string): Error {
  return new Error(`There is no session ${id}. toolpact sessions shows them.`)
}

/** The text to keep. */
export function toEntryText(entry: JsonObject, entries: number): string {
  if (entries >= maxEntries)
    throw new ToolpactError(
      'too_large',
      `The session has ${maxEntries} entries, which is the most that is kept. Begin a new one.`,
    )
  const text = JSON.stringify(entry)
  if (text.length > maxEntryCharacters)
    throw new ToolpactError(
      'too_large',
      `Something in the session is larger than ${maxEntryCharacters} characters and cannot be kept.`,
    )
  return text
}
