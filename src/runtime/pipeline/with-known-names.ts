import type { ErrorData } from '../../contract/tool-error.ts'
import type { Catalog } from './catalog.ts'
import { nameSiblings } from './name-siblings.ts'
import type { Trace } from './trace.ts'

/**
 * An error that names other tools as the caller knows them. Only fixed text is rewritten, that of the contract and
 * `advice`: other text of a tool may quote what the caller sent.
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
