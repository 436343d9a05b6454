import type { ErrorObject } from 'ajv'
import type { Problem } from '../tool-error.ts'
import type { AjvSchema } from './to-ajv-schema.ts'

export const tooManySteps: Problem = {
  pointer: '',
  keyword: 'steps',
  expected: 'a value that can be checked in bounded time',
  message: 'The value takes too many steps to check against its schema. Send a smaller or flatter value.',
}

export function describeProblems(errors: readonly ErrorObject[], _schema: AjvSchema): Problem[] {
  return errors
    .slice(0, 20)
    .map((e) => ({ pointer: e.instancePath, keyword: e.keyword, expected: '', message: JSON.stringify(e.params) }))
}
