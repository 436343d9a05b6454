import type { Example, Limits, Risk } from '../../contract/contract.ts'
import type { JsonObject, JsonSchema, JsonValue } from '../../contract/json.ts'

/** A workflow with its defaults set. `readWorkflow` makes one from a document. */
export interface Workflow {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly version: string
  readonly risk: Risk
  readonly input: JsonSchema
  readonly output: JsonSchema
  readonly steps: readonly Step[]
  /** What the run returns: an object, in which expressions are evaluated after the last step. */
  readonly result: JsonObject
  /** How many independent steps may run at once. 1: in the order of the document. */
  readonly parallel: number
  /** `steps`: each step asks by its own policy. `plan`: one question in advance covers all steps. */
  readonly approval: 'steps' | 'plan'
  readonly limits: Limits
  readonly constraints?: readonly string[]
  readonly examples: readonly Example[]
}

export type Step = CallStep | WaitStep

interface AnyStep {
  readonly id: string
  /** The step is skipped if this is false. Evaluated once, before `forEach`. */
  readonly when?: JsonValue
  /** Steps that must have ended before this one, besides those that its expressions refer to. */
  readonly after: readonly string[]
}

/** Calls a tool, or once per item of a list. */
export interface CallStep extends AnyStep {
  /** The full id of the tool: `workspace.read_file`. */
  readonly tool: string
  /** The digest of the contract that the workflow was written for. */
  readonly contract?: string
  readonly input: JsonObject
  readonly forEach?: ForEach
  readonly onError: 'stop' | 'continue' | Compensation
  readonly timeoutMs?: number
  /** A person is asked for every call, even if the policy allows it. */
  readonly approval?: 'ask'
}

/** The output of the step is the list of outputs, in the order of the items. */
interface ForEach {
  readonly in: JsonValue
  readonly max: number
  readonly parallel: number
}

/** Called if the step fails. Its input may refer to the error: `/steps/ID/error`. */
export interface Compensation {
  readonly tool: string
  readonly contract?: string
  readonly input: JsonObject
  readonly then: 'stop' | 'continue'
}

/** Waits for a time span, or until a point in time. */
export interface WaitStep extends AnyStep {
  readonly wait: { readonly forMs: number } | { readonly until: JsonValue }
}

export function isCall(step: Step): step is CallStep {
  return 'tool' in step
}
