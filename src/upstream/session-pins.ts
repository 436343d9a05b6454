import { canonicalJson } from '../contract/canonical-json.ts'
import type { JsonObject } from '../contract/json.ts'
import { boundJson } from '../contract/schema/bound-json.ts'
import type { LockVerdict } from './admission/verdict.ts'
import { definitionLimits } from './admit.ts'
import { diffDefinitions } from './lock/diff-definitions.ts'

/** A server that invents ever new tools is not remembered for ever. */
const mostCharacters = 64 * 1024 * 1024
const mostChanges = 20

/**
 * What was admitted first of each tool, for as long as the host runs. A server that changes a tool later, whether it says
 * so or not, is held to the first definition until a person accepts the new one into the lock.
 */
export class SessionPins {
  readonly #pins = new Map<string, string>()
  #characters = 0

  /** The word of the lock, or, where that has none, what was admitted before. */
  judge(name: string, definition: unknown, lock: LockVerdict | undefined): LockVerdict | undefined {
    if (lock && lock.state !== 'unlocked') return lock
    const text = toText(definition)
    const pinned = this.#pins.get(name)
    if (text === undefined || text === pinned) return lock
    if (pinned !== undefined) return { state: 'differs', changes: describe(pinned, text) }
    if (this.#characters + text.length <= mostCharacters) return lock
    return { state: 'differs', changes: ['the server has come up with too many new tools since it was connected'] }
  }

  /** Remembers what was admitted. Where the lock has accepted a change, that is what counts from now on. */
  keep(name: string, definition: unknown) {
    const text = toText(definition)
    if (text === undefined) return
    this.#characters += text.length - (this.#pins.get(name)?.length ?? 0)
    this.#pins.set(name, text)
  }
}

function toText(definition: unknown): string | undefined {
  const bounded = boundJson(definition, definitionLimits)
  return bounded.ok ? canonicalJson(bounded.value) : undefined
}

function describe(before: string, after: string): string[] {
  try {
    const changes = diffDefinitions(JSON.parse(before) as JsonObject, JSON.parse(after) as JsonObject)
    return changes.slice(0, mostChanges).map(({ pointer, message }) => `${pointer}: ${message}`)
  } catch {
    // Schemas that cannot be compared are different all the same.
    return ['it has changed, in a way that cannot be put into words']
  }
}
