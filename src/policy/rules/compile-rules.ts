import type { Rule } from '../../contract/rule.ts'
import { loadLinearPattern } from '../../contract/schema/linear-pattern.ts'
import { grantSteps, stepsPerValidation } from '../../contract/schema/step-budget.ts'
import type { PolicyCall } from '../policy-call.ts'
import { type CompiledRule, compileRule, needsEngine, type RuleProblem } from './compile-rule.ts'
import { type Judgement, judgeAllow, judgeStop } from './judge-rule.ts'
import { toReadings, toRealCall } from './to-readings.ts'

/** Compiled rules. */
export interface RuleSet {
  /** Decides a call: deny overrides ask, ask overrides allow; among equals, the most specific rule decides. */
  decide(call: PolicyCall): RuleDecision
  /** The verdict of each rule of the tool, with its reason, in the order of the rules. */
  explain(call: PolicyCall): RuleFinding[]
  /** Problems of rules that can never decide. */
  findProblems(): RuleProblem[]
}

interface RuleDecision {
  /** Undefined if no rule matches the call. */
  readonly action: 'allow' | 'ask' | 'deny' | undefined
  /** The id of the rule that decided. */
  readonly rule?: string
  /** The reason; without a decision, why an apparently matching allow rule does not apply. A sentence, or empty. */
  readonly reason: string
}

export interface RuleFinding extends Judgement {
  readonly rule: Rule
}

export interface CompileOptions {
  /** Folders that no rule can allow, such as the one that stores the rules. */
  readonly protectedPaths?: readonly string[]
  /** The latest time observed by any process. */
  readonly latest?: () => number
}

/**
 * Prepares rules by tool. Asynchronous only because the regex engine is loaded for the first pattern that needs it; each rule is
 * compiled with the first call of its tool.
 */
export async function compileRules(rules: readonly Rule[], options: CompileOptions = {}): Promise<RuleSet> {
  const { protectedPaths = [], latest } = options
  const engine = rules.some(needsEngine) ? await loadLinearPattern() : undefined
  const byTool = Map.groupBy(rules, ({ tool }) => tool)
  const compiled = new Map<string, ToolRules>()

  function rulesOf(tool: string): ToolRules | undefined {
    const known = compiled.get(tool)
    if (known) return known
    const own = byTool.get(tool)
    if (!own) return undefined
    const made = toToolRules(own.map((rule) => compileRule(rule, engine, true)))
    compiled.set(tool, made)
    return made
  }

  return {
    decide(given) {
      const call = { ...given, latest: latest?.() }
      const own = rulesOf(call.toolId)
      if (!own) return noDecision
      grantSteps(stepsPerValidation)
      return decideStop(own.stops, call) ?? decideAllow(own, call, protectedPaths)
    },
    explain(given) {
      const call = { ...given, latest: latest?.() }
      const readings = toReadings(call)
      const own = rulesOf(call.toolId)
      const doubt = own && findLinkDoubt(own, call, protectedPaths)
      return (byTool.get(call.toolId) ?? []).map((rule) => {
        const compiled = compileRule(rule, engine)
        grantSteps(stepsPerValidation)
        if (rule.action !== 'allow') return { rule, ...judgeStop(compiled, call, readings) }
        const judged = judgeAllow(compiled, call, protectedPaths)
        return judged.result === 'applies' && doubt ? { rule, result: 'skipped', reason: doubt } : { rule, ...judged }
      })
    },
    findProblems: () => rules.flatMap((rule) => compileRule(rule, engine).problems),
  }
}

const noDecision: RuleDecision = { action: undefined, reason: '' }

interface ToolRules {
  /** Deny rules, then ask rules, most specific first: the first that applies decides. */
  readonly stops: readonly CompiledRule[]
  /** Allow rules for one exact input, by its text. Each "always" adds one. */
  readonly exact: ReadonlyMap<string, readonly CompiledRule[]>
  /** Other allow rules, most specific first. */
  readonly allows: readonly CompiledRule[]
}

