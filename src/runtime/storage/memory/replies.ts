import type { Replies } from '../storage.ts'

interface KeptReply {
  readonly inputDigest: string
  readonly expiresAt: number
  /** Stored as text, so that callers cannot mutate it. Absent while the call is in flight. */
  readonly reply?: string
}

export function openMemoryReplies(mustBeOpen: () => void): Replies {
  const replies = new Map<string, KeptReply>()
  return {
    async claim(key, inputDigest, { now, expiresAt }) {
      mustBeOpen()
      sweep(replies, now)
      const found = replies.get(key)
      if (!found || found.expiresAt <= now) {
        replies.set(key, { inputDigest, expiresAt })
        return { state: 'claimed' }
      }
      if (found.inputDigest !== inputDigest) return { state: 'other_input' }
      return found.reply === undefined ? { state: 'in_flight' } : { state: 'kept', reply: JSON.parse(found.reply) }
    },
    async keep(key, reply) {
      mustBeOpen()
      const found = replies.get(key)
      if (found && found.reply === undefined) replies.set(key, { ...found, reply: JSON.stringify(reply) })
    },
    async release(key) {
      mustBeOpen()
      if (replies.get(key)?.reply === undefined) replies.delete(key)
    },
  }
}

/** Claims are in insertion order and mostly live equally long, so expired ones come first. */
function sweep(replies: Map<string, KeptReply>, now: number) {
  for (const [key, { expiresAt }] of replies) {
    if (expiresAt > now) return
    replies.delete(key)
  }
}
