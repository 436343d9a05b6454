import { expect, test } from 'vitest'
import { openConsole } from '../../../test/helpers/open-console.ts'

const tool = 'workspace.create_file'
const rule = { tool, pattern: 'path: notes/**', action: 'deny' }

test('creates a rule in the name of the person, which decides at once, and disables, enables, ends and removes it', async () => {
  const { signIn, toolpact } = await openConsole()
  const { get, post } = await signIn('Ada')
  const decide = async () => {
    const foreseen = await toolpact.foresee(tool, { path: 'notes/a.txt', content: 'a' })
    return 'decision' in foreseen && foreseen.decision.action
  }
  expect((await post('rules/create', { ...rule, description: 'No notes.' })).json.message).toMatch(/^The rule rule-\w+ was saved\.$/) // biome-ignore format: one line
  const [row] = (await get('rules')).json.rules
  expect(row).toMatchObject({
    ...{ tool, action: 'deny', short: rule.pattern, state: 'active', problems: [], createdBy: 'Ada', uses: 0 },
    ...{ description: 'No notes.', expiresAt: null, lastUsedAt: null, scope: `in ${toolpact.workspace}` },
  })
  expect(await decide()).toBe('deny')
  const change = (what: string) => post(`rules/${row.id}/change`, { change: what })
  const state = async () => (await get('rules')).json.rules.map((listed: { state: string }) => listed.state)
  expect((await change('disable')).json).toEqual({ message: `The rule ${row.id} was disabled.` })
  expect([await state(), await decide()]).toEqual([['disabled'], 'ask'])
  await change('enable')
  expect([await state(), await decide()]).toEqual([['active'], 'deny'])
  await change('expire')
  expect([await state(), await decide()]).toEqual([['expired'], 'ask'])
  await change('remove')
  expect(await state()).toEqual([])
  expect((await change('remove')).json).toMatchObject({ status: 404, code: 'not_found' })
})

test('refuses a rule that would not be used, an unknown change, and a person without the right', async () => {
  const { signIn, toolpact } = await openConsole()
  const { post } = await signIn('Ada')
  const broken = { ...rule, action: 'allow', pattern: '(' }
  expect((await post('rules/create', broken)).json).toMatchObject({ status: 400, code: 'invalid_request' })
  expect((await post('rules/preview', broken)).json).toMatchObject({ problems: [expect.any(String)], text: '' })
  expect((await post('rules/simulate', { add: [broken] })).json).toMatchObject({ status: 400, code: 'invalid_request' })
  expect((await post('rules/create', { ...rule, createdBy: 'Eve' })).json).toMatchObject({ code: 'invalid_request' })
  expect((await post('rules/rule-1/change', { change: 'widen' })).json).toMatchObject({ code: 'invalid_request' })
  const viewer = await signIn('Eve', ['view', 'approve'])
  expect((await viewer.post('rules/create', rule)).json).toMatchObject({ status: 403, code: 'right_missing' })
  expect((await viewer.post('rules/rule-1/change', { change: 'remove' })).json).toMatchObject({ code: 'right_missing' })
  expect(await toolpact.rules.list()).toEqual([])
})

test('previews a rule and simulates changes on past calls, and saves nothing', async () => {
  const { signIn, ask, toolpact } = await openConsole()
  const { post } = await signIn('Ada', ['view'])
  await ask(tool, { path: 'notes/a.txt', content: 'a' })
  await ask(tool, { path: 'other.txt', content: 'a' })
  expect((await post('rules/preview', rule)).json).toMatchObject({
    ...{ problems: [], calls: 2, matched: 1, wereAllowed: 0, wereAsked: 1, wereDenied: 0 },
    text: `Would have denied 1 of the last 2 calls of ${tool}, among them 1 that was not denied.`,
  })
  const simulated = (await post('rules/simulate', { add: [rule] })).json
  expect(simulated).toMatchObject({ calls: 2, skipped: 0, changed: [{ before: 'ask', after: 'deny', call: { tool } }] })
  expect(simulated.changed[0].call.inputText).toContain('notes/a.txt')
  expect(await toolpact.rules.list()).toEqual([])
  const { id } = await toolpact.rules.add({ ...rule, action: 'deny', createdBy: 'Ada' })
  const without = (await post('rules/simulate', { remove: [id], last: 1 })).json
  expect(without).toMatchObject({ calls: 1, changed: [] })
  expect((await post('rules/simulate', { remove: [id] })).json.changed).toMatchObject([{ before: 'deny', after: 'ask' }]) // biome-ignore format: one line
  expect((await post('rules/simulate', { last: 5001 })).json).toMatchObject({ code: 'invalid_request' })
})

test('the stream reports a change that is made right after it was opened', async () => {
  const { signIn, url } = await openConsole()
  const { cookie, post } = await signIn('Ada')
  const stop = new AbortController()
  const response = await fetch(`${url}/console/api/stream`, { headers: { Cookie: cookie }, signal: stop.signal })
  let text = ''
  const reading = (async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) text += chunk
  })().catch(() => {})
  await expect.poll(() => text).toContain('event: entries')
  await post('rules/create', rule)
  await expect.poll(() => text, { timeout: 20_000 }).toContain('event: rules')
  stop.abort()
  await reading
})
