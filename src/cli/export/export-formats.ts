import type { Toolpact } from '../../app/app.ts'
import type { Format } from '../../app/config/config-schema.ts'
import type { JsonValue } from '../../contract/json.ts'
import { readVersion } from '../../contract/package-version.ts'
import type { Toolset } from '../../contract/tool.ts'
import type { Projection, Withheld } from '../../projections/projection.ts'
import type { Options } from '../options/command.ts'

export type Entries = Awaited<ReturnType<Toolpact['catalog']['all']>>
type ToProjection = (entries: Entries, options: Options) => Promise<Projection<unknown>>

/** Default address of `toolpact serve`, because a document in a file has no server of origin. */
const serverUrl = 'http://127.0.0.1:7420'

/** The projection of each format. */
export const formats: { readonly [format in Format]: ToProjection } = {
  async mcp(entries) {
    const { toMcpTool } = await import('../../projections/mcp.ts')
    return projectValid(entries, (valid) => ({
      tools: valid.map(({ name, tool }) => toMcpTool(name, tool.contract)),
    }))
  },
  async openapi(entries) {
    const { toRestDocument } = await import('../../surfaces/rest/rest-document.ts')
    return projectValid(entries, (valid) => toRestDocument(valid, { version: readVersion(), serverUrl }))
  },
  async openai(entries, { strict = false }) {
    return (await import('../../projections/openai.ts')).toOpenaiTools(entries, { strict })
  },
  async anthropic(entries) {
    return (await import('../../projections/anthropic.ts')).toAnthropicTools(entries)
  },
  async gemini(entries) {
    return (await import('../../projections/gemini.ts')).toGeminiTools(entries)
  },
  async markdown(entries) {
    const { toToolsMarkdown } = await import('../../authoring/markdown/tools-markdown.ts')
    return whole(toToolsMarkdown(toToolsets(entries)))
  },
  async types(entries) {
    return (await import('../../projections/types.ts')).toTypes(toProgramNames(entries))
  },
  async validators(entries) {
    return (await import('../../projections/types.ts')).toValidators(toProgramNames(entries))
  },
  async contracts(entries) {
    return whole((await import('../../projections/contracts.ts')).toContractSet(entries))
  },
  async errors(entries) {
    const { toErrorsMarkdown } = await import('../../authoring/markdown/errors-markdown.ts')
    const { pipelineErrors } = await import('../../contract/error-codes.ts')
    const { httpErrors } = await import('../../surfaces/http/http-errors.ts')
    return whole(toErrorsMarkdown({ pipeline: pipelineErrors, http: httpErrors }, toToolsets(entries)))
  },
  async 'contract-schema'() {
    return whole((await import('../../contract/contract-schema.ts')).contractSchema)
  },
  async 'workflow-schema'() {
    return whole((await import('../../workflow/document/workflow-schema.ts')).workflowSchema)
  },
  async 'config-schema'() {
    return whole((await import('../../app/config/config-schema.ts')).configSchema)
  },
}

/** Tools are keyed by id, or by bare name if there is only one toolset. */
function toProgramNames(entries: Entries) {
  const isAlone = new Set(entries.map(({ toolset }) => toolset)).size === 1
  return entries.map(({ id, tool }) => ({ name: isAlone ? tool.contract.name : id, tool }))
}

/** The content of an exported file. */
export function toFileText(result: unknown): string {
  return typeof result === 'string' ? result : `${JSON.stringify(result, null, 2)}\n`
}

/** The toolsets that the tools belong to. */
export function toToolsets(entries: Entries): Toolset<never>[] {
  return [...Map.groupBy(entries, ({ toolset }) => toolset)].map(([name, group]) => ({
    name,
    description: group[0]!.toolsetDescription,
    tools: group.map(({ tool }) => tool),
  }))
}

function whole<Result>(result: Result): Projection<Result> {
  return { result, losses: [], withheld: [] }
}

/** For formats that accept any schema: skips tools that cannot be called and withholds those with invalid schemas. */
async function projectValid(entries: Entries, project: (valid: Entries) => JsonValue): Promise<Projection<JsonValue>> {
  const { findFault } = await import('../../projections/projection.ts')
  const callable = entries.filter(({ tool }) => tool.contract.status !== 'planned')
  const withheld: Withheld[] = []
  for (const { name, tool } of callable) {
    const reason = (await findFault(tool.contract, 'input')) ?? (await findFault(tool.contract, 'output'))
    if (reason !== undefined) withheld.push({ tool: name, reason })
  }
  const isValid = ({ name }: Entries[number]) => !withheld.some(({ tool }) => tool === name)
  return { result: project(callable.filter(isValid)), losses: [], withheld }
}
