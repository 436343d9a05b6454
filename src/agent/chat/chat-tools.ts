import type { ModelTool } from '../../capabilities/model.ts'
import type { JsonObject } from '../../contract/json.ts'
import { isOpaque } from '../../contract/opaque-output.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import { nearest } from '../../contract/text/nearest.ts'
import { shorten } from '../../contract/text/shorten.ts'
import type { Caller } from '../../contract/tool.ts'
import { toOpenaiTools } from '../../projections/openai.ts'
import type { AgentHost, AgentTool } from '../agent-host.ts'
import { nameForModel } from '../name-for-model.ts'
import { narrowCatalogue } from '../narrow-catalogue.ts'

/** The tools of a model, under the names it is given. */
export interface ChatTools {
  readonly tools: readonly ModelTool[]
  /** Full ids. */
  readonly ids: readonly string[]
  /** Whether the tool with this id declares no output schema. */
  isOpaque(id: string): boolean
  /** What a call of the model means, or why it is invalid. Nothing is repaired. */
  read(name: string, text: string): ReadCall
}

type ReadCall =
  | { readonly ok: true; readonly tool: string; readonly input: JsonObject }
  | { readonly ok: false; readonly tool?: string; readonly error: CallFault }

export interface CallFault {
  readonly code: 'tool_not_found' | 'invalid_input'
  readonly message: string
  readonly suggestion: string
}

/** Endpoints accept at most 128; small models fail long before. */
const maxTools = 64

export async function toChatTools(
  entries: readonly AgentTool[],
  question: string,
  { catalog, caller }: { readonly catalog: AgentHost['catalog']; readonly caller: Caller },
): Promise<ChatTools> {
  const named = await nameForModel(narrowCatalogue(entries, question, maxTools), catalog, { caller })
  const { result: tools } = await toOpenaiTools(
    named.map(({ entry, functionName }) => ({ ...entry, name: entry.id, functionName })),
  )
  const names = tools.map((tool) => tool.function.name)
  const offered = named.filter(({ functionName }) => names.includes(functionName))
  // A resumed session may have used listed names, which always mean the same tool.
  const idOf = new Map(
    offered.flatMap(({ entry, functionName }) => [entry.functionName, functionName].map((name) => [name, entry.id])),
  )
  return {
    tools,
    ids: offered.map(({ entry }) => entry.id),
    isOpaque: (id) => offered.some(({ entry }) => entry.id === id && isOpaque(entry.tool.contract)),
    read(name, text) {
      const tool = idOf.get(name)
      if (tool === undefined) return { ok: false, error: toUnknown(name, names) }
      // The contract limits the size of an input.
      const parsed = parseJson(text, { maxBytes: 16_777_216, maxDepth: 64 })
      if (!parsed.ok) return { ok: false, tool, error: toNoInput(`The arguments are not JSON. ${parsed.message}`) }
      const { value } = parsed
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        return { ok: false, tool, error: toNoInput('The arguments are no JSON object.') }
      return { ok: true, tool, input: value }
    },
  }
}

function toUnknown(name: string, offered: readonly string[]): CallFault {
  const close = nearest(name, offered)
  return {
    code: 'tool_not_found',
    message: `There is no function ${JSON.stringify(shorten(name, 80))}.`,
    suggestion: close === undefined ? 'Call only functions that you were given.' : `Did you mean ${close}?`,
  }
}

function toNoInput(message: string): CallFault {
  return { code: 'invalid_input', message, suggestion: 'Send one JSON object that fits the parameters.' }
}
