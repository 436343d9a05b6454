import { toPipelineError } from '../../contract/error-codes.ts'
import type { ErrorData } from '../../contract/tool-error.ts'
import type { Found } from './catalog.ts'

/** Why a name does not resolve to a callable tool; the same text on every surface. */
export function toResolveError(name: string, found: Exclude<Found<never>, { readonly kind: 'found' }>): ErrorData {
  switch (found.kind) {
    case 'unknown': {
      const suggestion = found.nearest && `Did you mean ${found.nearest}?`
      return toPipelineError('tool_not_found', `There is no tool '${name}'.`, { suggestion })
    }
    case 'ambiguous': {
      const suggestion = `Use one of ${found.choices.join(', ')}.`
      return toPipelineError('tool_ambiguous', `Several tools match the name '${name}'.`, { suggestion })
    }
    case 'withheld':
      return toPipelineError('tool_withheld', `'${name}' is withheld: ${found.reasons.join('; ')}.`)
    case 'unavailable': {
      const { toolset, fault, advice: suggestion } = found
      const error = toPipelineError('toolset_unavailable', `The tools of '${toolset}' are not available. ${fault}`, { ...(suggestion !== undefined && { suggestion }) }) // biome-ignore format: one line
      return suggestion === undefined ? error : { ...error, fixable: false }
    }
  }
}
