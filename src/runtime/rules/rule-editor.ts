import { randomUUID } from 'node:crypto'
import { canonicalJson } from '../../contract/canonical-json.ts'
import type { Contract } from '../../contract/contract.ts'
import type { JsonObject } from '../../contract/json.ts'
import { everyone, operator, toPerson } from '../../contract/principal.ts'
import type { Rule, RuleAction, RuleProposal, RuleScope } from '../../contract/rule.ts'
import { compileSchema } from '../../contract/schema/compile-schema.ts'
import type { Caller } from '../../contract/tool.ts'
import type { Problem } from '../../contract/tool-error.ts'
import { ToolpactError } from '../../contract/toolpact-error.ts'
import { type Decision, decide, type Policy } from '../../policy/decide.ts'
import { checkRule, type RuleCheck } from '../../policy/rules/check-rule.ts'
import type { RuleProblem } from '../../policy/rules/compile-rule.ts'
import { compileRules, type RuleFinding } from '../../policy/rules/compile-rules.ts'
import { fromDoubled } from '../../policy/rules/doubled-backslashes.ts'
import { fromShort } from '../../policy/rules/short-form.ts'
import type { RuleOrigin } from '../pipeline/pipeline-options.ts'
import { inGroups, inSession } from '../pipeline/to-policy-call.ts'
import { toRealPaths } from './real-paths.ts'
import type { ProcessRules, RuleChange, Rules, RulesOptions } from './rules.ts'
import { findPastCalls, type PastCalls, type Simulation, simulateRules } from './simulate-rules.ts'

/** A rule to add. */
export interface RuleDraft {
  /** The full id. */
  readonly tool: string
  /**
   * A pattern, or a short form such as `command: git status`, `path: notes/**` or `host: docs.python.org`. If an allow rule
   * has every backslash doubled, as in a quoted string, it is saved with single ones.
   */
  readonly pattern: string
  /** Default: `allow`. */
  readonly action?: RuleAction
  /** Default: `workspace`. With `session` and no session id, the rule ends with this process. */
  readonly scope?: RuleScope['scope']
  readonly session?: string
  /** Names of callers, and `group:NAME`. Default, and `*`: every caller. */
  readonly who?: readonly string[]
  readonly expiresAt?: string
  readonly description?: string
  readonly examples?: Rule['examples']
  readonly createdBy: string
}

/** A rule with its state and uses. */
export interface ListedRule {
  readonly rule: Rule
  readonly state: 'active' | 'disabled' | 'expired' | 'invalid'
  readonly problems: readonly RuleProblem[]
  readonly uses: number
  /** ISO time. */
  readonly lastUsedAt: string | null
}

/** What would happen to a call: the decision and the verdict of each rule, or the problems of the input. */
export type RuleTest =
  | { readonly tool: string; readonly problems: readonly Problem[] }
  | {
      readonly tool: string
      readonly input: JsonObject
      readonly decision: Decision
      readonly findings: readonly RuleFinding[]
    }

/** What a new rule would do. */
export interface RulePreview extends RuleCheck {
  /** The strict form that would be saved; undefined if the draft cannot be compiled. */
  readonly pattern?: string
  /** Absent if the rule has problems. */
  readonly past?: PastCalls
}

interface EditorOptions extends RulesOptions {
  readonly ofProcess: ProcessRules
  readonly policyFor: (toolId: string) => Policy | Promise<Policy>
  readonly readAll: () => Promise<readonly Rule[] | Error>
  readonly protectedPaths: readonly string[]
}

