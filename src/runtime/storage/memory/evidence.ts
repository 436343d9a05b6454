import { type Evidence, maxEvidence } from '../storage.ts'

export function openMemoryEvidence(mustBeOpen: () => void): Evidence {
  const kept = new Map<string, string>()
  return {
    async keep(callId, text) {
      mustBeOpen()
      // What was kept last stands last.
      kept.delete(callId)
      kept.set(callId, text)
      for (const oldest of kept.keys()) {
        if (kept.size <= maxEvidence) break
        kept.delete(oldest)
      }
    },
    async get(callId) {
      mustBeOpen()
      return kept.get(callId)
    },
  }
}
