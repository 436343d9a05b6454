import { type Contract, type DataKind, type Effects, type Risk, toReturnedKinds } from '../../contract/contract.ts'
import { deepFreeze } from '../../contract/deep-freeze.ts'
import { isObject, type JsonValue } from '../../contract/json.ts'
import { runErrors } from '../run/run-errors.ts'
import { type CallStep, type Compensation, isCall, type Workflow } from './workflow.ts'

type Called = Pick<CallStep | Compensation, 'tool' | 'input'>

/** Every call that a workflow can make: its steps and their compensations. */
export function toCalls({ steps }: Workflow): Called[] {
  return steps.filter(isCall).flatMap((step) => (typeof step.onError === 'object' ? [step, step.onError] : [step]))
}

/**
 * The contract of a workflow: its risk is the highest of its steps, or the declared one if that is higher; its effects are those
 * of the steps. Each step is checked and approved as a call of its own, so the workflow itself asks only about a plan.
 */
export function toContract(workflow: Workflow, contractOf: (tool: string) => Contract | undefined): Contract {
  const { name, title, description, version, input, output, limits, constraints, examples } = workflow
  const calls = toCalls(workflow).map((called) => ({ ...called, contract: contractOf(called.tool) }))
  const risks = calls.flatMap(({ contract }) => contract?.risk ?? [])
  return deepFreeze({
    ...{ name, title, description, version, status: 'active' as const },
    risk: [workflow.risk, ...risks].reduce((one, other) => (ranks[other] > ranks[one] ? other : one)),
    approval: workflow.approval === 'plan' ? ('ask' as const) : ('never' as const),
    ...{ input, output, errors: runErrors, limits },
    effects: toEffects(calls),
    ...(constraints && { constraints }),
    examples,
  })
}

const ranks: { readonly [risk in Risk]: number } = { read_only: 0, safe_write: 1, dangerous: 2 }

const fieldKinds = ['reads', 'writes', 'fetches', 'runs', 'sends'] as const

/** Effects name properties of the input. A property of the workflow has the effects of the properties that it is passed to. */
function toEffects(calls: readonly (Called & { readonly contract: Contract | undefined })[]): Effects {
  const fields: { [kind in (typeof fieldKinds)[number]]?: string[] } = {}
  const receivers = new Set<string>()
  const returned = new Set<DataKind>()
  for (const { input, contract } of calls) {
    if (!contract) continue
    const { effects } = contract
    for (const kind of toReturnedKinds(effects)) returned.add(kind)
    for (const receiver of effects.sendsTo ?? []) receivers.add(receiver)
    for (const kind of fieldKinds) {
      const names = (effects[kind] ?? []).flatMap((field) => findInputNames(input[field] ?? null))
      if (names.length > 0) fields[kind] = [...new Set([...(fields[kind] ?? []), ...names])]
    }
  }
  return {
    ...fields,
    ...(receivers.size > 0 && { sendsTo: [...receivers] }),
    ...(returned.size > 0 && { returns: [...returned] }),
  }
}

/** The properties of the workflow's input that a value is made of. */
function findInputNames(value: JsonValue): string[] {
  if (Array.isArray(value)) return value.flatMap(findInputNames)
  if (!isObject(value)) return []
  const own = typeof value.$from === 'string' ? /^\/input\/([^/~]+)/.exec(value.$from)?.[1] : undefined
  return [
    ...(own === undefined ? [] : [own]),
    ...Object.values(value).flatMap((part) => findInputNames(part as JsonValue)),
  ]
}
