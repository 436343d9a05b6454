import { type Contract, defaultLimits } from '../../contract/contract.ts'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { promptPrefix, toCompleteName } from '../../contract/offer.ts'
import { completionInput, completionOutput, toCompletionOutput } from '../../contract/offer-outputs.ts'
import type { Tool } from '../../contract/tool.ts'
import { upstreamErrors } from '../admission/upstream-errors.ts'
import type { UpstreamCallOptions } from '../connect/client.ts'
import { fromServedUri } from './served-uri.ts'

/** Sends `completion/complete` to the server. Rejects with an `UpstreamFailure`. */
export type SendCompletion = (base: Tool, params: JsonObject, options: UpstreamCallOptions) => Promise<JsonValue>

interface CompleterOptions {
  readonly server: string
  /** The name that the server uses for the prompt. */
  readonly ownName: string
  readonly send: SendCompletion
}

/** People wait for completions, so they end soon. */
const timeoutMs = 10_000

/** The call that completes arguments of a prompt, or variables of a template, of a server. Failures complete nothing. */
export function toCompleter(base: Tool, { server, ownName, send }: CompleterOptions) {
  const { name, effects } = base.contract
  const contract: Contract = Object.freeze({
    name: toCompleteName(name),
    title: 'Complete',
    description: `Completes arguments of ${name} while a person types.`,
    version: '1.0.0',
    status: 'active',
    risk: 'read_only',
    approval: 'never',
    input: completionInput,
    output: completionOutput,
    errors: upstreamErrors,
    limits: { ...defaultLimits, timeoutMs },
    effects,
    examples: [],
  })
  const completer: Tool = {
    contract,
    offer: { kind: 'helper' },
    async run({ ref, argument, value, context }, { signal, caller, trace }) {
      const params: JsonObject = {
        ref: toRef(ownName, fromServedUri(server, String(ref)) ?? String(ref)),
        argument: { name: argument!, value: value! },
        ...(isObject(context) && Object.keys(context).length > 0 && { context: { arguments: context } }),
      }
      const result = await send(base, params, { signal, caller, trace }).catch(() => undefined)
      const { completion } = isObject(result) ? result : {}
      const { values, total, hasMore } = isObject(completion) ? completion : {}
      return toCompletionOutput(Array.isArray(values) ? values : [], {
        ...(Number.isSafeInteger(total) && { total: total as number }),
        ...(typeof hasMore === 'boolean' && { hasMore }),
      })
    },
  }
  return Object.freeze(completer)
}

function toRef(name: string, ref: string): JsonObject {
  if (name.startsWith(promptPrefix)) return { type: 'ref/prompt', name: name.slice(promptPrefix.length) }
  return { type: 'ref/resource', uri: ref }
}
