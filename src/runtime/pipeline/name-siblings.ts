import { renameTools } from '../../contract/rename-tools.ts'
import type { Catalog, CatalogEntry } from './catalog.ts'

/** How a caller named the tool that it called. */
interface CalledTool {
  readonly entry: CatalogEntry<never>
  readonly calledAs: string
}

/**
 * Names other tools of the toolset as the caller knows them: a contract writes `list_dir`, and a client that called
 * `workspace_read_file` reads `workspace_list_dir`. Only for text of a contract: nothing that a call brought is rewritten.
 */
export function nameSiblings(
  text: string,
  { entry, calledAs }: CalledTool,
  { findSibling }: Pick<Catalog<never>, 'findSibling'>,
): string {
  const form = findForm(entry, calledAs)
  return form ? renameTools(text, (bareName) => findSibling(entry.toolset, bareName)?.[form]) : text
}

/** A caller that uses bare names reads the text as it is. */
function findForm(entry: CatalogEntry<never>, calledAs: string): 'id' | 'name' | 'functionName' | undefined {
  if (calledAs === entry.id) return 'id'
  if (calledAs === entry.functionName) return 'functionName'
  return calledAs === entry.tool.contract.name ? undefined : 'name'
}
