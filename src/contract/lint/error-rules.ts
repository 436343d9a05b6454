import type { Contract } from '../contract.ts'
import { pipelineErrors } from '../error-codes.ts'
import { errorCodeForm } from '../forms.ts'
import { type Finding, pointTo } from './lint-problem.ts'

/** A declared error has a code in snake_case, an HTTP error status, a description and a suggestion. */
export function checkErrorComplete({ errors }: Contract): Finding[] {
  return errors.flatMap(({ code, status, when, suggestion }, index) => {
    const at = (field: string) => pointTo('/errors', index, field)
    const findings: Finding[] = []
    if (typeof code !== 'string' || !errorCodeForm.test(code)) {
      const message = `${JSON.stringify(code)} cannot be an error code.`
      findings.push({ pointer: at('code'), message, fix: 'Write it in snake_case, such as file_not_found.' })
    }
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      const message = `The error '${code}' has the status ${JSON.stringify(status)}, which is not an HTTP error status.`
      findings.push({
        pointer: at('status'),
        message,
        fix: 'Use 400 to 499 if the caller can fix it, otherwise 500 to 599.',
      })
    }
    if (isBlank(when)) {
      const message = `The error '${code}' does not say when it occurs.`
      findings.push({ pointer: at('when'), message, fix: 'Write a sentence that says what happened.' })
    }
    if (isBlank(suggestion)) {
      const message = `The error '${code}' does not say what to do.`
      findings.push({
        pointer: at('suggestion'),
        message,
        fix: 'Write a sentence that says what the caller should do.',
      })
    }
    return findings
  })
}

/** `inputs` of an error must name existing input properties. */
export function checkErrorInputs({ errors, input }: Contract): Finding[] {
  const known = Object.keys(input?.properties ?? {})
  return errors.flatMap(({ code, inputs = [] }, index) =>
    inputs
      .filter((name) => !known.includes(name))
      .map((name) => ({
        pointer: pointTo('/errors', index, 'inputs'),
        message: `The error '${code}' is for the input '${name}', which is not declared.`,
        fix: `Use a property of the input: ${known.join(', ') || 'it has none'}.`,
      })),
  )
}

function isBlank(text: unknown): boolean {
  return typeof text !== 'string' || text.trim() === ''
}

export function checkErrorUnique({ errors }: Contract): Finding[] {
  const codes = errors.map(({ code }) => code)
  return codes
    .map((code, index) => ({ code, index }))
    .filter(({ code, index }) => codes.indexOf(code) !== index)
    .map(({ code, index }) => ({
      pointer: pointTo('/errors', index, 'code'),
      message: `The error '${code}' is declared twice.`,
      fix: 'Merge the two, or give one of them another code.',
    }))
}

/** A code means the same everywhere: a tool may return a code of the pipeline, but with the same status. */
export function checkErrorStatus({ errors }: Contract): Finding[] {
  return errors.flatMap(({ code, status }, index) => {
    if (!Object.hasOwn(pipelineErrors, code)) return []
    const { status: expected } = pipelineErrors[code as keyof typeof pipelineErrors]
    if (status === expected) return []
    return [
      {
        pointer: pointTo('/errors', index, 'status'),
        message: `The pipeline error '${code}' has the status ${expected}, not ${status}.`,
        fix: `Write status: ${expected}, or choose another code.`,
      },
    ]
  })
}
