import { expect, test } from 'vitest'
import { defineEcho, openTestPipeline, settle } from '../../../test/helpers/open-test-pipeline.ts'
import type { Progress, ToolContext } from '../../contract/tool.ts'
import { toMcpResult } from '../../projections/mcp.ts'
import { toResultJson } from '../../projections/result-json.ts'
import { toAnswer } from '../../surfaces/rest/answer.ts'
import { toNotes, toProgress } from './trace.ts'

test('facts add up, and a later one takes the place of an earlier one', () => {
  expect(toNotes({ dropped: 1, kept: 2 }, { dropped: 3 })).toEqual({ dropped: 3, kept: 2 })
})

test.each([
  ['a text', 'dropped'],
  ['a list', ['dropped']],
  ['nothing', null],
  ['what is no JSON', { dropped: () => 3 }],
  ['what is too large', { dropped: 'x'.repeat(5000) }],
])('%s is dropped, and earlier notes stay', (_what, facts) => {
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

test('progress reaches the caller in order, before the result', async () => {
  const heard: unknown[] = []
  const { call } = openTestPipeline([
    defineEcho({}, async (_input, { progress }) => {
      for (let step = 1; step <= 3; step++) {
        progress({ progress: step, total: 3, message: `step ${step}` })
        await settle()
      }
      return { said: '' }
    }),
  ])
  heard.push(await call('test.echo', { text: 'a' }, { onProgress: (update) => heard.push(update) }))
  expect(heard).toEqual([
    { progress: 1, total: 3, message: 'step 1' },
    { progress: 2, total: 3, message: 'step 2' },
    { progress: 3, total: 3, message: 'step 3' },
    expect.objectContaining({ success: true }),
  ])
})

test('nothing is heard after the end of a call, and a tool that still reports is not disturbed', async () => {
  const heard: Progress[] = []
  let report: ToolContext['progress'] = () => {}
  const { call } = openTestPipeline([
    defineEcho({ limits: { timeoutMs: 20 } }, ({ text }, { progress }) => {
      report = progress
      progress({ progress: 1 })
      return text === 'hang' ? new Promise(() => {}) : { said: '' }
    }),
  ])
  for (const text of ['a', 'hang']) {
    await call('test.echo', { text }, { onProgress: (update) => heard.push(update) })
    report({ progress: 2 })
  }
  expect(heard).toEqual([{ progress: 1 }, { progress: 1 }])
})

test('a caller that does not listen hears nothing', async () => {
  const { call } = openTestPipeline([
    defineEcho({}, (_input, { progress }) => {
      progress({ progress: 1 })
      return { said: 'done' }
    }),
  ])
  expect(await call('test.echo', { text: 'a' })).toMatchObject({ output: { said: 'done' } })
})

test('progress is a copy with numbers and short text only', () => {
  const update = { progress: 1, total: 2, message: 'x'.repeat(5000), secret: 'hidden' }
  expect(toProgress(update)).toEqual({ progress: 1, total: 2, message: `${'x'.repeat(999)}…` })
  expect(toProgress({ progress: 1, total: 'all', message: { text: 'a' } })).toEqual({ progress: 1 })
  expect(toProgress({ progress: 0.5, message: '\ud800' })).toEqual({ progress: 0.5, message: '\ufffd' })
})

test.each([undefined, null, 5, 'half', {}, { progress: '1' }, { progress: Number.NaN }, { progress: Infinity }])(
  '%j is no progress',
  (update) => {
    expect(toProgress(update)).toBeUndefined()
  },
)
