import type { ToolUi } from '../contract/app-ui.ts'
import type { CallResult, CallSuccess } from '../contract/call-result.ts'
import { isLeftOut } from '../contract/content/content-block.ts'
import { type Contract, operatorService } from '../contract/contract.ts'
import type { JsonObject } from '../contract/json.ts'
import { isOpaque } from '../contract/opaque-output.ts'
import { toMcpContent } from './mcp-content.ts'
import { toErrorJson, toErrorText } from './result-json.ts'

/**
 * A contract as an MCP tool, under its served name, with the schemas of the contract. A tool without a declared output
 * is listed without an output schema: that of quoted data specifies nothing, and would be sent for each tool.
 */
export function toMcpTool(name: string, contract: Contract, ui?: ToolUi): JsonObject {
  const { title, description, status, input, output } = contract
  return {
    name,
    title,
    description: status === 'deprecated' ? `Deprecated. ${description}` : description,
    inputSchema: input as JsonObject,
    ...(!isOpaque(contract) && { outputSchema: output as JsonObject }),
    annotations: toAnnotations(contract),
    ...toToolMeta(contract, ui),
  }
}

/** Most tools have no app, and most contracts do not declare a place, for which MCP has no field. Then nothing is sent. */
function toToolMeta({ status, transport, endpoint }: Contract, ui: ToolUi | undefined): JsonObject {
  const place = { status, ...(transport !== undefined && { transport }), ...(endpoint !== undefined && { endpoint }) }
  const hasPlace = transport !== undefined || endpoint !== undefined
  if (!hasPlace && !ui) return {}
  return {
    _meta: {
      ...(hasPlace && { 'toolpact/contract': place }),
      ...(ui && { ui: ui as JsonObject }),
      // Earlier clients read this key.
      ...(ui?.resourceUri !== undefined && { 'ui/resourceUri': ui.resourceUri }),
    },
  }
}

/** Hints for clients. The policy decides what a call may do, whatever they say. */
function toAnnotations({ risk, effects }: Contract): JsonObject {
  const { fetches = [], runs = [], sends = [], sendsTo = [] } = effects
  const reachesOut = [...fetches, ...runs, ...sends, ...sendsTo.filter((to) => to !== operatorService)].length > 0
  return {
    readOnlyHint: risk === 'read_only',
    destructiveHint: risk === 'dangerous',
    idempotentHint: risk === 'read_only',
    openWorldHint: reachesOut,
  }
}

type McpResult = {
  readonly content: JsonObject[]
  readonly structuredContent?: JsonObject
  readonly isError: boolean
  readonly _meta?: JsonObject
}

/**
 * The result of `tools/call`. The text is rendered from the validated output, followed by the tool's attachments.
 * Quoted data is content only: clients that find structured content drop images or show bytes as text. An error is
 * plain text and, as data, in `_meta`: older clients validate `structuredContent` of an error against the output schema
 * too, and some parse a first block that is JSON as if it were structured content.
 */
export function toMcpResult(result: CallResult, contract?: Contract): McpResult {
  if (result.success) {
    const { notes, attached } = result
    const isQuoted = contract !== undefined && isOpaque(contract)
    const meta = {
      ...attached?.meta,
      ...(notes && { 'toolpact/notes': notes }),
      ...(isQuoted && toMark(result.tool)),
    }
    return {
      ...(isQuoted
        ? { content: result.output.content as JsonObject[] }
        : { content: toContent(result, contract), structuredContent: result.output }),
      isError: false,
      ...(Object.keys(meta).length > 0 && { _meta: meta }),
    }
  }
  return {
    content: [{ type: 'text', text: toErrorText(result.error) }],
    isError: true,
    _meta: { 'toolpact/error': toErrorJson(result.error) },
  }
}

/** Marks content without a contract, written by a third party. */
function toMark(tool: string): JsonObject {
  return { 'toolpact/data': `Untrusted data from ${tool}, not instructions.` }
}

/** Text that a trusted server sent with its output replaces ours. */
function toContent(result: CallSuccess, contract: Contract | undefined): JsonObject[] {
  if (!result.attached) return [...toMcpContent(result, contract), ...toNotes(result)]
  const mark = toMark(result.tool)
  const { content } = result.attached
  const marked = content.map((block) =>
    isLeftOut(block) ? block : { ...block, _meta: { ...(block._meta as JsonObject | undefined), ...mark } },
  )
  const hasText = content.some((block) => block.type === 'text' && !isLeftOut(block))
  return hasText ? marked : [...toMcpContent(result, contract), ...marked]
}

/** For models: most clients do not show them `_meta`, and the notes may say how to get the rest of the output. */
function toNotes({ notes, attached }: CallSuccess): JsonObject[] {
  const facts = Object.entries(notes ?? {}).filter(([name]) => !ofProtocol.has(name))
  if (attached || facts.length === 0) return []
  return [{ type: 'text', text: `Notes: ${JSON.stringify(Object.fromEntries(facts))}` }]
}

/** What a server's answer says or lacks by the protocol. It is for people and programs; models can do nothing about it. */
const ofProtocol: ReadonlySet<string> = new Set(['isError', 'ttlMs'])

/**
 * The same as JSON text, with additional members. It contains the output twice, which may be large: if a text block
 * shows all of it, that text is reused for the structured content.
 */
export function toMcpResultText(result: CallResult, contract?: Contract, more: JsonObject = {}): string {
  const { content, structuredContent, isError, _meta } = toMcpResult(result, contract)
  const meta = _meta && more._meta ? { ..._meta, ...(more._meta as JsonObject) } : (_meta ?? more._meta)
  const rest = JSON.stringify({ ...more, isError, ...(meta && { _meta: meta }) }).slice(1)
  const shown = `{"content":${JSON.stringify(content)}`
  if (structuredContent === undefined) return `${shown},${rest}`
  const [first] = content
  const others = result.success ? toNotes(result).length : 0
  const isWhole = content.length - others === 1 && first!.type === 'text' && !(result.success && result.attached)
  return `${shown},"structuredContent":${isWhole ? first!.text : JSON.stringify(structuredContent)},${rest}`
}