function toToolRules(all: readonly CompiledRule[]): ToolRules {
  const sorted = all.toSorted(compareSpecificity)
  const having = (action: Rule['action']) => sorted.filter(({ rule }) => rule.action === action)
  const { exact = [], open = [] } = Object.groupBy(having('allow'), (compiled) =>
    isExact(compiled) ? 'exact' : 'open',
  )
  return {
    stops: [...having('deny'), ...having('ask')],
    exact: Map.groupBy(exact, (compiled) => compiled.exact!),
    allows: open,
  }
}

function isExact({ exact, problems }: CompiledRule): boolean {
  return exact !== undefined && problems.length === 0
}

const narrowness = { session: 0, workspace: 1, everywhere: 2 }

/** More literal characters first, then the narrower scope, then the older rule. */
function compareSpecificity(a: CompiledRule, b: CompiledRule): number {
  return (
    b.literals - a.literals ||
    narrowness[a.rule.scope] - narrowness[b.rule.scope] ||
    (a.rule.createdAt < b.rule.createdAt ? -1 : Number(a.rule.createdAt > b.rule.createdAt))
  )
}

function decideStop(stops: readonly CompiledRule[], call: PolicyCall): RuleDecision | undefined {
  if (stops.length === 0) return undefined
  const readings = toReadings(call)
  let unsure: RuleDecision | undefined
  for (const compiled of stops) {
    const { rule } = compiled
    const { result, reason } = judgeStop(compiled, call, readings)
    if (result === 'applies' && rule.action === 'deny')
      return { action: 'deny', rule: rule.id, reason: `${toName(rule)} denies it.` }
    if (result === 'applies') return { action: 'ask', rule: rule.id, reason: `${toName(rule)} asks for it.` }
    if (result === 'unsure')
      unsure ??= { action: 'ask', rule: rule.id, reason: toSentence(`${toName(rule)} may ${rule.action} it, but ${reason}`) } // biome-ignore format: one line
  }
  return unsure
}

function decideAllow(own: ToolRules, call: PolicyCall, protectedPaths: readonly string[]): RuleDecision {
  const decision = decideAllowAsWritten(own, call, protectedPaths)
  const doubt = decision.action === 'allow' && findLinkDoubt(own, call, protectedPaths)
  return doubt ? { action: undefined, reason: `The rule ${decision.rule} does not allow it: ${doubt}.` } : decision
}

/** Why a path behind a symlink asks although a rule matches its text: its target must be allowed too. */
function findLinkDoubt(own: ToolRules, call: PolicyCall, protectedPaths: readonly string[]): string | undefined {
  const real = toRealCall(call)
  if (!real || decideAllowAsWritten(own, real, protectedPaths).action === 'allow') return undefined
  return `${describeLinks(call)} through a symlink, and no rule allows that`
}

function describeLinks({ realPaths = new Map() }: PolicyCall): string {
  const [first = []] = realPaths
  return `'${first[0]}' leads to '${first[1]}'`
}

function decideAllowAsWritten(
  { exact, allows }: ToolRules,
  call: PolicyCall,
  protectedPaths: readonly string[],
): RuleDecision {
  let doubt = ''
  for (const rules of [exact.get(call.canonicalInput) ?? [], allows]) {
    for (const compiled of rules) {
      const { rule } = compiled
      const { result, reason } = judgeAllow(compiled, call, protectedPaths)
      if (result === 'applies') return { action: 'allow', rule: rule.id, reason: `${toName(rule)} allows it.` }
      if (result === 'skipped') doubt ||= toSentence(`${toName(rule)} does not allow it: ${reason}`)
    }
  }
  return { action: undefined, reason: doubt }
}

function toName({ id, description }: Pick<Rule, 'id' | 'description'>): string {
  return description ? `The rule ${id} (${description})` : `The rule ${id}`
}

function toSentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`
}
