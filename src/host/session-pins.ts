import { canonicalJson } from '../contract/canonical-json.ts'
import type { JsonObject } from '../contract/json.ts'
import { boundJson } from '../contract/schema/bound-json.ts'
import type { LockVerdict } from './admission/verdict.ts'
import { definitionLimits } from './admit.ts'
import { classifyDrift, withStricterHints } from './lock/classify-drift.ts'
import type { LockRules } from './lock/compare-with-lock.ts'
import { diffDefinitions } from './lock/diff-definitions.ts'
import { isHarmless } from './lock/drift.ts'

/** Limits memory if a server keeps adding tools. */
const maxCharacters = 64 * 1024 * 1024
const maxChanges = 20

/**
 * Pins the first admitted definition of each tool while the host runs. If a server changes a tool later, announced or not,
 * the pinned definition applies until a person accepts the new one into the lock.
 */
export class SessionPins {
  readonly #server: string
  readonly #pins = new Map<string, string>()
  #characters = 0

  constructor(server: string) {
    this.#server = server
  }

  /** The verdict of the lock or, without an entry there, the comparison with the pinned definition. */
  judge(
    name: string,
    definition: unknown,
    lock: LockVerdict | undefined,
    drift?: LockRules['drift'],
  ): LockVerdict | undefined {
    if (lock && lock.state !== 'unlocked') return lock
    const text = toText(definition)
    const pinned = this.#pins.get(name)
    if (text === undefined || text === pinned) return lock
    if (pinned !== undefined) return this.#compare(pinned, text, drift)
    if (this.#characters + text.length <= maxCharacters) return lock
    return { state: 'differs', changes: ['the server has added too many new tools since it was connected'] }
  }

  /** Pins an admitted definition. A change that the lock accepts replaces the pin. */
  keep(name: string, definition: unknown) {
    const text = toText(definition)
    if (text === undefined) return
    this.#characters += text.length - (this.#pins.get(name)?.length ?? 0)
    this.#pins.set(name, text)
  }

  #compare(pinned: string, text: string, rule: LockRules['drift']): LockVerdict {
    const [accepted, next] = [JSON.parse(pinned) as JsonObject, JSON.parse(text) as JsonObject]
    const changes = describe(accepted, next)
    const drift = classifyDrift(accepted, next, this.#server)
    if (rule === 'strict' || !isHarmless(drift)) return { state: 'differs', changes, drift }
    return { state: 'kept', changes, drift, accepted: withStricterHints(accepted, next) }
  }
}

function toText(definition: unknown): string | undefined {
  const bounded = boundJson(definition, definitionLimits)
  return bounded.ok ? canonicalJson(bounded.value) : undefined
}

function describe(before: JsonObject, after: JsonObject): string[] {
  try {
    return diffDefinitions(before, after).slice(0, maxChanges).map(({ pointer, message }) => `${pointer}: ${message}`) // biome-ignore format: one line
  } catch {
    // The schemas differ but cannot be compared.
    return ['it has changed, and the schemas cannot be compared']
  }
}
