import { digest } from '../../contract/digest.ts'
import type { JsonValue } from '../../contract/json.ts'
import type { Rule, RuleProposal } from '../../contract/rule.ts'
import type { Modes, Policy } from '../../policy/decide.ts'
import type { RuleCheck } from '../../policy/rules/check-rule.ts'
import type { Catalog } from '../pipeline/catalog.ts'
import type { RuleOrigin } from '../pipeline/pipeline-options.ts'
import { type Repaired, type RuleStore, RulesError } from '../storage/operator-state.ts'
import type { RuleUses } from '../storage/storage.ts'
import type { ClockReset, LatestTime } from './latest-time.ts'
import type { ListedRule, RuleDraft, RuleTest } from './rules-desk.ts'

export interface RulesOptions {
  /** Rules that outlive this process. */
  readonly store: RuleStore
  /** No rule allows access to files in it; undefined if no state is stored in files. */
  readonly stateDirectory?: string | undefined
  /** Real path of the folder that tools work in. */
  readonly workspace: string
  /** The session of callers that have none of their own. */
  readonly session: string
  /** Read at each call: the config may change. */
  readonly modes: () => Modes
  /** The policy settings of the config, which change together with the modes. */
  readonly settings?: () => unknown
  readonly catalog: Catalog<never>
  readonly uses: RuleUses
  readonly clock: LatestTime
  /** Told why the rules file cannot be read, once, when that happens after the start. */
  readonly tell?: ((message: string) => void) | undefined
}

/** What people have decided about calls to come. */
export interface Rules {
  /** Every rule, with its state and its uses. Rejects where the rules file cannot be read or trusted. */
  list(): Promise<readonly ListedRule[]>
  /** What speaks against a rule, and what it leaves open. */
  check(draft: RuleDraft): Promise<RuleCheck>
  /** Adds a rule. Rejects where `check` finds problems. */
  add(draft: RuleDraft): Promise<Rule>
  /** False where there is no such rule. */
  remove(id: string): Promise<boolean>
  setDisabled(id: string, disabled: boolean): Promise<boolean>
  /** What would happen to a call, and why. Nothing is called, asked or counted. */
  test(tool: string, input: unknown): Promise<RuleTest>
  /** Restores the last good version of a rules file that cannot be read, or with `discard` begins without rules. */
  repair(discard?: boolean): Promise<Repaired>
  /** Forgets the latest time that was noted if it is ahead of the clock, so that it no longer ends rules. */
  resetClock(): Promise<ClockReset>
}

/** Rules of sessions, which end with this process. */
export interface ProcessRules {
  rules: readonly Rule[]
  version: number
}

interface Known {
  readonly version: string
  readonly all: Promise<readonly Rule[] | RulesError>
  /** By tool; a promise until its rules are compiled. */
  readonly policies: Map<string, Policy | Promise<Policy>>
}

/** The rules as the pipeline needs them. */
export interface RuleGate extends Rules {
  policyFor(toolId: string): Policy | Promise<Policy>
  save(proposal: RuleProposal, origin: RuleOrigin): Promise<void>
  /** What the operator must know before the first call: why the rules file cannot be read. */
  findFault(): Promise<string | undefined>
}

/**
 * Opens the rules. It costs a look at the rules file before each call, and nothing more where there are none: the code
 * that reads and matches them is loaded with the first rule.
 */
