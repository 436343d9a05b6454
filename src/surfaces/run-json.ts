import type { JsonObject, JsonValue } from '../contract/json.ts'
import { toErrorJson } from '../projections/result-json.ts'
import type { Run, RunDetails, RunStep } from '../workflow/run/workflow-runs.ts'

/** A run of a workflow as REST and the command print it. */
export function toRunJson({ id, workflow, contractDigest, caller, state, createdAt, updatedAt, progress }: Run) {
  return {
    run_id: id,
    workflow,
    contract_digest: contractDigest,
    caller,
    state,
    created_at: toIso(createdAt),
    updated_at: toIso(updatedAt),
    progress: { ...progress },
  } satisfies JsonObject
}

/** The same with its steps, what it waits for, and what it returned. */
export function toRunDetailsJson(run: RunDetails) {
  const { input, waitsFor, steps, output, error } = run
  return {
    ...toRunJson(run),
    input,
    waits_for: waitsFor.map(({ step, questionId, until }) => ({
      step,
      ...(questionId !== undefined && { approval_id: questionId }),
      ...(until !== undefined && { until: toIso(until) }),
    })),
    steps: steps.map(toStepJson),
    ...(output !== undefined && { output }),
    ...(error !== undefined && { error: toErrorJson(error) }),
  } satisfies JsonObject
}

function toStepJson({ key, tool, state, items, ...step }: RunStep): JsonObject {
  const { startedAt, endedAt, callId, questionId, wakesAt, output, error, known } = step
  const parts: { [name: string]: JsonValue | undefined } = {
    tool,
    started_at: toIso(startedAt),
    ended_at: toIso(endedAt),
    call_id: callId,
    approval_id: questionId,
    wakes_at: toIso(wakesAt),
    output,
    error: error && toErrorJson(error),
    known: known && { ...known, ...(known.outcome && { outcome: { ...known.outcome } }) },
    items: items?.map(toStepJson),
  }
  const given = Object.entries(parts).filter((part): part is [string, JsonValue] => part[1] !== undefined)
  return { step: key, state, ...Object.fromEntries(given) }
}

function toIso(time: number): string
function toIso(time: number | undefined): string | undefined
function toIso(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString()
}
