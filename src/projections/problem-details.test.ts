import { expect, test } from 'vitest'
import { toProblem } from '../surfaces/http/send-problem.ts'
import { toProblemDetails, toRetryAfter } from './problem-details.ts'

const error = { code: 'file_not_found', message: 'm', suggestion: 's', status: 404, fixable: true }

test('a failure is a problem with all of its members', () => {
  const problem = { pointer: '/a', keyword: 'type', expected: 'a string', message: 'Send a string.' }
  expect(toProblemDetails({ ...error, problems: [problem], retryAfterMs: 5, approvalId: 'a' }, 'c')).toEqual({
    type: 'urn:toolpact:error:file_not_found',
    title: 'File not found',
    status: 404,
    detail: 'm',
    code: 'file_not_found',
    suggestion: 's',
    fixable: true,
    problems: [problem],
    retry_after_ms: 5,
    approval_id: 'a',
    call_id: 'c',
  })
})

test('the HTTP layer says its own errors in the same form', () => {
  const { detail, suggestion, ...rest } = JSON.parse(toProblem('foreign_host'))
  const same = { code: 'foreign_host', message: detail, suggestion, status: 403, fixable: true }
  expect(toProblemDetails(same)).toEqual({ detail, suggestion, ...rest })
})

test('when to come back is said in whole seconds, always with 429, and with 503 where waiting helps', () => {
  const busy = { ...error, code: 'busy', status: 503 }
  const tooOften = { ...error, status: 429 }
  expect(toRetryAfter({ ...tooOften, retryAfterMs: 1001 })).toBe(2)
  expect(toRetryAfter({ ...tooOften, retryAfterMs: 0 })).toBe(1)
  expect(toRetryAfter(tooOften)).toBe(1)
  expect(toRetryAfter(busy)).toBe(1)
  expect(toRetryAfter({ ...busy, code: 'ledger_unavailable' })).toBeUndefined()
  expect(toRetryAfter({ ...busy, code: 'down', retryAfterMs: 5000 })).toBe(5)
  expect(toRetryAfter({ ...error, retryAfterMs: 5000 })).toBeUndefined()
})
