import { toShownPath } from '../../contract/text/shown-path.ts'
import { ToolError } from '../../contract/tool-error.ts'

export type SearchErrorCode = 'invalid_glob' | 'invalid_regex'

export function toInvalidGlob(pattern: string, reason: string): ToolError<SearchErrorCode> {
  return new ToolError('invalid_glob', `Invalid glob pattern '${toShownPath(pattern)}'`, {
    suggestion: `Correct the pattern: ${reason}. It knows *, **, ?, [a-z] and {one,other}.`,
  })
}

export function toInvalidRegex(reason: string): ToolError<SearchErrorCode> {
  return new ToolError('invalid_regex', `Invalid regex pattern: ${toShownPath(reason)}`, {
    suggestion: 'Correct the pattern, or search for plain text. Look-around and back-references are not supported.',
  })
}
