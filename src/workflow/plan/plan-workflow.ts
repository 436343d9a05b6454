import type { Contract } from '../../contract/contract.ts'
import { digest } from '../../contract/digest.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { compileSchema } from '../../contract/schema/compile-schema.ts'
import type { ForeseenCall } from '../../runtime/approval/foresee-call.ts'
import { type CallStep, isCall, type Workflow } from '../document/workflow.ts'
import type { Plan, PlannedStep } from '../run/workflow-runs.ts'
import { evaluateKnown, isKnown, type KnownScope, toKnown } from './known-values.ts'

interface PlanOptions {
  /** Full id of the workflow's tool. */
  readonly id: string
  readonly contract: Contract
  readonly findContract: (tool: string) => Promise<Contract | undefined>
  /** What would happen to a call, without making it. */
  readonly foresee: (tool: string, input: JsonObject) => Promise<ForeseenCall>
}

/** What the run of a workflow would call and ask, as far as that is known before it. Nothing runs, asks or is recorded. */
export async function planWorkflow(workflow: Workflow, input: JsonValue, options: PlanOptions): Promise<Plan> {
  const { id, contract } = options
  // A copy: defaults are set in it.
  const given = structuredClone(input)
  const problems = (await compileSchema(contract.input, { useDefaults: true })).validate(given)
  const plan = { workflow: id, contractDigest: digest(contract), problems }
  if (problems.length > 0) return { ...plan, steps: [] }
  const known: { [id: string]: KnownScope['steps'][string] } = {}
  const scope: KnownScope = { input: given as JsonObject, steps: known }
  const steps: PlannedStep[] = []
  for (const step of workflow.steps) {
    const { runs, problem } = await findWhether(step.when, scope)
    const head = { id: step.id, runs, ...(problem !== undefined && { problem }) }
    if (runs === 'skipped') known[step.id] = { skipped: true }
    if (isCall(step)) steps.push(...(await planCall(step, head, { scope, options })))
    else steps.push({ ...head, isInputKnown: true, action: 'allow' })
  }
  return { ...plan, steps }
}

type Head = Pick<PlannedStep, 'id' | 'runs' | 'problem'>

async function findWhether(when: JsonValue | undefined, scope: KnownScope): Promise<Pick<Head, 'runs' | 'problem'>> {
  if (when === undefined) return { runs: 'yes' }
  if (!isKnown(when, scope)) return { runs: 'unknown' }
  const found = await evaluateKnown(when, scope)
  if (!found.ok) return { runs: 'yes', problem: found.message }
  return { runs: found.value === false ? 'skipped' : 'yes' }
}

interface Planning {
  readonly scope: KnownScope
  readonly options: PlanOptions
}

/** The call of a step, and that of its compensation, which depends on the failure. */
async function planCall(step: CallStep, head: Head, planning: Planning): Promise<PlannedStep[]> {
  const main = await toPlanned(step.tool, head, planning)
  const planned = head.runs === 'skipped' || head.problem !== undefined ? main : await foreseeStep(step, main, planning)
  const { onError } = step
  if (typeof onError !== 'object' || head.runs === 'skipped') return [planned]
  const undo = await toPlanned(onError.tool, { id: `${step.id}/undo`, runs: 'unknown' }, planning)
  return [planned, { ...undo, input: await toKnown(onError.input, planning.scope) }]
}

async function toPlanned(tool: string, head: Head, { options }: Planning): Promise<PlannedStep> {
  const contract = await options.findContract(tool)
  const known = contract && { contractDigest: digest(contract), risk: contract.risk }
  return { ...head, tool, ...known, isInputKnown: false, action: 'unknown' }
}

async function foreseeStep(step: CallStep, planned: PlannedStep, planning: Planning): Promise<PlannedStep> {
  const { scope } = planning
  if (!step.forEach) {
    if (!isKnown(step.input, scope)) return { ...planned, input: await toKnown(step.input, scope) }
    return foreseeInputs(step, planned, { ...planning, scopes: [scope] })
  }
  const list = isKnown(step.forEach.in, scope) ? await evaluateKnown(step.forEach.in, scope) : undefined
  if (!list) return { ...planned, input: await toKnown(step.input, scope) }
  if (!list.ok) return { ...planned, problem: list.message }
  if (!Array.isArray(list.value)) return planned
  const scopes = list.value.map((item, index) => ({ ...scope, item, index }))
  const counted = { ...planned, items: scopes.length }
  const isAllKnown = scopes.every((one) => isKnown(step.input, one))
  if (!isAllKnown) return { ...counted, input: await toKnown(step.input, scope) }
  return foreseeInputs(step, counted, { ...planning, scopes })
}

/** What would happen to the calls, whose inputs are known. The strictest action is that of the step. */
async function foreseeInputs(
  step: CallStep,
  planned: PlannedStep,
  { options, scopes }: Planning & { readonly scopes: readonly KnownScope[] },
): Promise<PlannedStep> {
  const inputs: JsonValue[] = []
  const calls: Omit<ForeseenStep, 'input'>[] = []
  for (const scope of scopes) {
    const made = await evaluateKnown(step.input, scope)
    if (!made.ok) return { ...planned, problem: made.message }
    inputs.push(made.value)
    if (calls.length < maxForeseen) calls.push(await foreseeOne(step, made.value as JsonObject, options))
  }
  const input = step.forEach ? inputs : inputs[0]!
  const strictest = calls.toSorted((one, other) => ranks[other.action] - ranks[one.action])[0]
  const isPartial = inputs.length > calls.length && strictest?.action === 'allow'
  const foreseen = isPartial ? { action: 'unknown' as const } : (strictest ?? { action: 'allow' as const })
  return { ...planned, input, isInputKnown: true, inputDigest: digest(input), ...foreseen }
}

/** Items of a list that are foreseen one by one. */
const maxForeseen = 50

type ForeseenStep = Pick<PlannedStep, 'action' | 'reason' | 'foreseen' | 'problem' | 'input'>

const ranks = { unknown: 0, allow: 1, ask: 2, deny: 3 } as const

async function foreseeOne(
  step: CallStep,
  input: JsonObject,
  options: PlanOptions,
): Promise<Omit<ForeseenStep, 'input'>> {
  // Its own copy: the dry run sets defaults.
  const found = await options.foresee(step.tool, structuredClone(input))
  if ('problems' in found) return { action: 'deny', problem: found.problems[0]!.message }
  const { decision, foreseen, error } = found
  const action = decision.action === 'allow' && step.approval === 'ask' ? 'ask' : decision.action
  const reason = action === decision.action ? decision.reason : 'The step is to be asked for.'
  return { action, reason, foreseen, ...(error && { problem: error.message }) }
}
