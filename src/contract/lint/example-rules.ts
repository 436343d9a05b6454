import type { Contract } from '../contract.ts'
import { pipelineErrors } from '../error-codes.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import { fromPointer } from '../schema/json-pointer.ts'
import { type Finding, pointTo } from './lint-problem.ts'

/** An example is shown to people and runs as a test. */
export function checkExamplePresent({ examples, status }: Contract): Finding[] {
  if (examples.length > 0 || status === 'planned') return []
  return [
    {
      pointer: '/examples',
      message: 'There is no example.',
      fix: 'Add one: an input, and the output or error code it returns.',
    },
  ]
}

/** An example has one outcome. Its error must be a code of the contract or the pipeline. */
export function checkExampleOutcome({ examples, errors }: Contract): Finding[] {
  return examples.flatMap(({ output, error }, index) => {
    const pointer = pointTo('/examples', index)
    if ((output === undefined) === (error === undefined)) {
      const message = output === undefined ? 'The example has no outcome.' : 'The example has two outcomes.'
      return [{ pointer, message, fix: 'Give it either an output or an error.' }]
    }
    if (error === undefined || Object.hasOwn(pipelineErrors, error) || errors.some(({ code }) => code === error))
      return []
    const message = `The example fails with '${error}', which the contract does not declare.`
    return [
      { pointer: pointTo(pointer, 'error'), message, fix: `Declare '${error}' under errors, or correct the code.` },
    ]
  })
}

/** Each pointer in `varies` must exist in the output. */
export function checkExampleVaries({ examples }: Contract): Finding[] {
  return examples.flatMap(({ output, varies = [] }, index) =>
    varies
      .filter((pointer) => !points(pointer, output))
      .map((pointer) => ({
        pointer: pointTo('/examples', index, 'varies', varies.indexOf(pointer)),
        message: `'${pointer}' points to nothing in the output of the example.`,
        fix: 'Write a JSON pointer to a part of the output, such as /timestamp.',
      })),
  )
}

function points(pointer: string, output: unknown): boolean {
  let place = output
  for (const step of fromPointer(pointer) ?? ['']) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, step)) return false
    place = (place as Record<string, unknown>)[step]
  }
  return place !== undefined
}

/**
 * The input of an example must be valid, unless it demonstrates `invalid_input` or a code for invalid inputs. Expects
 * an admitted input schema.
 */
export async function checkExampleInputs({ examples, input, errors }: Contract): Promise<Finding[]> {
  if (examples.length === 0) return []
  const validator = await compileSchema(input, { useDefaults: true })
  return examples.flatMap((example, index) => {
    const [problem] = validator.validate(structuredClone(example.input))
    const pointer = pointTo('/examples', index, 'input')
    if (example.error === 'invalid_input') {
      if (problem) return []
      const message = 'The example should fail with invalid_input, but its input is valid.'
      return [{ pointer, message, fix: 'Make the input invalid, or correct the outcome.' }]
    }
    if (!problem || errors.some(({ code, inputs }) => inputs && code === example.error)) return []
    return [
      {
        pointer: pointer + problem.pointer,
        message: `The input of the example violates the schema. ${problem.message}`,
        fix: 'Correct the example or the input schema.',
      },
    ]
  })
}

/** The output of an example must be valid. Expects an admitted output schema. */
export async function checkExampleOutputs({ examples, output }: Contract): Promise<Finding[]> {
  if (examples.length === 0) return []
  const validator = await compileSchema(output)
  return examples.flatMap((example, index) => {
    const problems = example.output === undefined ? [] : validator.validate(structuredClone(example.output))
    return problems.slice(0, 1).map((problem) => ({
      pointer: pointTo('/examples', index, 'output') + problem.pointer,
      message: `The output of the example violates the schema. ${problem.message}`,
      fix: 'Correct the example or the output schema.',
    }))
  })
}
