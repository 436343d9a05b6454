import type { Contract } from '../../contract/contract.ts'
import { digest } from '../../contract/digest.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { showValue } from '../../contract/text/show-value.ts'
import type { Preview } from '../../contract/tool.ts'
import { isCall, type Workflow } from '../document/workflow.ts'
import type { PlannedStep } from '../run/workflow-runs.ts'
import { planWorkflow } from './plan-workflow.ts'

interface PreviewOptions {
  readonly id: string
  readonly contract: Contract
  readonly contractOf: (tool: string) => Contract | undefined
}

/** The steps of a workflow for the person who is asked about it, and a digest that changes with any of them. */
export async function previewWorkflow(
  workflow: Workflow,
  input: JsonObject,
  options: PreviewOptions,
): Promise<Preview> {
  const { id, contract, contractOf } = options
  const { steps } = await planWorkflow(workflow, input, {
    ...{ id, contract },
    findContract: async (tool) => contractOf(tool),
    // What the policy decides about a step depends on the caller, and does not change what it is.
    foresee: async () => ({
      decision: { action: 'allow', rule: '', reason: '' },
      foreseen: { places: [], changes: [] },
    }),
  })
  const isPlan = workflow.approval === 'plan'
  const bound = { steps, document: workflow.steps as unknown as JsonValue }
  return { steps: { lines: steps.map((step) => toLine(step, workflow, isPlan)), digest: digest(bound as unknown as JsonObject) } } // biome-ignore format: one line
}

function toLine(step: PlannedStep, { steps }: Workflow, isPlan: boolean): string {
  const { id, tool, risk, runs, items, isInputKnown, input, contractDigest } = step
  const found = steps.find((one) => one.id === id)
  if (tool === undefined) return `${id}: waits ${found && !isCall(found) ? toWait(found.wait) : ''}`.trim()
  if (runs === 'skipped') return `${id}: ${tool}, skipped`
  const condition = id.endsWith('/undo') ? ', if the step before fails' : runs === 'unknown' ? ', if its condition holds' : '' // biome-ignore format: one line
  const times = items === undefined ? (found && isCall(found) && found.forEach ? `, up to ${found.forEach.max} times` : '') : `, ${items} times` // biome-ignore format: one line
  const asks =
    isPlan && (!isInputKnown || id.endsWith('/undo')) ? ' (asks on its own, since this is not known yet)' : ''
  return `${id}: ${tool} (${risk}, contract ${contractDigest?.slice(0, 19)})${condition}${times}: ${showValue(input, 2_000)}${asks}`
}

function toWait(wait: { readonly forMs: number } | { readonly until: JsonValue }): string {
  return 'forMs' in wait ? `${wait.forMs} ms` : `until ${showValue(wait.until, 200)}`
}
