import { isDeepStrictEqual } from 'node:util'
import type { Contract } from '../../contract/contract.ts'
import { type PipelineCode, pipelineErrors } from '../../contract/error-codes.ts'
import type { Problem } from '../../contract/tool-error.ts'
import type { Observed } from './subject.ts'
import type { Check } from './values/check.ts'

/** Why something is not as the contract says. Complaints of one kind are about the same defect. */
export interface Complaint {
  readonly kind: string
  readonly message: string
}

/** After a valid input: a valid output, or a failure that the contract declares. */
export function judgeRun(contract: Contract, output: Check, observed: Observed): Complaint | undefined {
  const { result } = observed
  if (result.success) {
    const [problem] = output.problemsOf(result.output)
    return (
      problem && { kind: 'invalid_output', message: `The output is not what the contract promises. ${problem.message}` }
    )
  }
  const { error } = result
  const declared = contract.errors.find(({ code }) => code === error.code)
  if (declared) {
    if (error.status !== declared.status) {
      const message = `${error.code} came with the status ${error.status}; the contract declares ${declared.status}.`
      return { kind: 'status', message }
    }
    return blankWords(error)
  }
  // The policy may forbid what the contract allows, and that is not the tool's doing.
  if (error.code === 'denied') return blankWords(error)
  return { kind: error.code, message: explain(observed) }
}

/** An input that the contract allows must reach the tool. */
export function judgeAdmission({ result, ran }: Observed): Complaint | undefined {
  if (ran) return undefined
  const { code, message } = result.success ? { code: 'success', message: '' } : result.error
  return { kind: code, message: `The contract allows this input, and it was refused (${code}). ${message}` }
}

export interface Refusal {
  readonly code: string
  /** Default: that of the pipeline's own code. */
  readonly status?: number
  /** Did the tool have to run for it? */
  readonly afterRun?: boolean
  readonly problems?: readonly Problem[]
}

/** Refused for the right reason, in the right words, before (or after) anything ran. */
export function judgeRefusal(observed: Observed, refusal: Refusal): Complaint | undefined {
  const { code, status = pipelineErrors[code as PipelineCode].status, afterRun = false, problems } = refusal
  const { result, ran, violation } = observed
  if (!afterRun && ran)
    return { kind: 'ran', message: 'The contract forbids this input, and the tool was run with it.' }
  if (result.success) return { kind: 'success', message: 'The contract forbids this output, and a caller got it.' }
  const { error } = result
  if (error.code !== code) return { kind: error.code, message: `Expected ${code}, but ${explain(observed)}` }
  if (error.status !== status)
    return { kind: 'status', message: `${code} came with the status ${error.status}; it should be ${status}.` }
  const told = afterRun ? violation?.problems : error.problems
  if (problems && !isDeepStrictEqual(told, problems)) {
    const [expected, got] = [problems, told ?? []].map((list) => list.map(({ message }) => message).join(' '))
    return {
      kind: 'problems',
      message: `By the contract the problem is: ${expected} What was told: ${got || 'nothing.'}`,
    }
  }
  return blankWords(error)
}

/** How an input with these problems is refused: under the code that the contract has for the properties, if any. */
export function toInputRefusal({ errors }: Contract, problems: readonly Problem[]): Refusal {
  const names = problems.map(({ pointer, keyword }) => (keyword === 'required' ? '' : (pointer.split('/')[1] ?? '')))
  const declared = errors.find(({ inputs }) => inputs && names.every((name) => inputs.includes(name)))
  return { problems, code: declared?.code ?? 'invalid_input', ...(declared && { status: declared.status }) }
}

/** A failure says what happened and what to do next. */
function blankWords({ code, message, suggestion }: { code: string; message: string; suggestion: string }) {
  if (message.trim() === '') return { kind: 'words', message: `${code} came without a message.` }
  if (suggestion.trim() === '') return { kind: 'words', message: `${code} came without a suggestion.` }
  return undefined
}

/** How a call ended that should not have ended so, with what only people may see. */
export function explain({ result, violation }: Observed): string {
  if (result.success) return 'the call succeeded.'
  const { code, message, problems = [] } = result.error
  const more = evidenceIn(violation) ?? problems.map((problem) => problem.message).join(' ')
  return `the call ended with ${code}: ${message}${more && ` ${more}`}`
}

/** How a tool broke its contract, in words. */
export function evidenceIn(violation: Observed['violation']): string | undefined {
  if (!violation) return undefined
  const { kind, message, raw } = violation
  if (kind === 'threw' || kind === 'check_failed')
    return raw instanceof Error ? `${raw.name}: ${raw.message}` : String(raw)
  return kind === 'undeclared_error' && raw instanceof Error ? `${message} ${raw.message}` : message
}
