import type { Image } from '../../contract/image.ts'
import type { JsonObject } from '../../contract/json.ts'
import { ToolpactError } from '../../contract/toolpact-error.ts'

/**
 * Sessions of people with the agent. Entries are appended as they happen, so a crash loses at most the current one. Every
 * method except `begin`, `list` and `find` rejects with `not_found` if there is no such session.
 */
export interface Sessions {
  /** Rejects with `exists_already` if the id is taken. Only the `maxSessions` most recently used sessions are kept. */
  begin(session: NewSession, now: number): Promise<void>
  /** Rejects with `too_large` beyond `maxEntryCharacters` or `maxEntries`. */
  append(id: string, entry: JsonObject, now: number): Promise<void>
  setStatus(id: string, status: SessionStatus, now: number): Promise<void>
  /** Every entry, in order. */
  read(id: string): Promise<JsonObject[]>
  /** Most recently used first. */
  list(query?: SessionQuery): Promise<SessionSummary[]>
  /** Sessions whose id starts with this, or only the one with exactly this id. */
  find(start: string): Promise<SessionSummary[]>
  remove(id: string): Promise<void>
  /**
   * Stores what was at a path before a step wrote there, with fsync. For a path that is repeated within a step, keeps the
   * first `before` and the last `after`. Beyond `maxImageBytes`, drops the images of the oldest steps.
   */
  keepImage(id: string, step: number, image: Image): Promise<void>
  /** Images of the last step that has any, in the order of their first `keepImage`. */
  lastImages(id: string): Promise<StepImages | undefined>
  forgetImages(id: string, step: number): Promise<void>
}

/** `active`: a process works on it, or crashed while it did. `idle`: it waits for a person. */
export type SessionStatus = 'active' | 'idle' | 'failed'

/** How a session begins. */
export interface NewSession {
  readonly id: string
  /** Real path of the folder that its tools work in. */
  readonly workspace: string
  /** A few words about how it began. */
  readonly title: string
}

/** A session as lists show it. */
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

/** Number of sessions that are stored. The least recently used one is dropped. */
export const maxSessions = 200
/** Number of entries per session. */
export const maxEntries = 5000
/** Length of the JSON of one entry. */
export const maxEntryCharacters = 1_000_000
/** Total size of the images of one session. */
export const maxImageBytes = 33_554_432

/** The error for an unknown session, with the code `not_found`. */
export function toNoSession(id: string): Error {
  return new ToolpactError('not_found', `There is no session ${id}. toolpact sessions shows them.`)
}

/** The JSON of an entry to store. Throws `too_large`. */
export function toEntryText(entry: JsonObject, entries: number): string {
  if (entries >= maxEntries)
    throw new ToolpactError('too_large', `The session has ${maxEntries} entries, the maximum. Begin a new one.`)
  const text = JSON.stringify(entry)
  if (text.length > maxEntryCharacters)
    throw new ToolpactError(
      'too_large',
      `An entry of the session is larger than ${maxEntryCharacters} characters and cannot be stored.`,
    )
  return text
}
