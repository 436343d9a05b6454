import type { JsonObject } from '../../contract/json.ts'
import type { ErrorData } from '../../contract/tool-error.ts'
import type { RunTexts, StoredRun, StoredStep } from '../../runtime/storage/runs.ts'
import { findPredecessors } from '../document/find-predecessors.ts'
import { isCall, type Step } from '../document/workflow.ts'
import { errorOf } from './run-steps.ts'
import type { StoredRequest } from './stored-request.ts'
import type { KnownOfStep, Run, RunDetails, RunStep } from './workflow-runs.ts'

export function toRun(stored: StoredRun): Run {
  const { id, workflow, contractDigest, caller, workspace, state, createdAt, updatedAt, done, total } = stored
  return { id, workflow, contractDigest, caller, workspace, state, createdAt, updatedAt, progress: { done, total } }
}

export interface RunParts {
  readonly request: StoredRequest
  readonly result: RunTexts['result']
  readonly steps: readonly StoredStep[]
}

export function toRunDetails(stored: StoredRun, { request, result, steps }: RunParts): RunDetails {
  const output = result?.output as JsonObject | undefined
  const error = result?.error as unknown as ErrorData | undefined
  return {
    ...toRun(stored),
    input: request.input,
    waitsFor: steps
      .filter(({ state }) => state === 'waiting')
      .map(({ key, questionId, wakesAt }) => ({
        step: key,
        ...(questionId !== undefined && { questionId }),
        ...(wakesAt !== undefined && { until: wakesAt }),
      })),
    steps: toRunSteps(request, steps),
    ...(output && { output }),
    ...(error && { error }),
  }
}

function toRunSteps({ workflow }: StoredRequest, stored: readonly StoredStep[]): RunStep[] {
  const byKey = new Map(stored.map((step) => [step.key, step]))
  const predecessors = findPredecessors(workflow)
  return workflow.steps.flatMap((step) => {
    const { id } = step
    const after = predecessors.get(id)!
    const items = stored.filter(({ key }) => new RegExp(`^${id}/\\d+$`).test(key)).sort(byItem)
    const undone = stored.filter(({ key }) => key.startsWith(`${id}/`) && key.endsWith('/undo'))
    const hasItems = isCall(step) && step.forEach !== undefined && byKey.has(id)
    return [
      {
        ...toRunStep(id, { step, stored: byKey.get(id), after }),
        ...(hasItems && { items: items.map((item) => toRunStep(item.key, { step, stored: item, after: [] })) }),
      },
      ...undone.map((undo) => toRunStep(undo.key, { step, stored: undo, after: [id] })),
    ]
  })
}

interface StepParts {
  readonly step: Step
  readonly stored: StoredStep | undefined
  readonly after: readonly string[]
}

function toRunStep(key: string, { step, stored, after }: StepParts): RunStep {
  const undo = key.endsWith('/undo') && isCall(step) && typeof step.onError === 'object' ? step.onError : undefined
  const tool = isCall(step) ? { tool: undo?.tool ?? step.tool } : {}
  if (!stored) return { key, ...tool, state: 'pending', after }
  const { state, startedAt, endedAt, callId, questionId, wakesAt, value } = stored
  const error = errorOf(stored)
  const known = value?.known as unknown as KnownOfStep | undefined
  return {
    ...{ key, ...tool, state, after, startedAt },
    ...(endedAt !== undefined && { endedAt }),
    ...(callId !== undefined && { callId }),
    ...(questionId !== undefined && { questionId }),
    ...(wakesAt !== undefined && { wakesAt }),
    ...(value?.output !== undefined && { output: value.output }),
    ...(error && { error }),
    ...(known && { known }),
  }
}

function byItem(one: StoredStep, other: StoredStep): number {
  return Number(one.key.split('/')[1]) - Number(other.key.split('/')[1])
}
