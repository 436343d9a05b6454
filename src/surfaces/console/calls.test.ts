import { expect, test } from 'vitest'
import { openConsole } from '../../../test/helpers/open-console.ts'
import { defineEcho } from '../../../test/helpers/open-test-pipeline.ts'
import { defineToolset } from '../../contract/define-toolset.ts'

const tools = defineToolset('test', [
  defineEcho(),
  defineEcho({ name: 'quiet' }, (_input, { fail }) => fail('too_quiet', 'Speak up.')),
  defineEcho({ name: 'liar' }, () => ({ said: 5 }) as never),
])

test('pages through calls, newest first, by tool, caller, outcome, time and text', async () => {
  const { signIn, toolpact } = await openConsole({ toolsets: [tools] })
  const { get } = await signIn('Ada', ['view'])
  expect((await get('calls')).json).toEqual({ calls: [], before: null })
  for (let number = 0; number < 5; number++)
    await toolpact.call('test.echo', { text: `number ${number}` }, { caller: { name: number % 2 ? 'odd' : 'even' } })
  await toolpact.call('test.quiet', { text: 'a' })
  await toolpact.call('test.echo', { text: 7 })
  const list = async (query: string) => (await get(`calls?${query}`)).json
  const texts = (page: { calls: { inputText: string }[] }) => page.calls.map(({ inputText }) => inputText)
  const first = await list('limit=3')
  expect(first.calls.map(({ tool, state, code }: { tool: string; state: string; code: string }) => [tool, state, code])).toEqual([['test.echo', 'refused', 'invalid_input'], ['test.quiet', 'failed', 'too_quiet'], ['test.echo', 'succeeded', null]]) // biome-ignore format: one line
  const second = await list(`limit=3&before=${first.before}`)
  expect(texts(second)).toEqual([3, 2, 1].map((number) => `{"text":"number ${number}","times":1}`))
  const last = await list(`limit=3&before=${second.before}`)
  expect(last).toMatchObject({ before: null, calls: [{ caller: 'even', approvedBy: null, isRun: false }] })
  expect((await list('caller=odd')).calls).toHaveLength(2)
  expect((await list('tool=test.quiet')).calls).toHaveLength(1)
  expect((await list('outcome=too_quiet')).calls).toHaveLength(1)
  expect((await list('outcome=refused')).calls).toHaveLength(1)
  expect((await list('outcome=running')).calls).toHaveLength(0)
  expect((await list('outcome=interrupted')).calls).toHaveLength(0)
  expect((await list('text=NUMBER%204')).calls).toHaveLength(1)
  expect((await list('since=2100-01-01T00:00:00Z')).calls).toHaveLength(0)
  expect((await list('until=2000-01-01T00:00:00Z')).calls).toHaveLength(0)
  for (const wrong of ['limit=0', 'limit=x', 'before=-1', 'since=soon', `text=${'x'.repeat(1001)}`])
    expect(await list(wrong), wrong).toMatchObject({ status: 400, code: 'invalid_request' })
})

test('tells the story of a call, with the evidence if it broke its contract', async () => {
  const { signIn, toolpact } = await openConsole({ toolsets: [tools] })
  const { get, post } = await signIn()
  const { callId } = await toolpact.call('test.liar', { text: 'a' }, { caller: { name: 'codex', session: 's1' } })
  const story = (await get(`calls/${callId}`)).json
  expect(story).toMatchObject({
    call: { callId, tool: 'test.liar', state: 'failed', code: 'invalid_output', isViolation: true },
    session: 's1',
    input: { text: 'a', times: 1 },
    decision: { action: 'allow' },
    approval: null,
    violation: 'invalid_output',
    hasEvidence: true,
  })
  expect(story.entries.map(({ kind }: { kind: string }) => kind)).toEqual(['intent', 'outcome'])
  expect((await get(`calls/${callId}/evidence`)).json.text).toContain('5')
  expect((await get('calls/unknown/evidence')).status).toBe(404)
  expect((await get('calls/unknown')).json).toMatchObject({ code: 'not_found', suggestion: expect.stringContaining('inbox') }) // biome-ignore format: one line
  expect((await get('calls/%ff')).json).toMatchObject({ code: 'bad_request' })
  expect((await get('overview')).json.ledger).toEqual({ head: 2 })
  expect((await post('ledger/verify')).json).toMatchObject({ intact: true, entries: 2 })
  expect((await get('overview')).json.ledger).toEqual({ head: 2, verified: 'intact' })
})

test('tells an agent run by its stages, with the calls that they made', async () => {
  const { signIn, toolpact } = await openConsole({ toolsets: [tools] })
  const { get } = await signIn()
  const run = { callId: 'run-1', tool: 'agent.ask' } as const
  await toolpact.recordStep({ ...run, stage: 'gate', passed: true, details: { caller: { name: 'cli' }, question: 'Why?' } }) // biome-ignore format: one line
  await toolpact.recordStep({ ...run, stage: 'call', passed: true, details: { callId: 'call-1' } })
  await toolpact.recordStep({ ...run, stage: 'end', passed: true, details: { durationMs: 12 } })
  const { call, stages } = (await get('calls/run-1')).json
  expect(call).toMatchObject({ isRun: true, state: 'succeeded', durationMs: 12, caller: 'cli' })
  expect(stages).toMatchObject([{ stage: 'gate' }, { stage: 'call', callId: 'call-1' }, { stage: 'end' }])
})

test('the story of a call whose question still waits links to it', async () => {
  const { signIn, ask } = await openConsole({ toolsets: [defineToolset('test', [defineEcho({ approval: 'ask' })])] })
  const { get, post } = await signIn()
  const id = await ask('test.echo', { text: 'hi' })
  expect((await get(`calls/${id}`)).json).toMatchObject({ questionId: id, call: { state: 'refused', code: 'approval_required' } }) // biome-ignore format: one line
  await post('questions/answer', { ids: [id], answer: 'no' })
  expect((await get(`calls/${id}`)).json).not.toHaveProperty('questionId')
})

test('hidden characters in what a caller sent are visible', async () => {
  const { signIn, toolpact } = await openConsole({ toolsets: [tools] })
  const { get } = await signIn()
  const { callId } = await toolpact.call('test.echo', { text: '\u202e<b>x</b>\x07' }, { caller: { name: 'a\u200bb' } })
  const { json } = await get(`calls/${callId}`)
  expect(json.call.inputText).toBe('{"text":"\\u202e<b>x</b>\\u0007","times":1}')
  expect(json.input.text).toBe('\\u{202e}<b>x</b>\\x07')
  expect(json.call.caller).toBe('a\\u{200b}b')
})
