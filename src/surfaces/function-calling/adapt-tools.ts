import { canonicalJson } from '../../contract/canonical-json.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { toOpenaiTools } from '../../projections/openai.ts'
import { toResultJson } from '../../projections/result-json.ts'
import { answerCalls, type Callable, type HandleOptions, library, requireOpened } from './answer-calls.ts'

/** The part of an open Toolpact that an adapter needs. */
export interface Adaptable extends Callable {
  readonly rules: {
    test(
      tool: string,
      input: unknown,
    ): Promise<{ readonly tool: string; readonly decision?: { readonly action: string } }>
  }
}

/** A schema that accepts any value: the pipeline validates it, and its errors tell the model what to do. */
export interface PassingSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'toolpact'
    validate(value: unknown): { value: unknown }
    readonly jsonSchema: { input(): JsonObject; output(): JsonObject }
  }
}

/** A tool, independent of the SDK. */
export interface AdaptedTool {
  readonly name: string
  readonly description: string
  readonly parameters: JsonObject
  /** The parameters, for SDKs that validate inputs themselves. */
  readonly schema: PassingSchema
  /** Whether the policy asks a person about this call. If so, running it next means that the person approved it. */
  needsApproval(input: unknown, callId: string): Promise<boolean>
  /** Runs the call and returns the text for the model: the result, or an error with a suggestion. Never rejects. */
  run(input: unknown, callId?: string, signal?: AbortSignal): Promise<string>
}

/** Above this, the oldest unanswered question is dropped; its call then ends with `approval_denied`. */
const maxPending = 1000

/**
 * The tools for an SDK that runs them itself. `via` names the SDK in the ledger. If the program passes an approver, it is
 * asked instead of the SDK.
 */
export async function adaptTools(
  toolpact: Adaptable,
  { via, ...options }: HandleOptions & { readonly via: string },
): Promise<AdaptedTool[]> {
  requireOpened(toolpact, 'The adapter')
  const { caller = library, approver } = options
  /** Calls that the SDK must ask about, with their input. */
  const pending = new Map<string, string>()
  const { result: tools } = await toOpenaiTools(await toolpact.catalog.all(caller))
  return tools.map(({ function: { name, description, parameters } }) => ({
    name,
    description,
    parameters,
    schema: toPassing(parameters),
    async needsApproval(input, callId) {
      if (approver || !(await asks(name, input))) return false
      pending.set(callId, toKey(name, input))
      if (pending.size > maxPending) pending.delete(pending.keys().next().value!)
      return true
    },
    async run(input, callId = '', signal = options.signal) {
      const isApproved = pending.get(callId) === toKey(name, input)
      pending.delete(callId)
      const [result] = await answerCalls(toolpact, [{ name, arguments: input }], {
        ...options,
        ...(signal && { signal }),
        ...(isApproved && { approver: async () => ({ answer: 'yes' as const, by: 'program', via }) }),
      })
      return JSON.stringify(toResultJson(result!))
    },
  }))

  async function asks(name: string, input: unknown): Promise<boolean> {
    const found = await toolpact.catalog.find(name, caller)
    if (found.kind !== 'found') return false
    const { decision } = await toolpact.rules.test(found.id, parse(input))
    return decision?.action === 'ask'
  }
}

function toPassing(parameters: JsonObject): PassingSchema {
  const copy = () => structuredClone(parameters)
  const jsonSchema = { input: copy, output: copy }
  return { '~standard': { version: 1, vendor: 'toolpact', validate: (value) => ({ value }), jsonSchema } }
}

/** An approval is for one tool and one input. */
function toKey(name: string, input: unknown): string {
  return canonicalJson([name, parse(input)])
}

/** Some SDKs pass the JSON text as the model wrote it. */
function parse(input: unknown): JsonValue {
  if (typeof input !== 'string') return JSON.parse(JSON.stringify(input ?? {}))
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}
