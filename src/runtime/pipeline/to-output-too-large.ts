import type { Contract } from '../../contract/contract.ts'
import { toPipelineError } from '../../contract/error-codes.ts'
import type { ErrorData } from '../../contract/tool-error.ts'
import type { Trace } from './trace.ts'

/** An output over a limit: which limit, how to ask for less, and which setting raises it. */
export function toOutputTooLarge(
  { calledAs, toolId }: Pick<Trace, 'calledAs' | 'toolId'>,
  { limits: { outputBytes }, input }: Pick<Contract, 'limits' | 'input'>,
  limit: 'too_large' | { readonly maxDepth: number },
): ErrorData {
  const narrowing = Object.keys(input.properties ?? {}).filter((name) => narrows.test(name))
  const less =
    narrowing.length > 0 ? `Ask for less, with ${narrowing.slice(0, 3).join(', ')}.` : 'Ask for less at once.'
  if (limit !== 'too_large') {
    const message = `The output of '${calledAs}' is nested more than ${limit.maxDepth} levels deep, which no setting raises.`
    return toPipelineError('output_too_large', message, { suggestion: less })
  }
  const setting = JSON.stringify({ limits: { [toolId]: { outputBytes: outputBytes * 2 } } })
  const message = `The output of '${calledAs}' has more than ${outputBytes} bytes, its limit (outputBytes).`
  return toPipelineError('output_too_large', message, {
    suggestion: `${less} To raise the limit, the operator sets ${setting} in toolpact.json.`,
  })
}

/** Names of parameters by which tools are commonly asked for less. */
const narrows =
  /^(?:limit|max[_-]?\w{0,20}|page|page[_-]?(?:size|token)|per[_-]?page|count|top|top[_-]?k|first|last|head|tail|offset|cursor|start[_-]?\w{0,12}|end[_-]?\w{0,12}|range|fields|depth|filter)$/i
