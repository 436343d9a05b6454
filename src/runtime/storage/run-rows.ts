import type { StepState, StoredStep } from './runs.ts'

/** A step as SQL engines store it. */
export interface StepRow {
  readonly key: string
  readonly state: StepState
  readonly startedAt: number
  readonly endedAt: number | null
  readonly callId: string | null
  readonly questionId: string | null
  readonly wakesAt: number | null
  readonly value: string | null
}

export function toStep({ key, state, startedAt, endedAt, callId, questionId, wakesAt, value }: StepRow): StoredStep {
  return {
    ...{ key, state, startedAt },
    ...(endedAt !== null && { endedAt }),
    ...(callId !== null && { callId }),
    ...(questionId !== null && { questionId }),
    ...(wakesAt !== null && { wakesAt }),
    ...(value !== null && { value: JSON.parse(value) }),
  }
}

/** In the order of the columns, after the run. */
export function fromStep({ key, state, startedAt, ...step }: StoredStep) {
  const { endedAt = null, callId = null, questionId = null, wakesAt = null, value } = step
  const text = value === undefined ? null : JSON.stringify(value)
  return [key, state, startedAt, endedAt, callId, questionId, wakesAt, text] as const
}
