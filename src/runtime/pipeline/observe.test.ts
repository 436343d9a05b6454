import { expect, test } from 'vitest'
import { defineEcho, openTestPipeline, yes } from '../../../test/helpers/open-test-pipeline.ts'
import { openToolpact } from '../../app/app.ts'
import { ToolError } from '../../contract/tool-error.ts'
import type { CallEvent, Observe } from './call-event.ts'

const observed = (events: readonly CallEvent[]) =>
  events.map((event) => (event.kind === 'check' ? `${event.check} ${event.outcome}` : `ended ${event.code}`))

test('an observer receives every check of a call in order, and its end', async () => {
  const events: CallEvent[] = []
  const { call } = openTestPipeline([defineEcho({ risk: 'dangerous' })], {
    approver: yes,
    observe: (event) => events.push(event),
  })
  const { callId, durationMs } = await call('echo', { text: 'hello' }, { caller: { name: 'ada', session: 's' } })
  const passed = (check: string) => [`${check} begun`, `${check} passed`]
  expect(observed(events)).toEqual([
    ...['resolve', 'bound', 'input'].flatMap(passed),
    ...['single_step', 'rate'].map((check) => `${check} not_needed`),
    ...passed('decide'),
    'check not_needed',
    ...['approve', 'intent', 'run', 'output'].flatMap(passed),
    'ended null',
  ])
  expect(events[0]).toMatchObject({ callId, tool: 'echo', caller: { name: 'ada', session: 's' } })
  expect(events.at(-1)).toEqual({
    kind: 'ended',
    callId,
    tool: 'test.echo',
    caller: { name: 'ada', session: 's' },
    at: expect.any(Number),
    code: null,
    ran: true,
    durationMs,
  })
  const times = events.map(({ at }) => at)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(JSON.stringify(events)).not.toContain('hello')
})

test.each([
  ['an unknown tool', 'nothing', {}, ['resolve failed', 'ended tool_not_found'], false],
  ['an invalid input', 'echo', { text: 5 }, ['input failed', 'ended invalid_input'], false],
  ['an error that the contract declares', 'echo', { text: 'quiet' }, ['output passed', 'ended too_quiet'], true],
  ['an exception', 'echo', { text: 'throw' }, ['run failed', 'ended internal'], true],
])('%s is reported with the check that failed and the code', async (_what, tool, input, last, ran) => {
  const events: CallEvent[] = []
  const echo = defineEcho({}, ({ text }) => {
    if (text === 'throw') throw new Error('broken')
    return text === 'quiet' ? new ToolError('too_quiet', 'Too quiet.') : { said: String(text) }
  })
  const { call } = openTestPipeline([echo], { observe: (event) => events.push(event) })
  await call(tool, input)
  expect(observed(events).slice(-2)).toEqual(last)
  expect(events.at(-1)).toMatchObject({ kind: 'ended', ran })
})

test('a call that the ledger could not record ends with the code that its caller gets', async () => {
  const events: CallEvent[] = []
  const { call, storage } = openTestPipeline([defineEcho()], { observe: (event) => events.push(event) })
  storage.ledger.append = () => Promise.reject(new Error('full'))
  expect(await call('echo', { text: 'x' })).toMatchObject({ error: { code: 'ledger_unavailable' } })
  expect(observed(events).slice(-2)).toEqual(['intent failed', 'ended ledger_unavailable'])
})

test.each<[string, Observe]>([
  ['throws', () => { throw new Error('broken') }], // biome-ignore format: one line
  ['rejects', (() => Promise.reject(new Error('broken'))) as unknown as Observe],
  ['changes the event', (event) => void Object.assign(event, { callId: '', caller: { name: 'root' } })],
])('an observer that %s does not disturb the call', async (_how, observe) => {
  const { call, records } = openTestPipeline([defineEcho()], { observe })
  const result = await call('echo', { text: 'x' })
  expect(result).toMatchObject({ success: true, output: { said: 'x' } })
  expect(await records(result)).toMatchObject([{ caller: { name: 'tester' } }, { success: true }])
})

test('a program observes its calls with an option', async () => {
  const events: CallEvent[] = []
  const toolpact = await openToolpact({ storage: 'memory', observe: (event) => events.push(event) })
  const { callId } = await toolpact.call('learning.hello', { name: 'Ada' })
  await toolpact.close()
  expect(new Set(events.map((event) => event.callId))).toEqual(new Set([callId]))
  expect(events.at(-1)).toMatchObject({ kind: 'ended', tool: 'learning.hello', caller: { name: 'library' } })
})
