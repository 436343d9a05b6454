import { expect, test } from 'vitest'
import { findings } from '../../../test/data/clean-contract.ts'

const error = { code: 'note_locked', status: 409, when: 'The note is locked.', suggestion: 'Wait.' }

test('error-complete: an error has a code in snake_case, an error status, and says when and what to do', async () => {
  const errors = [
    error,
    { ...error, code: 'noteGone' },
    { ...error, status: 200 },
    { ...error, status: 404.5 },
    { ...error, when: ' ' },
    { code: 'a_b', status: 500 },
  ]
  expect(await findings('error-complete', { errors })).toEqual([
    '/errors/1/code',
    '/errors/2/status',
    '/errors/3/status',
    '/errors/4/when',
    '/errors/5/when',
    '/errors/5/suggestion',
  ])
  expect(await findings('error-complete', { errors: [error, { ...error, code: 'http_2', status: 599 }] })).toEqual([])
})

test('error-unique: a code is declared once', async () => {
  expect(await findings('error-unique', { errors: [error, { ...error, code: 'other' }, error] })).toEqual([
    '/errors/2/code',
  ])
  expect(await findings('error-unique', { errors: [error, { ...error, code: 'other' }] })).toEqual([])
})

test("error-status: a code of the pipeline keeps the pipeline's status", async () => {
  expect(await findings('error-status', { errors: [{ ...error, code: 'timeout', status: 500 }] })).toEqual([
    '/errors/0/status',
  ])
  expect(await findings('error-status', { errors: [{ ...error, code: 'timeout', status: 504 }] })).toEqual([])
  expect(await findings('error-status', { errors: [{ ...error, code: 'toString' }] })).toEqual([])
})

test('error-inputs: an error for the faults of an input property names one that there is', async () => {
  const errors = [
    { ...error, inputs: ['path', 'pth'] },
    { ...error, code: 'other', inputs: ['toString'] },
  ]
  expect(await findings('error-inputs', { errors })).toEqual(['/errors/0/inputs', '/errors/1/inputs'])
  expect(await findings('error-inputs', { errors: [{ ...error, inputs: ['path'] }] })).toEqual([])
})
