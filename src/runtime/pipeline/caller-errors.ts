import type { Contract } from '../../contract/contract.ts'
import { toPipelineError } from '../../contract/error-codes.ts'
import { renameTools } from '../../contract/rename-tools.ts'
import type { ErrorData, Problem } from '../../contract/tool-error.ts'
import type { Catalog, CatalogEntry } from './catalog.ts'
import type { Trace } from './trace.ts'

/**
 * Rewrites tool names in an error to the form that the caller uses. Only fixed text is rewritten (of the contract, and
 * `advice`): other text may quote what the caller sent.
 */
export function withKnownNames<Capabilities>(
  catalog: Catalog<Capabilities>,
  { entry, calledAs }: Trace,
  { advice = '', ...error }: ErrorData & { readonly advice?: string | undefined },
): ErrorData {
  const rename = (text: string) => nameSiblings(text, { entry: entry!, calledAs }, catalog)
  const { message, suggestion } = error
  const isOfContract = entry!.tool.contract.errors.some((declared) => declared.suggestion === suggestion)
  return {
    ...error,
    message: message.endsWith(advice) ? message.slice(0, message.length - advice.length) + rename(advice) : message,
    suggestion: isOfContract ? rename(suggestion) : suggestion,
  }
}

/** The called tool, and the name that the caller used. */
interface CalledTool {
  readonly entry: CatalogEntry<never>
  readonly calledAs: string
}

/**
 * Renames other tools of the toolset: a contract writes `list_dir`, and a client that called `workspace_read_file` reads
 * `workspace_list_dir`. Use it for contract text only: input of a call must never be rewritten.
 */
export function nameSiblings(
  text: string,
  { entry, calledAs }: CalledTool,
  { findSibling }: Pick<Catalog<never>, 'findSibling'>,
): string {
  const form = findForm(entry, calledAs)
  return form ? renameTools(text, (bareName) => findSibling(entry.toolset, bareName)?.[form]) : text
}

/** Undefined: the caller uses bare names, so the text stays as it is. */
function findForm(entry: CatalogEntry<never>, calledAs: string): 'id' | 'name' | 'functionName' | undefined {
  if (calledAs === entry.id) return 'id'
  if (calledAs === entry.functionName) return 'functionName'
  return calledAs === entry.tool.contract.name ? undefined : 'name'
}

/** Uses the code that the contract declares for these inputs, if any. A missing property is always `invalid_input`. */
export function toInputError(tool: string, { errors }: Contract, problems: readonly Problem[]): ErrorData {
  const names = problems.map(({ pointer, keyword }) => (keyword === 'required' ? '' : (pointer.split('/')[1] ?? '')))
  const declared = errors.find(({ inputs }) => inputs && names.every((name) => inputs.includes(name)))
  if (!declared) {
    const message = `The input does not match the contract of '${tool}'.`
    return toPipelineError('invalid_input', message, { problems: [...problems] })
  }
  const { code, status, suggestion } = declared
  const message = `The input ${[...new Set(names)].join(', ')} does not match the contract of '${tool}'.`
  return { code, message, suggestion, status, fixable: status < 500, problems: [...problems] }
}
