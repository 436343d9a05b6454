import { defineTool } from '../../contract/define-tool.ts'
import type { JsonSchema } from '../../contract/json.ts'
import { opaqueOutput } from '../../contract/opaque-output.ts'

export const searchTools = 'search_tools'
export const callReadTool = 'call_read_tool'
export const callTool = 'call_tool'

const input: JsonSchema = {
  type: 'object',
  properties: {
    tool: { type: 'string', description: `Name of the tool, as ${searchTools} returns it` },
    arguments: {
      type: 'object',
      description: 'Input of the tool, as its input schema says',
      additionalProperties: true,
    },
  },
  required: ['tool'],
  additionalProperties: false,
}

const neverRuns = () => {
  throw new Error('A call of this tool is a call of the tool that it names.')
}

/** `effects` makes them open-world tools, so their annotations are never weaker than those of the named tool. */
const shared = { input, output: opaqueOutput, effects: { fetches: ['tool'] } }

/**
 * Listed but never run: the surface calls the named tool instead. Clients allow tools by their annotations, so there is one
 * for tools that only read and one for all tools.
 */
export const metaTools = [
  defineTool(
    {
      name: callReadTool,
      description: `Runs a tool that only reads (risk read_only) and that ${searchTools} has found. Use it if the tool is not in your list of tools.`,
      risk: 'read_only',
      ...shared,
    },
    neverRuns,
  ),
  defineTool(
    {
      name: callTool,
      description: `Runs any tool that ${searchTools} has found. A person may be asked before it runs. Use it if the tool is not in your list of tools; for tools that only read use ${callReadTool}.`,
      risk: 'dangerous',
      ...shared,
    },
    neverRuns,
  ),
].map((tool) => {
  const { name } = tool.contract
  return { id: `catalogue.${name}`, name, functionName: name, toolset: 'catalogue', toolsetDescription: '', tool }
})

/** Reserved names in search mode. A tool with such a name can be called by its id. */
export function isMetaTool(name: string): boolean {
  return name === searchTools || name === callReadTool || name === callTool
}
