import type { EndpointError } from '../../capabilities/model/model-error.ts'
import type { Model } from '../../capabilities/model.ts'
import { ToolError } from '../../contract/tool-error.ts'
import { type Offer, toInstructions } from './offer.ts'
import type { Said } from './plan.ts'

/** Chooses one of the offered tools. Its answer is untrusted. */
export interface Planner {
  /** For the record. */
  readonly about: { readonly model: string; readonly protocol: Protocol }
  plan(question: string, offer: Offer, signal?: AbortSignal): Promise<Said>
}

/** `tools`: function calling. `json`: one JSON object, for models that cannot call functions. */
export type Protocol = 'tools' | 'json'

/** A planner that asks a model. The model gets the question and the tools, nothing else. */
export function createModelPlanner(model: Model, protocol: Protocol = 'tools'): Planner {
  return {
    about: { model: model.name, protocol },
    async plan(question, offer, signal) {
      const messages = [toInstructions(offer, protocol), { role: 'user', content: question } as const]
      const form =
        protocol === 'json'
          ? { json: true }
          : { tools: offer.tools, toolChoice: 'required' as const, parallelToolCalls: false }
      try {
        return await model.complete({ messages, temperature: 0, ...form }, signal && { signal })
      } catch (cause) {
        throw protocol === 'tools' ? explainTools(cause) : cause
      }
    },
  }
}

/**
 * Model servers have no error code for models without function calling, but their messages mention tools or functions.
 */
function explainTools(cause: unknown): unknown {
  if (!(cause instanceof ToolError)) return cause
  const { status = 0, said = '' } = cause as Partial<EndpointError>
  if (status < 400 || status > 499 || !/\b(?:tools?|tool_choice|functions?)\b/i.test(said)) return cause
  return new ToolError(cause.code, cause.message, {
    suggestion: `If the model cannot call functions, set "agent": { "protocol": "json" } in the config, or use --protocol json.`,
    cause,
  })
}
