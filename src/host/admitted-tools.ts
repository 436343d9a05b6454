import { digest } from '../contract/digest.ts'
import type { JsonObject, JsonSchema } from '../contract/json.ts'
import { instructionsName } from '../contract/offer.ts'
import { compileSchema } from '../contract/schema/compile-schema.ts'
import { type AdmittedList, admitAll } from './admission/admit-all.ts'
import type { ToolIndex } from './admission/tool-index.ts'
import type { Admitted, LockVerdict, Withheld } from './admission/verdict.ts'
import type { ServerSettings } from './server-settings.ts'
import { SessionPins } from './session-pins.ts'
import { type Flag, flagInstructions } from './signals/find-signals.ts'
import { type ToolOptions, toTool } from './to-tool.ts'
import type { AdmittedTool, LockView } from './upstream.ts'

export interface AdmittedToolsOptions extends Omit<ToolOptions, 'server'> {
  /** Tools of other servers. */
  readonly others?: ToolIndex | undefined
}

export interface AdmissionOptions {
  readonly settings: ServerSettings
  readonly lock?: LockView | undefined
}

interface TakenList {
  readonly definitions: readonly JsonObject[]
  /** Not listed by the server in this session, so not pinned. */
  readonly isRecalled: boolean
}

/** Also warms up the schema compiler, while the server is still starting. */
export function openAdmittedTools(server: string, options: AdmittedToolsOptions): AdmittedTools {
  prepareChecks()
  return new AdmittedTools(server, options)
}

interface Judged {
  readonly verdict: LockVerdict | undefined
  /** Admitted as it is in the lock. */
  readonly isLocked: boolean
}

/** The admitted and withheld tools of one server, updated with each list. */
export class AdmittedTools {
  readonly #server: string
  readonly #options: AdmittedToolsOptions
  readonly #pins: SessionPins
  #last: Promise<unknown> = Promise.resolve()
  #tools: ReadonlyMap<string, AdmittedTool> = new Map()
  /** Accepted definitions, by name, that stay in use although the server now lists different ones. */
  #accepted: ReadonlyMap<unknown, JsonObject> = new Map()
  definitions: readonly JsonObject[] = []
  isRecalled = false
  withheld: readonly Omit<Withheld, 'state'>[] = []
  unread: AdmittedList['unread']

  constructor(server: string, options: AdmittedToolsOptions) {
    this.#server = server
    this.#options = options
    this.#pins = new SessionPins(server)
  }

