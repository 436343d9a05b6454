import { isDeepStrictEqual } from 'node:util'
import type { Contract } from '../../contract/contract.ts'
import { type PipelineCode, pipelineErrors } from '../../contract/error-codes.ts'
import type { Problem } from '../../contract/tool-error.ts'
import type { Observed } from './subject.ts'
import type { Check } from './values/check.ts'

/** A violation of the contract. Complaints of one kind concern the same defect. */
export interface Complaint {
  readonly kind: string
  readonly message: string
}

/** After a valid input: a valid output or a declared error. */
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
  // A denial by the policy is not the tool's fault.
  if (error.code === 'denied') return blankWords(error)
  return { kind: error.code, message: explain(observed) }
}

/** A valid input must reach the tool. */
export function judgeAdmission({ result, ran }: Observed): Complaint | undefined {
  if (ran) return undefined
  const { code, message } = result.success ? { code: 'success', message: '' } : result.error
  return { kind: code, message: `The contract allows this input, but it was refused (${code}). ${message}` }
}

export interface Refusal {
  readonly code: string
  /** Default: the pipeline's own code. */
  readonly status?: number
  /** Whether the tool has to run first. */
  readonly afterRun?: boolean
  readonly problems?: readonly Problem[]
}

/** Refused with the right code and message, before or after the run as expected. */
export function judgeRefusal(observed: Observed, refusal: Refusal): Complaint | undefined {
  const { code, status = pipelineErrors[code as PipelineCode].status, afterRun = false, problems } = refusal
  const { result, ran, violation } = observed
  if (!afterRun && ran) return { kind: 'ran', message: 'The contract forbids this input, but the tool ran with it.' }
  if (result.success)
    return { kind: 'success', message: 'The contract forbids this output, but the caller received it.' }
  const { error } = result
  if (error.code !== code) return { kind: error.code, message: `Expected ${code}, but ${explain(observed)}` }
  if (error.status !== status)
    return { kind: 'status', message: `${code} came with the status ${error.status}; it should be ${status}.` }
  const reported = afterRun ? violation?.problems : error.problems
  if (problems && !isDeepStrictEqual(reported, problems)) {
    const [expected, got] = [problems, reported ?? []].map((list) => list.map(({ message }) => message).join(' '))
    return {
      kind: 'problems',
      message: `Expected problems: ${expected} Reported: ${got || 'nothing.'}`,
    }
  }
  return blankWords(error)
}

/** The expected refusal: with the contract's own code for these properties, if any. */
export function toInputRefusal({ errors }: Contract, problems: readonly Problem[]): Refusal {
  const names = problems.map(({ pointer, keyword }) => (keyword === 'required' ? '' : (pointer.split('/')[1] ?? '')))
  const declared = errors.find(({ inputs }) => inputs && names.every((name) => inputs.includes(name)))
  return { problems, code: declared?.code ?? 'invalid_input', ...(declared && { status: declared.status }) }
}

/** A failure has a message and a suggestion. */
function blankWords({ code, message, suggestion }: { code: string; message: string; suggestion: string }) {
  if (message.trim() === '') return { kind: 'words', message: `${code} came without a message.` }
  if (suggestion.trim() === '') return { kind: 'words', message: `${code} came without a suggestion.` }
  return undefined
}

/** Describes an unexpected outcome, including details for people only. */
export function explain({ result, violation }: Observed): string {
  if (result.success) return 'the call succeeded.'
  const { code, message, problems = [] } = result.error
  const more = evidenceIn(violation) ?? problems.map((problem) => problem.message).join(' ')
  return `the call ended with ${code}: ${message}${more && ` ${more}`}`
}

/** Describes a contract violation. */
export function evidenceIn(violation: Observed['violation']): string | undefined {
  if (!violation) return undefined
  const { kind, message, raw } = violation
  if (kind === 'threw' || kind === 'check_failed')
    return raw instanceof Error ? `${raw.name}: ${raw.message}` : String(raw)
  return kind === 'undeclared_error' && raw instanceof Error ? `${message} ${raw.message}` : message
}
