import { toSafeName } from '../contract/listed-names.ts'
import type { Caller } from '../contract/tool.ts'
import type { AgentHost, AgentTool } from './agent-host.ts'

/** Model providers accept more, but listed names are not longer either. */
const nameForm = /^[A-Za-z_][A-Za-z0-9_-]{0,44}$/

export interface NamedTool<Tool> {
  readonly entry: Tool
  /** The name for the model: `create_file`, or the listed name (`workspace_create_file`) if that is not unique. */
  readonly functionName: string
}

/**
 * Gives tools their bare names if the catalog resolves them to the same tool. A call by that name then means this tool,
 * whatever else is served.
 */
export function nameForModel<Tool extends Pick<AgentTool, 'id' | 'functionName' | 'tool'>>(
  entries: readonly Tool[],
  catalog: Pick<AgentHost['catalog'], 'find'>,
  { caller, reserved = [] }: { readonly caller?: Caller; readonly reserved?: readonly string[] } = {},
): Promise<NamedTool<Tool>[]> {
  return Promise.all(
    entries.map(async (entry) => {
      const bare = toSafeName(entry.tool.contract.name)
      if (!nameForm.test(bare) || reserved.includes(bare)) return { entry, functionName: entry.functionName }
      const found = await catalog.find(bare, caller)
      return { entry, functionName: found.kind === 'found' && found.id === entry.id ? bare : entry.functionName }
    }),
  )
}
