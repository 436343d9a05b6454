import { expect, test } from 'vitest'
import { defineValidator } from './define-validator.ts'

const validate = defineValidator<{ name: string }>({
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: { name: { type: 'string', maxLength: 3 } },
})

test('a valid value is returned as a copy', async () => {
  const sent = { name: 'Ada' }
  const checked = await validate(sent)
  expect(checked).toEqual({ valid: true, value: { name: 'Ada' } })
  expect(checked.valid && checked.value).not.toBe(sent)
})

test.each([
  ['a missing property', {}, '/name', 'required'],
  ['a wrong type', { name: 5 }, '/name', 'type'],
  ['a text that is too long', { name: 'Adam' }, '/name', 'maxLength'],
  ['an undeclared property', { name: 'Ada', age: 5 }, '/age', 'additionalProperties'],
  ['what is no JSON', { name: () => 'Ada' }, '/name', 'not_json'],
])('%s is reported as a problem', async (_what, value, pointer, keyword) => {
  expect(await validate(value)).toMatchObject({ valid: false, problems: [{ pointer, keyword }] })
})

test('a schema that the guard does not admit is refused', async () => {
  await expect(defineValidator({ $ref: 'https://example.com/x' })({})).rejects.toThrow('The schema is refused')
})
