import type { Image } from '../../../contract/image.ts'
import { ToolpactError } from '../../../contract/toolpact-error.ts'
import {
  maxImageBytes,
  maxSessions,
  type NewSession,
  type SessionStatus,
  type SessionSummary,
  type Sessions,
  toEntryText,
  toNoSession,
} from '../sessions.ts'

interface KeptSession extends NewSession {
  status: SessionStatus
  readonly startedAt: number
  usedAt: number
  /** Stored as text, so that callers cannot mutate them. */
  readonly entries: string[]
  /** By step, oldest first, then by path. */
  readonly images: Map<number, Map<string, Image>>
}

export function openMemorySessions(mustBeOpen: () => void): Sessions {
  /** Least recently used first. */
  const sessions = new Map<string, KeptSession>()

  function get(id: string): KeptSession {
    mustBeOpen()
    const found = sessions.get(id)
    if (!found) throw toNoSession(id)
    return found
  }

  function use(id: string, now: number): KeptSession {
    const found = get(id)
    found.usedAt = now
    sessions.delete(id)
    sessions.set(id, found)
    return found
  }

  return {
    async begin({ id, workspace, title }, now) {
      mustBeOpen()
      if (sessions.has(id))
        throw new ToolpactError('exists_already', `A session ${id} exists already. Begin one with another id.`)
      sessions.set(id, {
        ...{ id, workspace, title, status: 'idle', startedAt: now, usedAt: now },
        ...{ entries: [], images: new Map() },
      })
      for (const oldest of sessions.keys()) {
        if (sessions.size <= maxSessions) break
        sessions.delete(oldest)
      }
    },
    async append(id, entry, now) {
      const text = toEntryText(entry, get(id).entries.length)
      use(id, now).entries.push(text)
    },
    async setStatus(id, status, now) {
      use(id, now).status = status
    },
    async read(id) {
      return get(id).entries.map((text) => JSON.parse(text))
    },
    async list({ workspace, limit } = {}) {
      mustBeOpen()
      const found = [...sessions.values()].reverse().map(toSummary)
      return found.filter((one) => workspace === undefined || one.workspace === workspace).slice(0, limit)
    },
    async find(start) {
      mustBeOpen()
      const exact = sessions.get(start)
      if (exact) return [toSummary(exact)]
      const found = [...sessions.values()].reverse()
      return found.filter(({ id }) => id.startsWith(start)).map(toSummary)
    },
    async remove(id) {
      get(id)
      sessions.delete(id)
    },
    async keepImage(id, step, image) {
      const { images } = get(id)
      const ofStep = images.get(step) ?? new Map<string, Image>()
      images.set(step, ofStep)
      const first = ofStep.get(image.path)
      if (first) ofStep.set(image.path, { ...image, before: first.before })
      else ofStep.set(image.path, copy(fits(ofStep, image) ? image : { ...image, before: 'too_large' }))
      for (const oldest of images.keys()) {
        if (oldest === step || [...images.values()].reduce((sum, one) => sum + sizeOf(one), 0) <= maxImageBytes) break
        images.delete(oldest)
      }
    },
    async lastImages(id) {
      const last = [...get(id).images].sort(([a], [b]) => a - b).at(-1)
      return last && { step: last[0], images: [...last[1].values()].map(copy) }
    },
    async forgetImages(id, step) {
      get(id).images.delete(step)
    },
  }
}

function toSummary({ images: _, entries, ...session }: KeptSession): SessionSummary {
  return { ...session, entries: entries.length }
}

function copy(image: Image): Image {
  return image.before instanceof Uint8Array ? { ...image, before: Uint8Array.from(image.before) } : image
}

function fits(ofStep: ReadonlyMap<string, Image>, { before }: Image): boolean {
  return !(before instanceof Uint8Array) || sizeOf(ofStep) + before.length <= maxImageBytes
}

function sizeOf(ofStep: ReadonlyMap<string, Image>): number {
  let size = 0
  for (const { before } of ofStep.values()) if (before instanceof Uint8Array) size += before.length
  return size
}
