import type { DeclaredError } from '../../contract/contract.ts'
import type { ErrorData } from '../../contract/tool-error.ts'

/** The failures that every workflow declares. */
export const runErrors = [
  {
    code: 'step_failed',
    status: 424,
    when: 'A step failed, and the workflow stops then.',
    suggestion: 'The message names the step and its error. Change the input, or run it again from there: toolpact runs retry ID.', // biome-ignore format: one line
  },
  {
    code: 'mapping_failed',
    status: 422,
    when: 'A value that the workflow made of its input and earlier outputs is not what it promises.',
    suggestion: 'Change the input, or correct the workflow: toolpact check.',
  },
  {
    code: 'run_cancelled',
    status: 409,
    when: 'A person cancelled the run.',
    suggestion: 'Ask the person. Call again if the result is still wanted.',
  },
  {
    code: 'too_many_runs',
    status: 429,
    when: 'Too many runs of this caller, or in total, have not ended.',
    suggestion: 'Wait until some have ended, or cancel them: toolpact runs list.',
  },
] as const satisfies readonly DeclaredError[]

type RunErrorCode = (typeof runErrors)[number]['code']

export function toRunError(code: RunErrorCode, message: string): ErrorData {
  const { status, suggestion } = runErrors.find((error) => error.code === code)!
  return { code, message, suggestion, status, fixable: true }
}
