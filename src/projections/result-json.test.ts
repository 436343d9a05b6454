import { expect, test } from 'vitest'
import type { CallResult } from '../contract/call-result.ts'
import { toErrorText, toResultJson } from './result-json.ts'

const shared = { callId: 'c', tool: 'learning.hello', durationMs: 4.6 }

test('a success is the tool, its output and the time', () => {
  const json = toResultJson({ ...shared, success: true, output: { greeting: 'Hello' } })
  expect(Object.entries(json)).toEqual([
    ['tool', 'hello'],
    ['success', true],
    ['greeting', 'Hello'],
    ['execution_time_ms', 5],
  ])
})

test("an output's own success and time stand; its own tool does not", () => {
  const output = { success: false, output: 'exit code 1', execution_time_ms: 150, tool: 'other' }
  expect(toResultJson({ ...shared, success: true, output })).toEqual({
    tool: 'hello',
    success: false,
    output: 'exit code 1',
    execution_time_ms: 150,
  })
})

test('a failure carries the whole error', () => {
  const problem = { pointer: '/name', keyword: 'required', expected: 'a string', message: 'Give it.' }
  const error = {
    code: 'invalid_input',
    message: 'm',
    suggestion: 's',
    status: 400,
    fixable: true,
    problems: [problem],
    retryAfterMs: 7,
    approvalId: 'a',
  }
  expect(toResultJson({ ...shared, success: false, ran: false, error })).toEqual({
    tool: 'hello',
    success: false,
    error: {
      code: 'invalid_input',
      message: 'm',
      suggestion: 's',
      status: 400,
      fixable: true,
      problems: [problem],
      retry_after_ms: 7,
      approval_id: 'a',
    },
    execution_time_ms: 5,
  })
})

test('the name keeps its dots, and a name that was not found stays as it was asked for', () => {
  expect(toResultJson({ ...shared, tool: 'web.search.web', success: true, output: {} }).tool).toBe('search.web')
  const error = { code: 'tool_not_found', message: 'm', suggestion: 's', status: 404, fixable: true }
  const unknown: CallResult = { ...shared, tool: 'learning.helo', success: false, ran: false, error }
  expect(toResultJson(unknown).tool).toBe('learning.helo')
})

test('for a reader an error is sentences, and a line for each problem', () => {
  const error = { code: 'file_not_found', message: "File 'x' not found", suggestion: 'Check the name.', status: 404, fixable: true } // biome-ignore format: one line
  expect(toErrorText(error)).toBe("file_not_found: File 'x' not found. Check the name.")
  const problems = [{ pointer: '/a', keyword: 'type', expected: 'text', message: '"/a" must be text.' }]
  expect(toErrorText({ ...error, message: 'It says: "no"', problems })).toBe(
    'file_not_found: It says: "no". Check the name.\n- "/a" must be text.',
  )
})
