import { expect, test } from 'vitest'
import { defineEcho, openTestPipeline } from '../../../test/helpers/open-test-pipeline.ts'
import { toMcpResult } from '../../projections/mcp.ts'
import { toResultJson } from '../../projections/result-json.ts'
import { toAnswer } from '../../surfaces/rest/answer.ts'
import { toNotes } from './to-notes.ts'

test('facts add up, and a later one takes the place of an earlier one', () => {
  expect(toNotes({ dropped: 1, kept: 2 }, { dropped: 3 })).toEqual({ dropped: 3, kept: 2 })
})

test.each([
  ['a text', 'dropped'],
  ['a list', ['dropped']],
  ['nothing', null],
  ['what is no JSON', { dropped: () => 3 }],
  ['what is too large', { dropped: 'x'.repeat(5000) }],
])('%s is dropped, and what was told before stays', (_what, facts) => {
  expect(toNotes({ kept: 2 }, facts)).toEqual({ kept: 2 })
})

test('notes of a tool reach the caller, except those that come too late', async () => {
  let late: (() => void) | undefined
  const { call } = openTestPipeline([
    defineEcho({}, (_input, { note }) => {
      note({ dropped: 2 })
      late = () => note({ dropped: 9 })
      return { said: 'hi' }
    }),
  ])
  const result = await call('echo', { text: 'hi' })
  late?.()
  expect(result).toMatchObject({ success: true, notes: { dropped: 2 } })
})

test('notes go beside the output on every surface', () => {
  const result = {
    success: true,
    callId: 'c',
    tool: 'test.echo',
    output: { text: 'hi' },
    notes: { said: 'ü', dropped: 2 },
    durationMs: 1,
  } as const
  expect(toResultJson(result)).toMatchObject({ text: 'hi', _meta: { dropped: 2 } })
  expect(toMcpResult(result)).toMatchObject({ _meta: { 'toolpact/notes': { dropped: 2 } } })
  expect(toAnswer(result).notes).toBe('{"said":"\\u00fc","dropped":2}')
})