  get tools(): readonly AdmittedTool[] {
    return [...this.#tools.values()]
  }

  /** The definitions in use: accepted ones instead of changed ones, without tools withheld because they changed. */
  get unchanged(): readonly JsonObject[] {
    const changed = this.withheld.filter(({ reasons }) => reasons.some(({ code }) => code === 'differs_from_lock'))
    // Instructions are used as the lock has them, or not at all.
    const names = new Set<unknown>([...changed.map(({ name }) => name), instructionsName])
    const used = this.definitions.filter(({ name }) => !names.has(name))
    return used.map((definition) => this.#accepted.get(definition.name) ?? definition)
  }

  find(name: string): AdmittedTool | undefined {
    return this.#tools.get(name)
  }

  /**
   * Admits a new list, or the current one again. Runs one at a time, so the newest list wins. Resolves to whether
   * anything changed.
   */
  take(listed: TakenList | undefined, options: () => AdmissionOptions): Promise<boolean> {
    const taken = this.#last.then(() => this.#admit(listed ?? this, options()))
    this.#last = taken.catch(() => {})
    return taken
  }

  /** Passages in the server's instructions that a person should review. */
  flagInstructions(instructions: string | undefined): readonly Flag[] {
    const { others } = this.#options
    return flagInstructions(instructions, { server: this.#server, ...(others && { others }) })
  }

  async #admit({ definitions, isRecalled }: TakenList, { settings, lock }: AdmissionOptions): Promise<boolean> {
    const { others } = this.#options
    const overlays = { ...settings.overlays, ...lock?.overlays }
    const judged = new Map<unknown, Judged>()
    const { tools, unread } = await admitAll(definitions, {
      server: this.#server,
      settings: { ...settings, overlays },
      ...(others && { others }),
      lockOf: (name, definition) => {
        const locked = lock?.lockOf(name, definition) ?? (name === instructionsName ? unreviewed : undefined)
        const verdict = this.#pins.judge(name, definition, locked, lock?.drift)
        judged.set(definition, { verdict, isLocked: locked?.state === 'same' || locked?.state === 'kept' })
        return verdict
      },
    })
    const before = this.#toKey()
    const admitted = new Map<string, AdmittedTool>()
    const accepted = new Map<string, JsonObject>()
    for (const [index, verdict] of tools.entries()) {
      if (verdict.state !== 'admitted') continue
      const definition = definitions[index]
      const found = judged.get(definition) ?? { verdict: undefined, isLocked: false }
      const isKept = found.verdict?.state === 'kept'
      // A definition that was kept for this session is pinned already.
      const isPinned = isRecalled || (isKept && !found.isLocked)
      if (!isPinned) this.#pins.keep(verdict.name, isKept ? found.verdict?.accepted : definition)
      admitted.set(verdict.name, this.#toAdmitted(verdict, found))
      if (isKept && found.verdict?.accepted) accepted.set(verdict.name, found.verdict.accepted)
    }
    this.definitions = definitions
    this.isRecalled = isRecalled
    this.#tools = admitted
    const isRegranted = this.#options.resources.grant([...admitted.values()].flatMap(({ app }) => app ?? []))
    this.#accepted = accepted
    this.withheld = tools
      .filter((verdict) => verdict.state === 'withheld')
      .filter((verdict) => !isUnread(verdict))
      .map(({ name, reasons }) => ({ name, reasons }))
    this.unread = unread
    return isRegranted || this.#toKey() !== before
  }

  /** Reuses the tool object if the contract is unchanged, so calls in flight still refer to a current tool. */
  #toAdmitted(verdict: Admitted, { verdict: lock, isLocked }: Judged): AdmittedTool {
    const { contract, outputForm, passesText, requiresIsError, completed, app } = verdict
    const before = this.#tools.get(verdict.name)
    const isSame =
      before?.outputForm === outputForm &&
      before.passesText === passesText &&
      before.requiresIsError === requiresIsError &&
      JSON.stringify(before.tool.ui) === JSON.stringify(verdict.ui) &&
      (before.tool.claimsToRead ?? false) === verdict.claimsToRead &&
      digest(before.tool.contract) === digest(contract)
    return {
      tool: isSame ? before.tool : toTool(verdict, { ...this.#options, server: this.#server }),
      outputForm,
      passesText,
      requiresIsError,
      completed,
      ...(app && { app }),
      get flags() {
        return verdict.flags
      },
      locked: isLocked,
      ...(lock?.state === 'kept' && { review: { drift: lock.drift ?? 'compatible', changes: lock.changes } }),
    }
  }

  #toKey(): string {
    return JSON.stringify([
      this.tools.map(({ tool }) => [
        tool.contract.name,
        tool.ui ?? null,
        tool.claimsToRead ?? false,
        digest(tool.contract),
      ]),
      this.withheld,
    ])
  }
}

/** Without a lock, no person has read the instructions of a server. */
const unreviewed: LockVerdict = { state: 'required_missing', changes: [] }

/** Instructions that no one has accepted are an ordinary state, and nothing to report. */
function isUnread({ name, reasons }: Withheld): boolean {
  return name === instructionsName && reasons.every(({ code }) => code === 'not_in_lock')
}

let isPrepared = false

/** Compiles a typical schema, to load and warm up the compiler. */
function prepareChecks() {
  if (isPrepared) return
  isPrepared = true
  const schema: JsonSchema = {
    type: 'object',
    properties: { text: { type: 'string' }, numbers: { type: 'array', items: { type: 'number' } } },
    required: ['text'],
    additionalProperties: false,
  }
  compileSchema(schema, { useDefaults: true }).catch(() => {})
}
