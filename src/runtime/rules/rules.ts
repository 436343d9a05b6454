import { realpathSync } from 'node:fs'
import { digest } from '../../contract/digest.ts'
import type { JsonValue } from '../../contract/json.ts'
import type { Rule, RuleProposal } from '../../contract/rule.ts'
import type { Caller } from '../../contract/tool.ts'
import type { Modes, Policy } from '../../policy/decide.ts'
import type { RuleCheck } from '../../policy/rules/check-rule.ts'
import type { Catalog } from '../pipeline/catalog.ts'
import type { RuleOrigin } from '../pipeline/pipeline-options.ts'
import { isPromiseLike } from '../pipeline/when-ready.ts'
import { type Repaired, type RuleStore, RulesError } from '../storage/operator-state.ts'
import type { Ledger, RuleUses } from '../storage/storage.ts'
import type { ClockReset, LatestTime } from './latest-time.ts'
import type { ListedRule, RuleDraft, RulePreview, RuleTest } from './rule-editor.ts'
import type { Simulation } from './simulate-rules.ts'

export interface RulesOptions {
  /** Rules that outlive this process. */
  readonly store: RuleStore
  /** No rule allows access to files in it; undefined if no state is stored in files. */
  readonly stateDirectory?: string | undefined
  /** Real path of the folder that tools work in. */
  readonly workspace: string
  /** Session id for callers without one. */
  readonly session: string
  /** Read at each call, since the config may change. */
  readonly modes: () => Modes
  /** The policy settings of the config, which change together with the modes. */
  readonly settings?: () => unknown
  /** All groups of a caller: those of its token, and those of the config. Default: those of its token. */
  readonly groupsOf?: (caller: Caller) => readonly string[]
  readonly catalog: Catalog<never>
  readonly uses: RuleUses
  /** The calls of the past, on which changes of the rules are tried. */
  readonly ledger: Pick<Ledger, 'calls'>
  readonly clock: LatestTime
  /** Receives, once, why the rules cannot be read, if that happens after the start. */
  readonly report?: ((message: string) => void) | undefined
}

/** Standing decisions of people about future calls. */
export interface Rules {
  /** Changes with every change of the rules. */
  version(): Promise<string>
  /** Every rule with its state and uses. Rejects with a `RulesError` if the rules cannot be read or trusted. */
  list(): Promise<readonly ListedRule[]>
  /** Problems of a rule, and what it allows beyond the obvious. */
  check(draft: RuleDraft): Promise<RuleCheck>
  /** Rejects with `invalid_rule` if `check` finds problems. */
  add(draft: RuleDraft): Promise<Rule>
  /** False if there is no such rule. */
  remove(id: string): Promise<boolean>
  setDisabled(id: string, disabled: boolean): Promise<boolean>
  /** Ends a rule now, and keeps it listed as expired. False if there is no such rule. */
  expire(id: string): Promise<boolean>
  /** Dry run: what would happen to a call, and why. Nothing runs, asks or counts. Default caller: the operator. */
  test(tool: string, input: unknown, caller?: Caller): Promise<RuleTest>
  /** What a rule would have done with the last calls of its tool (default: 500). Nothing is saved. */
  preview(draft: RuleDraft, last?: number): Promise<RulePreview>
  /** Which of the last calls (default: 500) a change of the rules would decide differently. Nothing is saved. */
  simulate(change: RuleChange): Promise<Simulation>
  /** If the rules cannot be read: restores the last good version, or with `discard` starts without rules. */
  repair(discard?: boolean): Promise<Repaired>
  /** Forgets a recorded time that is ahead of the clock and expires rules too early. */
  resetClock(): Promise<ClockReset>
}

/** A change of the rules to try. */
export interface RuleChange {
  readonly add?: readonly RuleDraft[]
  /** Ids of rules. */
  readonly remove?: readonly string[]
  /** How many calls to look back. Default: 500. */
  readonly last?: number
}

/** Session rules, which end with this process. */
export interface ProcessRules {
  rules: readonly Rule[]
  version: number
}

interface Known {
  readonly version: string
  readonly all: Promise<readonly Rule[] | RulesError>
  /** By tool id; a promise while its rules are compiled. */
  readonly policies: Map<string, Policy | Promise<Policy>>
}

/** The rules as the pipeline uses them. */
export interface PipelineRules extends Rules {
  policyFor(toolId: string): Policy | Promise<Policy>
  save(proposal: RuleProposal, origin: RuleOrigin): Promise<void>
  /** Why the rules cannot be read, for a notice at the start; undefined if they can. */
  findFault(): Promise<string | undefined>
}

/**
 * Opens the rules. Each call checks the version of the rules; the code that reads and matches them is loaded with the first
 * rule. Rules that cannot be read never allow: denials of the last good version hold, and other calls ask.
 */