/** Lists, checks, adds, tests and removes rules. Loaded with the first use, since most calls only need the policy. */
export function openRuleEditor(options: EditorOptions): Omit<Rules, 'resetClock' | 'version'> & {
  save(proposal: RuleProposal, origin: RuleOrigin): Promise<void>
} {
  const { store, workspace, session, catalog, uses, clock, ofProcess, policyFor, readAll } = options

  async function findContract(tool: string): Promise<Contract | undefined> {
    const found = await catalog.find(tool)
    return found.kind === 'found' && found.id === tool ? found.tool.contract : undefined
  }

  async function list(): Promise<ListedRule[]> {
    const all = await mustRead()
    await clock.load()
    const used = await uses.read()
    return Promise.all(
      all.map(async (rule) => {
        const problems = await findProblems(rule)
        const use = used.get(rule.id)
        const lastUsedAt = use ? new Date(use.lastUsedAt).toISOString() : null
        return { rule, state: toState(rule, problems), problems, uses: use?.count ?? 0, lastUsedAt }
      }),
    )
  }

  async function findProblems(rule: Rule): Promise<readonly RuleProblem[]> {
    const contract = await findContract(rule.tool)
    if (!contract) return (await compileRules([rule])).findProblems()
    return (await checkAgainst(rule, contract)).problems
  }

  async function check(draft: RuleDraft): Promise<RuleCheck> {
    const made = await make(draft)
    return 'problem' in made ? { problems: [made.problem], wide: [] } : checkNew(made)
  }

  /** The rule that a draft stands for. */
  async function make(draft: RuleDraft): Promise<Rule | { readonly problem: RuleProblem }> {
    const contract = await findContract(draft.tool)
    const short = contract && fromShort(draft.pattern, contract, draft.action ?? 'allow')
    if (!short) return toRule(toSingle(draft))
    if ('problem' in short) return { problem: { rule: '', code: 'invalid_pattern', message: short.problem } }
    return { ...toRule({ ...draft, pattern: short.pattern }), short: draft.pattern.trim() }
  }

  async function mustMake(draft: RuleDraft): Promise<Rule> {
    const made = await make(draft)
    if ('problem' in made) throw new ToolpactError('invalid_rule', made.problem.message)
    return made
  }

  async function checkNew(rule: Rule): Promise<RuleCheck> {
    await clock.load()
    const contract = await findContract(rule.tool)
    if (contract) return checkAgainst(rule, contract)
    const message = `There is no tool '${rule.tool}': write its full id.`
    return { problems: [{ rule: rule.id, code: 'unknown_tool', message }], wide: [] }
  }

  async function checkAgainst(rule: Rule, contract: Contract): Promise<RuleCheck> {
    const latest = clock.now()
    const check = await checkRule(rule, contract, latest)
    const isAhead = rule.expiresAt !== undefined && Date.parse(rule.expiresAt) > Date.now()
    if (!isAhead) return check
    const message = `It counts as expired, because Toolpact has noted the time ${toIso(latest)} and the clock says ${toIso(Date.now())}. If the noted time is wrong, run: toolpact rules repair --reset-clock`
    return { ...check, problems: check.problems.map((each) => (each.code === 'expired' ? { ...each, message } : each)) }
  }

  async function add(draft: RuleDraft): Promise<Rule> {
    const rule = await mustMake(draft)
    await addChecked(rule, draft.session === undefined && rule.scope === 'session')
    return rule
  }

  async function save(proposal: RuleProposal, { toolId, caller, by }: RuleOrigin): Promise<void> {
    const { tool, pattern, scope, expiresAt, description, who = [toPerson(caller)] } = proposal
    if (tool !== toolId) throw new ToolpactError('invalid_rule', `A yes to ${toolId} cannot save a rule for ${tool}.`)
    const rule = await mustMake({
      tool,
      pattern,
      scope,
      who,
      expiresAt,
      description,
      session: caller.session,
      createdBy: by,
    })
    await addChecked(rule, rule.scope === 'session')
  }

  async function requireUsable(rule: Rule): Promise<void> {
    const { problems } = await checkNew(rule)
    if (problems[0])
      throw new ToolpactError(
        'invalid_rule',
        `The rule would not be used. ${problems.map(({ message }) => message).join(' ')}`,
      )
  }

  async function addChecked(rule: Rule, inProcess: boolean): Promise<void> {
    await requireUsable(rule)
    if (inProcess) changeOfProcess([...ofProcess.rules, rule])
    else await store.add(rule)
  }

  async function remove(id: string): Promise<boolean> {
    const left = ofProcess.rules.filter((rule) => rule.id !== id)
    const isOfProcess = left.length < ofProcess.rules.length
    if (isOfProcess) changeOfProcess(left)
    const removed = isOfProcess || (await store.remove(id))
    if (removed) await uses.forget(id)
    return removed
  }

  async function setDisabled(id: string, disabled: boolean): Promise<boolean> {
    if (!ofProcess.rules.some((rule) => rule.id === id)) return store.setDisabled(id, disabled)
    changeOfProcess(ofProcess.rules.map((rule) => (rule.id === id ? { ...rule, disabled } : rule)))
    return true
  }

  async function expire(id: string): Promise<boolean> {
    const expiresAt = new Date().toISOString()
    if (!ofProcess.rules.some((rule) => rule.id === id)) return store.expire(id, expiresAt)
    changeOfProcess(ofProcess.rules.map((rule) => (rule.id === id ? { ...rule, expiresAt } : rule)))
    return true
  }

  async function test(tool: string, given: unknown, by: Caller = { name: operator }): Promise<RuleTest> {
    const contract = await findContract(tool)
    if (!contract) throw new ToolpactError('not_found', `There is no tool '${tool}': write its full id.`)
    const input = structuredClone(given) as JsonObject
    const problems = (await compileSchema(contract.input, { useDefaults: true })).validate(input)
    if (problems.length > 0) return { tool, problems }
    const caller = inGroups(inSession(by, session), options.groupsOf)
    const call = {
      toolId: tool,
      contract,
      input,
      canonicalInput: canonicalJson(input),
      caller,
      workspace,
      realPaths: toRealPaths(contract.effects, input, workspace),
      now: Date.now(),
    }
    const policy = await policyFor(tool)
    return { tool, input, decision: decide(call, policy), findings: policy.rules?.explain(call) ?? [] }
  }

  async function preview(draft: RuleDraft, last = usualLast): Promise<RulePreview> {
    const made = await make(draft)
    if ('problem' in made) return { problems: [made.problem], wide: [] }
    const checked = { ...(await checkNew(made)), pattern: made.pattern }
    if (checked.problems.length > 0) return checked
    return { ...checked, past: await findPastCalls(made, last, await toSimulateOptions()) }
  }

  async function simulate({ add = [], remove = [], last = usualLast }: RuleChange): Promise<Simulation> {
    const made = await Promise.all(add.map(mustMake))
    for (const rule of made) await requireUsable(rule)
    return simulateRules({ add: made, remove, last }, await toSimulateOptions())
  }

  async function toSimulateOptions() {
    const compile = { protectedPaths: options.protectedPaths, latest: clock.now }
    const { ledger, groupsOf } = options
    return { ledger, groupsOf, rules: await mustRead(), policyFor, findContract, workspace, compile }
  }

  async function mustRead(): Promise<readonly Rule[]> {
    const all = await readAll()
    if (all instanceof Error) throw all
    return all
  }

  function changeOfProcess(rules: readonly Rule[]) {
    ofProcess.rules = rules
    ofProcess.version += 1
  }

  function toRule(draft: RuleDraft): Rule {
    const {
      tool,
      pattern,
      action = 'allow',
      scope = 'workspace',
      who,
      expiresAt,
      description,
      examples,
      createdBy,
    } = draft
    return {
      id: `rule-${randomUUID().slice(0, 8)}`,
      tool,
      pattern,
      action,
      ...toScope(scope, draft.session),
      ...(who && !who.includes(everyone) && { who: [...new Set(who)] }),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(description !== undefined && { description }),
      createdBy,
      createdAt: new Date().toISOString(),
      ...(examples && { examples }),
    }
  }

  function toScope(scope: RuleScope['scope'], named: string | undefined): RuleScope {
    if (scope === 'session') return { scope, session: named ?? session }
    return scope === 'workspace' ? { scope, workspace } : { scope }
  }

  const repair = (discard = false) => store.repair(discard)
  return { list, check, add, save, remove, setDisabled, expire, test, preview, simulate, repair }
}

/** How many calls a preview looks back. */
const usualLast = 500

/** People copy patterns out of quoted strings. Applied to drafts only, never to patterns that Toolpact generated. */
function toSingle(draft: RuleDraft): RuleDraft {
  const { action = 'allow', pattern } = draft
  return action === 'allow' ? { ...draft, pattern: fromDoubled(pattern) ?? pattern } : draft
}

function toIso(time: number): string {
  return new Date(time).toISOString()
}

function toState({ disabled }: Rule, problems: readonly RuleProblem[]): ListedRule['state'] {
  if (disabled) return 'disabled'
  if (problems.some(({ code }) => code === 'expired')) return 'expired'
  return problems.length > 0 ? 'invalid' : 'active'
}
