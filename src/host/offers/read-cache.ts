import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'

const maxEntries = 200
const maxCharacters = 16 * 1024 * 1024
/** Whatever the server allows. */
const maxTtlMs = 3_600_000

interface Kept {
  readonly result: JsonObject
  readonly characters: number
  readonly expiresAt: number
}

/**
 * Results of `resources/read` that the server lets clients use for a while (2026-07-28). Unless the server says that they are
 * `public`, each caller has its own. A change that the server announces ends the time.
 */
export class ReadCache {
  readonly #kept = new Map<string, Kept>()
  #characters = 0
  /** Grows with every change. A read that began before one may bring what was there before. */
  version = 0

  /** The result, with the time that is left. */
  find(uri: string, owner: string): JsonObject | undefined {
    const now = performance.now()
    for (const key of [toKey(uri), toKey(uri, owner)]) {
      const found = this.#kept.get(key)
      if (found && found.expiresAt > now) return { ...found.result, ttlMs: Math.floor(found.expiresAt - now) }
      if (found) this.#drop(key)
    }
    return undefined
  }

  keep(uri: string, owner: string, result: JsonValue) {
    if (!isObject(result) || typeof result.ttlMs !== 'number' || !(result.ttlMs > 0)) return
    const { length: characters } = JSON.stringify(result)
    if (characters > maxCharacters / 4) return
    const key = result.cacheScope === 'public' ? toKey(uri) : toKey(uri, owner)
    this.#drop(key)
    this.#kept.set(key, { result, characters, expiresAt: performance.now() + Math.min(result.ttlMs, maxTtlMs) })
    this.#characters += characters
    while (this.#kept.size > maxEntries || this.#characters > maxCharacters) this.#drop(this.#kept.keys().next().value!)
  }

  /** The resource has changed. */
  forget(uri: string) {
    this.version++
    for (const key of [...this.#kept.keys()]) if (JSON.parse(key)[0] === uri) this.#drop(key)
  }

  clear() {
    this.version++
    this.#kept.clear()
    this.#characters = 0
  }

  #drop(key: string) {
    this.#characters -= this.#kept.get(key)?.characters ?? 0
    this.#kept.delete(key)
  }
}

function toKey(uri: string, owner?: string): string {
  return JSON.stringify(owner === undefined ? [uri] : [uri, owner])
}