export function openRules(options: RulesOptions): PipelineRules {
  const { store, stateDirectory, modes, clock } = options
  const protectedPaths = stateDirectory === undefined ? [] : [stateDirectory, ...findRealPath(stateDirectory)]
  let current = modes()
  let withoutRules = toPolicy()
  const ofProcess: ProcessRules = { rules: [], version: 0 }
  let known: Known | undefined
  let reportedFault: string | undefined

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
    // A store in files returns its version at once.
    if (!isPromiseLike(version)) return policyAt(version, toolId)
    // If the version is unknown, the rules are read again, which reports why.
    const found = Promise.resolve(version).catch(() => `unknown ${performance.now()}`)
    return found.then((version) => policyAt(version, toolId))
  }

  function policyAt(storeVersion: string | undefined, toolId: string): Policy | Promise<Policy> {
    if (storeVersion === undefined && ofProcess.rules.length === 0) return withoutRules
    const version = `${storeVersion} ${ofProcess.version}`
    if (known?.version !== version) {
      known = { version, all: readAll(), policies: new Map() }
      known.all.then(reportFault, () => {})
    }
    const { all, policies } = known
    const before = policies.get(toolId)
    if (before) return before
    const policy = compile(toolId, all)
    policies.set(toolId, policy)
    policy.then(
      (compiled) => policies.set(toolId, compiled),
      // A failure that is not about the rules is retried at the next call.
      () => {
        known = undefined
      },
    )
    return policy
  }

  function reportFault(all: readonly Rule[] | RulesError) {
    const fault = all instanceof Error ? all.message : undefined
    if (fault !== undefined && fault !== reportedFault) options.report?.(fault)
    reportedFault = fault
  }

  /** The version covers ask and deny rules only: allow rules never make a pending approval stale, and each "always" adds one. */
  async function compile(toolId: string, reading: Known['all']): Promise<Policy> {
    const { compileRules } = await import('../../policy/rules/compile-rules.ts')
    const all = await reading
    const ofTool = (rules: readonly Rule[]) => rules.filter(({ tool }) => tool === toolId)
    const toRules = (rules: readonly Rule[]) => compileRules(ofTool(rules), { protectedPaths, latest: clock.now })
    const toStops = (rules: readonly Rule[]) => ofTool(rules).filter(({ action }) => action !== 'allow')
    const rules = all instanceof Error ? [] : all
    // If the storage fails, the call cannot be recorded and does not run anyway.
    if (rules.some(({ expiresAt }) => expiresAt !== undefined)) await clock.load().catch(() => {})
    if (!(all instanceof Error)) return { ...toPolicy(toStops(all)), rules: await toRules(all) }
    const { toBrokenRules } = await import('../../policy/rules/broken-rules.ts')
    const lastGood = all.lastGood && (await toRules([...all.lastGood, ...ofProcess.rules]))
    return { ...toPolicy(all.message), rules: toBrokenRules(all.message, lastGood) }
  }

  /** The rules, or why they cannot be read. */
  async function readAll(): Promise<Rule[] | RulesError> {
    try {
      return [...(await store.load()), ...ofProcess.rules]
    } catch (cause) {
      if (cause instanceof RulesError) return cause
      throw cause
    }
  }

  const editor = async () => {
    const { openRuleEditor } = await import('./rule-editor.ts')
    return openRuleEditor({ ...options, ofProcess, policyFor, readAll, protectedPaths })
  }

  return {
    policyFor,
    version: async () => `${await store.version()} ${ofProcess.version}`,
    async findFault() {
      if ((await store.version()) === undefined) return undefined
      const all = await readAll()
      reportedFault = all instanceof Error ? all.message : undefined
      return reportedFault
    },
    save: async (proposal, origin) => (await editor()).save(proposal, origin),
    list: async () => (await editor()).list(),
    check: async (draft) => (await editor()).check(draft),
    add: async (draft) => (await editor()).add(draft),
    remove: async (id) => (await editor()).remove(id),
    setDisabled: async (id, disabled) => (await editor()).setDisabled(id, disabled),
    expire: async (id) => (await editor()).expire(id),
    test: async (tool, input, caller) => (await editor()).test(tool, input, caller),
    preview: async (draft, last) => (await editor()).preview(draft, last),
    simulate: async (change) => (await editor()).simulate(change),
    repair: async (discard) => (await editor()).repair(discard),
    resetClock: clock.reset,
  }
}

/** Protects the real path too, if the directory is reached through a symlink. */
function findRealPath(directory: string): string[] {
  try {
    const path = realpathSync.native(directory)
    return path === directory ? [] : [path]
  } catch {
    return []
  }
}
