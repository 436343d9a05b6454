import type { Contract } from '../../contract/contract.ts'
import { toPipelineError } from '../../contract/error-codes.ts'
import type { ErrorData, Problem } from '../../contract/tool-error.ts'

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
