import { expect, test } from 'vitest'
import { defineEcho, openTestPipeline } from '../../../test/helpers/open-test-pipeline.ts'

const errors = [
  { code: 'invalid_text', status: 422, when: 'The text is none.', suggestion: 'Send text.', inputs: ['text'] },
]

test.each([
  ['a fault of the property', { text: 5 }, 'invalid_text', 422],
  ['two faults of the property alone', { text: ['x'] }, 'invalid_text', 422],
  ['a fault of another property', { text: 'x', times: 0 }, 'invalid_input', 400],
  ['faults of both', { text: 5, times: 0 }, 'invalid_input', 400],
  ['the property missing', {}, 'invalid_input', 400],
  ['no object at all', 'x', 'invalid_input', 400],
])('%s has the code that the contract says', async (_what, input, code, status) => {
  const { call, runs } = openTestPipeline([defineEcho({ errors })])
  const result = await call('echo', input)
  expect(result).toMatchObject({ success: false, ran: false, error: { code, status, fixable: true } })
  expect(!result.success && result.error.problems?.length).toBeGreaterThan(0)
  expect(runs).toEqual([])
})

test('the suggestion is the one of the contract, and the message says which input is wrong', async () => {
  const { call } = openTestPipeline([defineEcho({ errors })])
  expect(await call('echo', { text: 5 })).toMatchObject({
    error: { suggestion: 'Send text.', message: "The input text does not match the contract of 'echo'." },
  })
})