export function openRules(options: RulesOptions): RuleGate {
  const { store, stateDirectory, modes, clock } = options
  const protectedPaths = stateDirectory === undefined ? [] : [stateDirectory, ...findRealPath(stateDirectory)]
  let current = modes()
  let withoutRules = toPolicy()
  const ofProcess: ProcessRules = { rules: [], version: 0 }
  let known: Known | undefined
  let toldFault: string | undefined

  function toPolicy(stops: readonly Rule[] | string = []): Policy & { readonly version: string } {
    const { askAll = false, readOnly = false } = current
    const settings = (options.settings?.() ?? {}) as JsonValue
    const version = digest({ askAll, readOnly, settings, stops: stops as unknown as JsonValue })
    return { ...current, protectedPaths, version }
  }

  function policyFor(toolId: string): Policy | Promise<Policy> {
    if (modes() !== current) {
      current = modes()
      withoutRules = toPolicy()
      known = undefined
    }
    const version = store.version()
    if (!(version instanceof Promise)) return policyAt(version, toolId)
    // If the version is unknown, the rules are read again, which reports why.
    return version.catch(() => `unknown ${performance.now()}`).then((found) => policyAt(found, toolId))
  }

  function policyAt(storeVersion: string | undefined, toolId: string): Policy | Promise<Policy> {
    if (storeVersion === undefined && ofProcess.rules.length === 0) return withoutRules
    const version = `${storeVersion} ${ofProcess.version}`
    if (known?.version !== version) {
      known = { version, all: readAll(), policies: new Map() }
      known.all.then(tellFault, () => {})
    }
    const { all, policies } = known
    const before = policies.get(toolId)
    if (before) return before
    const policy = compile(toolId, all)
    policies.set(toolId, policy)
    policy.then(
      (compiled) => policies.set(toolId, compiled),
      // What failed for another reason than the rules is tried again at the next call.
      () => {
        known = undefined
      },
    )
    return policy
  }

  function tellFault(all: readonly Rule[] | RulesError) {
    const fault = all instanceof Error ? all.message : undefined
    if (fault !== undefined && fault !== toldFault) options.tell?.(fault)
    toldFault = fault
  }

  /** Rules that allow are not part of the version: they only make questions unnecessary, and each "always" adds one. */
  async function compile(toolId: string, reading: Known['all']): Promise<Policy> {
    const { compileRules } = await import('../../policy/rules/compile-rules.ts')
    const all = await reading
    const ofTool = (rules: readonly Rule[]) => rules.filter(({ tool }) => tool === toolId)
    const toRules = (rules: readonly Rule[]) => compileRules(ofTool(rules), { protectedPaths, latest: clock.now })
    const toStops = (rules: readonly Rule[]) => ofTool(rules).filter(({ action }) => action !== 'allow')
    const rules = all instanceof Error ? [] : all
    // Where the storage cannot be read, a call that has to be recorded does not run anyway.
    if (rules.some(({ expiresAt }) => expiresAt !== undefined)) await clock.load().catch(() => {})
    if (!(all instanceof Error)) return { ...toPolicy(toStops(all)), rules: await toRules(all) }
    const { toBrokenRules } = await import('../../policy/rules/broken-rules.ts')
    const lastGood = all.lastGood && (await toRules([...all.lastGood, ...ofProcess.rules]))
    return { ...toPolicy(all.message), rules: toBrokenRules(all.message, lastGood) }
  }

  /** The rules, or why the file cannot be read: then no rule allows, and what was denied last stays denied. */
  async function readAll(): Promise<Rule[] | RulesError> {
    try {
      return [...(await store.load()), ...ofProcess.rules]
    } catch (cause) {
      if (cause instanceof RulesError) return cause
      throw cause
    }
  }

  const desk = async () => {
    const { openRulesDesk } = await import('./rules-desk.ts')
    return openRulesDesk({ ...options, ofProcess, policyFor, readAll })
  }

  return {
    policyFor,
    async findFault() {
      if ((await store.version()) === undefined) return undefined
      const all = await readAll()
      toldFault = all instanceof Error ? all.message : undefined
      return toldFault
    },
    save: async (proposal, origin) => (await desk()).save(proposal, origin),
    list: async () => (await desk()).list(),
    check: async (draft) => (await desk()).check(draft),
    add: async (draft) => (await desk()).add(draft),
    remove: async (id) => (await desk()).remove(id),
    setDisabled: async (id, disabled) => (await desk()).setDisabled(id, disabled),
    test: async (tool, input) => (await desk()).test(tool, input),
    repair: async (discard) => (await desk()).repair(discard),
    resetClock: clock.reset,
  }
}

/** What leads there by another name must not either. */
function findRealPath(directory: string): string[] {
  const { realpathSync } = process.getBuiltinModule('node:fs')
  try {
    const path = realpathSync.native(directory)
    return path === directory ? [] : [path]
  } catch {
    return []
  }
}
