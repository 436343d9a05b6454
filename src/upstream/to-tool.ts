import type { JsonObject, JsonValue } from '../contract/json.ts'
import { printable } from '../contract/printable.ts'
import type { Tool } from '../contract/tool.ts'
import { ToolError } from '../contract/tool-error.ts'
import { isObject } from '../mcp/message.ts'
import type { UpstreamCode } from './admission/upstream-errors.ts'
import type { Admitted } from './admission/verdict.ts'
import { type UpstreamCallOptions, UpstreamFailure } from './connect/client.ts'
import { toMeaning } from './to-output.ts'

/** Sends a call to the server of a tool. Rejects with an `UpstreamFailure`. */
export type SendCall = (tool: Tool, input: JsonObject, options: UpstreamCallOptions) => Promise<JsonValue>

export interface ToolOptions {
  readonly send: SendCall
  /** Takes what the operator handed to the server out of its words, and what steers a terminal. */
  readonly quote: (text: string) => string
}

/** An ordinary tool from one that was admitted: its run asks the server, and says nothing that the contract does not. */
export function toTool(admitted: Admitted, { send, quote }: ToolOptions): Tool {
  const { contract } = admitted
  const tool: Tool = {
    contract,
    async run(input, { signal, progress }) {
      const onProgress: UpstreamCallOptions['onProgress'] = ({ message, ...numbers }) =>
        progress(message === undefined ? numbers : { ...numbers, message: printable(message.slice(0, mostProgress)) })
      try {
        const result = await send(tool, input, { signal, onProgress })
        if (!isObject(result))
          return fail('upstream_protocol_error', 'The server answered with something that is no result.')
        const found = toMeaning(result, admitted)
        const meaning = found instanceof Promise ? await found : found
        return 'output' in meaning ? meaning.output : fail('upstream_error', toMessage(quote(meaning.failure)))
      } catch (cause) {
        if (cause instanceof UpstreamFailure) return toToolError(cause)
        throw cause
      }
    },
  }
  return Object.freeze(tool)
}

const mostProgress = 200

/** What the tool says is data that somebody else wrote, and stands in quotes. */
function toMessage(words: string): string {
  if (words.trim() === '') return 'The tool reports a failure and says nothing about it.'
  return `The tool reports a failure. It says: "${words.replaceAll('"', '\\"')}"`
}

function toToolError(failure: UpstreamFailure): ToolError {
  const code = failure.kind === 'unavailable' ? 'upstream_unavailable' : 'upstream_protocol_error'
  return fail(code, failure.plain, { cause: failure })
}

function fail(code: UpstreamCode, message: string, options?: ErrorOptions): ToolError {
  return new ToolError(code, message, options)
}
