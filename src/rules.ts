import type { Rule, RuleProposal } from './contract/rule.ts'
import type { Catalog } from './pipeline/catalog.ts'
import type { RuleOrigin } from './pipeline/pipeline-options.ts'
import type { Modes, Policy } from './policy/decide.ts'
import type { RuleCheck } from './policy/rules/check-rule.ts'
import type { RuleSet } from './policy/rules/compile-rules.ts'
import type { ListedRule, RuleDraft, RuleTest } from './rules-desk.ts'
import { rulesVersion } from './storage/rules-version.ts'
import type { RuleUses } from './storage/storage.ts'

export interface RulesOptions {
  /** Where the rules file is; without one, rules live as long as this process. */
  readonly directory?: string | undefined
  /** Real path of the folder that tools work in. */
  readonly workspace: string
  /** The session of callers that have none of their own. */
  readonly session: string
  /** Read at each call: the config may change. */
  readonly modes: () => Modes
  readonly catalog: Catalog<never>
  readonly uses: RuleUses
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
}

/** Rules of sessions, which end with this process. */
export interface ProcessRules {
  rules: readonly Rule[]
  version: number
}

interface Known {
  readonly version: string
  readonly all: Promise<readonly Rule[] | Error>
  /** By tool; a promise until its rules are compiled. */
  readonly policies: Map<string, Policy | Promise<Policy>>
}

/** The rules as the pipeline needs them. */
export interface RuleGate extends Rules {
  policyFor(toolId: string): Policy | Promise<Policy>
  save(proposal: RuleProposal, origin: RuleOrigin): Promise<void>
}

/**
 * Opens the rules. It costs a look at the rules file before each call, and nothing more where there are none: the code
 * that reads and matches them is loaded with the first rule.
 */
export function openRules(options: RulesOptions): RuleGate {
  const { directory, modes } = options
  const protectedPaths = directory === undefined ? [] : [directory, ...findRealPath(directory)]
  let current = modes()
  let withoutRules: Policy = { ...current, protectedPaths }
  const ofProcess: ProcessRules = { rules: [], version: 0 }
  let known: Known | undefined

  function policyFor(toolId: string): Policy | Promise<Policy> {
    if (modes() !== current) {
      current = modes()
      withoutRules = { ...current, protectedPaths }
      known = undefined
    }
    const version = directory === undefined ? undefined : rulesVersion(directory)
    if (version === undefined && ofProcess.rules.length === 0) return withoutRules
    return policyAt(`${version} ${ofProcess.version}`, toolId)
  }

  function policyAt(version: string, toolId: string): Policy | Promise<Policy> {
    if (known?.version !== version) known = { version, all: readAll(), policies: new Map() }
    const { all, policies } = known
    const before = policies.get(toolId)
    if (before) return before
    const policy = compile(toolId, all).then((rules) => ({ ...withoutRules, rules }))
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

  async function compile(toolId: string, reading: Known['all']): Promise<RuleSet> {
    const { compileRules } = await import('./policy/rules/compile-rules.ts')
    const all = await reading
    if (all instanceof Error) return (await import('./policy/rules/ask-always.ts')).askAlways(all.message)
    return compileRules(
      all.filter(({ tool }) => tool === toolId),
      { protectedPaths },
    )
  }

  /** The rules, or why the file cannot be read: then nothing is allowed by a rule, and what forbids is not known. */
  async function readAll(): Promise<Rule[] | Error> {
    if (directory === undefined) return [...ofProcess.rules]
    const { openRulesFile, RulesFileError } = await import('./storage/rules-file.ts')
    try {
      return [...openRulesFile({ directory }).load(), ...ofProcess.rules]
    } catch (cause) {
      if (cause instanceof RulesFileError) return cause
      throw cause
    }
  }

  const desk = async () => {
    const { openRulesDesk } = await import('./rules-desk.ts')
    return openRulesDesk({ ...options, ofProcess, policyFor, readAll })
  }

  return {
    policyFor,
    save: async (proposal, origin) => (await desk()).save(proposal, origin),
    list: async () => (await desk()).list(),
    check: async (draft) => (await desk()).check(draft),
    add: async (draft) => (await desk()).add(draft),
    remove: async (id) => (await desk()).remove(id),
    setDisabled: async (id, disabled) => (await desk()).setDisabled(id, disabled),
    test: async (tool, input) => (await desk()).test(tool, input),
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
