import { canonicalJson } from '../../contract/canonical-json.ts'
import type { Contract } from '../../contract/contract.ts'
import { digestText } from '../../contract/digest.ts'
import { isObject } from '../../contract/json.ts'
import type { Rule } from '../../contract/rule.ts'
import { type Decision, decide, type Policy } from '../../policy/decide.ts'
import type { PolicyCall } from '../../policy/policy-call.ts'
import { type CompileOptions, compileRules } from '../../policy/rules/compile-rules.ts'
import { inGroups } from '../pipeline/to-policy-call.ts'
import type { FoundCall, Ledger } from '../storage/storage.ts'
import { toRealPaths } from './real-paths.ts'
import type { RulesOptions } from './rules.ts'

/** A change of the rules, to be tried on calls of the past. */
export interface RuleEdit {
  readonly add: readonly Rule[]
  /** Ids of rules. */
  readonly remove: readonly string[]
  /** How many calls to look back. */
  readonly last: number
}

/** Which past calls a change of the rules would decide differently. */
export interface Simulation {
  /** How many calls were tried. */
  readonly calls: number
  /** Calls that cannot be tried: secrets were removed from their input, or their tool is gone. */
  readonly skipped: number
  /** Newest first. */
  readonly changed: readonly {
    readonly call: FoundCall
    readonly before: Decision
    readonly after: Decision
  }[]
}

/** What a rule would have done with past calls of its tool. */
export interface PastCalls {
  readonly calls: number
  readonly skipped: number
  /** Calls that the rule matches, by what happened to them. */
  readonly matched: { readonly allowed: number; readonly asked: number; readonly denied: number }
}

interface SimulateOptions {
  readonly ledger: Pick<Ledger, 'calls'>
  readonly rules: readonly Rule[]
  readonly policyFor: (toolId: string) => Policy | Promise<Policy>
  readonly findContract: (toolId: string) => Promise<Contract | undefined>
  readonly workspace: string
  readonly groupsOf?: RulesOptions['groupsOf']
  readonly compile: CompileOptions
}

/** Decides past calls by the current rules and by the changed ones. What sessions had read is not considered. */
export async function simulateRules({ add, remove, last }: RuleEdit, options: SimulateOptions): Promise<Simulation> {
  const { rules, policyFor, compile } = options
  const edited = [...rules.filter(({ id }) => !remove.includes(id)), ...add]
  const changedTools = new Set([...add, ...rules.filter(({ id }) => remove.includes(id))].map(({ tool }) => tool))
  const after = await compileRules(edited, compile)
  const changed: Simulation['changed'][number][] = []
  const { calls, skipped } = await eachPastCall({ last }, options, async (past, call) => {
    if (!changedTools.has(past.toolId)) return
    const policy = await policyFor(past.toolId)
    const decided = { before: decide(past, policy), after: decide(past, { ...policy, rules: after }) }
    if (decided.before.action !== decided.after.action) changed.push({ call, ...decided })
  })
  return { calls, skipped, changed }
}

/** Matches one rule against the past calls of its tool. */
export async function findPastCalls(rule: Rule, last: number, options: SimulateOptions): Promise<PastCalls> {
  const trial = await compileRules([rule], options.compile)
  const matched = { allowed: 0, asked: 0, denied: 0 }
  const counted = await eachPastCall({ last, tool: rule.tool }, options, (past, call) => {
    if (trial.decide(past).action === rule.action) matched[toPast(call)]++
  })
  return { ...counted, matched }
}

/** What happened to a call. */
function toPast({ decision, errorCode }: FoundCall): keyof PastCalls['matched'] {
  if (decision?.action === 'deny' || errorCode === 'denied' || errorCode === 'approval_denied') return 'denied'
  return decision?.action === 'ask' ? 'asked' : 'allowed'
}

const pageSize = 200

async function eachPastCall(
  { last, tool }: { readonly last: number; readonly tool?: string },
  { ledger, findContract, workspace, groupsOf }: SimulateOptions,
  visit: (past: PolicyCall, call: FoundCall) => void | Promise<void>,
): Promise<{ calls: number; skipped: number }> {
  const contracts = new Map<string, Contract | undefined>()
  let calls = 0
  let skipped = 0
  for (let before: number | null | undefined; before !== null && calls + skipped < last; ) {
    const limit = Math.min(pageSize, last - calls - skipped)
    const page = await ledger.calls({ limit, ...(tool && { tool }), ...(before && { before }) })
    for (const call of page.calls) {
      if (call.tool.startsWith('agent.')) continue
      if (!contracts.has(call.tool)) contracts.set(call.tool, await findContract(call.tool))
      const past = toPastCall(call, contracts.get(call.tool), { workspace, groupsOf })
      if (past) {
        calls++
        await visit(past, call)
      } else skipped++
    }
    before = page.before
    // A page may take a while: let other calls run.
    await new Promise(setImmediate)
  }
  return { calls, skipped }
}

/** The call as the policy saw it; undefined if its recorded input is not what it was called with. */
function toPastCall(
  call: FoundCall,
  contract: Contract | undefined,
  { workspace, groupsOf }: Pick<SimulateOptions, 'workspace' | 'groupsOf'>,
): PolicyCall | undefined {
  const { tool: toolId, input, inputDigest, caller } = call
  if (!contract || !caller || !isObject(input)) return undefined
  const canonicalInput = canonicalJson(input)
  if (inputDigest === null || digestText(canonicalInput) !== inputDigest) return undefined
  const realPaths = toRealPaths(contract.effects, input, workspace)
  return {
    toolId,
    contract,
    input,
    canonicalInput,
    caller: inGroups(caller, groupsOf),
    workspace,
    realPaths,
    now: Date.now(),
  }
}

/** The result of `findPastCalls` in one sentence. */
export function describePast({ calls, matched }: PastCalls, { tool, action }: Pick<Rule, 'tool' | 'action'>): string {
  if (calls === 0) return `No earlier call of ${tool} can be tried.`
  const total = matched.allowed + matched.asked + matched.denied
  const verb = { allow: 'allowed', ask: 'asked about', deny: 'denied' }[action]
  const start = `Would have ${verb} ${total} of the last ${calls} ${calls === 1 ? 'call' : 'calls'} of ${tool}`
  const [others, what] =
    action === 'allow' ? [matched.denied, 'denied'] : action === 'deny' ? [matched.allowed + matched.asked, 'not denied'] : [matched.allowed, 'allowed without asking'] // biome-ignore format: one line
  if (others === 0) return `${start}.`
  return `${start}, among them ${others} that ${others === 1 ? 'was' : 'were'} ${what}.`
}
