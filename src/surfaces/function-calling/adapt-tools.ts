import { canonicalJson } from '../../contract/canonical-json.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { toOpenaiTools } from '../../projections/openai.ts'
import { toResultJson } from '../../projections/result-json.ts'
import { answerCalls, type Callable, type HandleOptions, library, requireOpened } from './answer-calls.ts'

/** What an adapter needs of an opened Toolpact. */
export interface Adaptable extends Callable {
  readonly rules: {
    test(
      tool: string,
      input: unknown,
    ): Promise<{ readonly tool: string; readonly decision?: { readonly action: string } }>
  }
}

/** A schema that lets any value through: the pipeline checks it, and its errors tell the model what to do. */
export interface PassingSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'toolpact'
    validate(value: unknown): { value: unknown }
    readonly jsonSchema: { input(): JsonObject; output(): JsonObject }
  }
}

/** A tool as the adapters for other SDKs offer it. */
export interface AdaptedTool {
  readonly name: string
  readonly description: string
  readonly parameters: JsonObject
  /** The parameters, for SDKs that would refuse an input on their own, with an error of their own. */
  readonly schema: PassingSchema
  /** Would the policy ask a person about this call? If so, running it next means that the person said yes. */
  needsApproval(input: unknown, callId: string): Promise<boolean>
  /** Runs the call and gives the text for the model: the result, or an error with what to do. Never rejects. */
  run(input: unknown, callId?: string, signal?: AbortSignal): Promise<string>
}

/** Questions that nobody answered are forgotten, the oldest first; the call then ends with `approval_denied`. */
const maxPending = 1000

/**
 * The tools of a Toolpact for an SDK that runs them itself. `via` names the SDK in the ledger. Where the program gives an
 * approver, that one is asked and the SDK is not.
 */
export async function adaptTools(
  toolpact: Adaptable,
  { via, ...options }: HandleOptions & { readonly via: string },
): Promise<AdaptedTool[]> {
  requireOpened(toolpact, 'The adapter')
  const { caller = library, approver } = options
  /** Calls for which the SDK was told to ask, with the input that it asks about. */
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

/** A yes is for one tool and one input. */
function toKey(name: string, input: unknown): string {
  return canonicalJson([name, parse(input)])
}

/** Some SDKs hand over the JSON text that the model wrote. */
function parse(input: unknown): JsonValue {
  if (typeof input !== 'string') return JSON.parse(JSON.stringify(input ?? {}))
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}
