import { digest } from '../contract/digest.ts'
import type { JsonObject, JsonValue } from '../contract/json.ts'
import type { LedgerRecord, StepRecord } from '../runtime/storage/storage.ts'
import type { Said } from './ask/plan.ts'
import type { Planner, Protocol } from './ask/planner.ts'

/** What is needed to replay the plan of a run. */
export interface RecordedRun {
  readonly question: string
  /** The tools that the model was offered. */
  readonly tools: readonly string[]
  readonly digest: string
  /** Repeats the recorded answer. */
  readonly planner: Planner
}

/** Reads a run from its records, or explains why it cannot be replayed. */
export function readRun(records: readonly LedgerRecord[]): RecordedRun | { readonly fault: string } {
  const steps = records.filter((record): record is StepRecord => record.kind === 'step')
  const details = (stage: StepRecord['stage']) => steps.find((step) => step.stage === stage)?.details
  const { question } = details('gate') ?? {}
  if (steps.length === 0 || steps[0]!.tool !== 'agent.ask' || typeof question !== 'string')
    return { fault: 'It is not a run of toolpact ask.' }
  const catalogue = details('catalogue')
  const plan = details('plan')
  if (!catalogue || !plan) return { fault: 'The run ended before the model answered: there is no plan.' }
  const said = (plan.plan ?? plan.said) as JsonObject
  if (digest(said) !== plan.digest)
    return { fault: 'The plan was too long to be stored, or contained a secret that the ledger does not store.' }
  return {
    question,
    tools: (catalogue.tools ?? []) as string[],
    digest: String(catalogue.digest),
    planner: {
      about: { model: `${catalogue.model} (recorded)`, protocol: catalogue.protocol as Protocol },
      plan: async () => toSaid(said, plan.plan !== undefined),
    },
  }
}

function toSaid(said: JsonObject, wasRead: boolean): Said {
  if (wasRead) return { plan: said }
  if ('plan' in said) return { plan: said.plan as JsonValue }
  const calls = (said.toolCalls ?? []) as { name: string; arguments: string }[]
  return { text: String(said.text), toolCalls: calls.map((call, index) => ({ id: `${index}`, ...call })) }
}
