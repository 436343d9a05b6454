import { expect, test } from 'vitest'
import { openConsole } from '../../../test/helpers/open-console.ts'
import { defineEcho } from '../../../test/helpers/open-test-pipeline.ts'
import { defineToolset } from '../../contract/define-toolset.ts'

const asking = defineToolset('test', [defineEcho({ approval: 'ask' })])

test('lists what waits, oldest first, and shows everything that a person must see', async () => {
  const { signIn, ask, toolpact } = await openConsole()
  const { get } = await signIn()
  expect((await get('questions')).json).toEqual({ pending: [], ended: [] })
  const id = await ask('workspace.create_file', { path: 'notes/plan.md', content: '# Plan\n\nFirst.\n' })
  const other = await ask('workspace.create_file', { path: 'b.md', content: 'b' })
  const { pending } = (await get('questions')).json
  expect(pending.map((row: { id: string }) => row.id)).toEqual([id, other])
  expect(pending[0]).toMatchObject({ tool: 'workspace.create_file', caller: 'codex', risk: 'safe_write', target: 'notes/plan.md', workspace: toolpact.workspace, approvedBy: [], peopleNeeded: 1 }) // biome-ignore format: one line
  const detail = (await get(`questions/${id}`)).json
  expect(detail).toMatchObject({
    ...pending[0],
    input: { path: 'notes/plan.md', content: '# Plan\n\nFirst.\n' },
    effects: { reads: [], writes: ['notes/plan.md'], fetches: [], runs: [] },
    sameApproved: 0,
    session: null,
  })
  expect(detail.changes).toEqual([
    {
      path: 'notes/plan.md',
      kind: 'new',
      added: 3,
      removed: 0,
      omitted: 0,
      lines: ['# Plan', '', 'First.'].map((text) => ({ kind: 'added', text })),
    },
  ])
  expect(detail.contractDigest).toMatch(/^sha256:/)
  expect(detail.inputDigest).toMatch(/^sha256:/)
  expect(detail.offers.map((offer: { width: string }) => offer.width)).toContain('exact')
  expect((await get('questions/unknown')).json).toMatchObject({ status: 404, code: 'not_found' })
})

test('a yes runs the call that waits, and the ledger records the person', async () => {
  const { signIn, askAndWait, toolpact } = await openConsole({ toolsets: [asking] })
  const { get, post } = await signIn('Ada')
  const running = askAndWait('test.echo', { text: 'hi' })
  await expect.poll(async () => (await get('questions')).json.pending.length).toBe(1)
  const [{ id, isAwaited }] = (await get('questions')).json.pending
  expect(isAwaited).toBe(true)
  const { answers } = (await post('questions/answer', { ids: [id], answer: 'yes' })).json
  expect(answers).toEqual([{ id, result: 'approved', message: `Approved: ${id.slice(0, 8)} runs now.`, callId: id }])
  const result = await running
  expect(result).toMatchObject({ success: true, output: { said: 'hi' } })
  const [entry] = await toolpact.ledger.read({ callId: result.callId })
  expect(entry!.record).toMatchObject({ approval: { answer: 'yes', by: 'Ada', via: 'console' } })
  expect((await get('questions')).json.ended).toMatchObject([{ id, answer: 'yes', by: 'Ada', caller: 'codex' }])
  expect((await get(`questions/${id}`)).json.detail).toBe('Ada approved this call already.')
})

test('a no ends the call', async () => {
  const { signIn, askAndWait } = await openConsole({ toolsets: [asking] })
  const { get, post } = await signIn('Ada')
  const running = askAndWait('test.echo', { text: 'hi' })
  await expect.poll(async () => (await get('questions')).json.pending.length).toBe(1)
  const [{ id }] = (await get('questions')).json.pending
  expect((await post('questions/answer', { ids: [id], answer: 'no' })).json.answers).toMatchObject([{ result: 'denied' }]) // biome-ignore format: one line
  expect(await running).toMatchObject({ success: false, error: { code: 'approval_denied' } })
})

test('of two people who answer at the same time, the first counts and the second is told', async () => {
  const { signIn, ask } = await openConsole({ toolsets: [asking] })
  const [ada, grace] = [await signIn('Ada'), await signIn('Grace')]
  const id = await ask('test.echo', { text: 'hi' })
  const answers = await Promise.all([
    ada.post('questions/answer', { ids: [id], answer: 'yes' }),
    grace.post('questions/answer', { ids: [id], answer: 'no' }),
  ])
  const given = answers.map(({ json }) => json.answers[0])
  const late = given.findIndex(({ result }) => result === 'answered_before')
  expect(given[1 - late].result).toBe(['approved', 'denied'][1 - late])
  expect(given[late].message).toMatch([/denied already, by Grace\.$/, /approved already, by Ada\.$/][late]!)
})

test('who may only look cannot answer', async () => {
  const { signIn, ask } = await openConsole({ toolsets: [asking] })
  const { get, post } = await signIn('Ada', ['view'])
  const id = await ask('test.echo', { text: 'hi' })
  expect(await post('questions/answer', { ids: [id], answer: 'yes' })).toMatchObject({ status: 403, json: { code: 'right_missing' } }) // biome-ignore format: one line
  expect((await get('questions')).json.pending).toHaveLength(1)
})

test('a yes with a rule saves it under the name of the person, and the same call no longer asks', async () => {
  const { signIn, ask, toolpact } = await openConsole({ toolsets: [asking] })
  const { get, post } = await signIn('Ada', ['view', 'approve'])
  const id = await ask('test.echo', { text: 'hi' })
  const [offer] = (await get(`questions/${id}`)).json.offers
  const rule = { tool: offer.tool, pattern: offer.pattern, action: 'allow' }
  for (const wrong of [{ ...rule, tool: 'learning.hello' }, { ...rule, action: 'deny' }, { ...rule, scope: 'everywhere' }, { ...rule, who: ['*'] }, { ...rule, who: ['codex', 'other'] }])
    expect((await post('questions/answer', { ids: [id], answer: 'yes', rule: wrong })).json).toMatchObject({ code: 'right_missing' }) // biome-ignore format: one line
  const broken = { ...rule, pattern: '(' }
  expect((await post('questions/answer', { ids: [id], answer: 'yes', rule: broken })).json).toMatchObject({ code: 'invalid_request' }) // biome-ignore format: one line
  expect((await get('questions')).json.pending).toHaveLength(1)
  const [answer] = (await post('questions/answer', { ids: [id], answer: 'yes', rule })).json.answers
  expect(answer).toMatchObject({ result: 'approved' })
  expect(answer.message).toMatch(/The rule rule-\w+ was saved\.$/)
  expect((await toolpact.rules.list()).map((listed) => listed.rule)).toMatchObject([{ createdBy: 'Ada', action: 'allow', who: ['codex'] }]) // biome-ignore format: one line
  const call = (name: string) => toolpact.call('test.echo', { text: 'hi' }, { caller: { name } })
  expect(await call('codex')).toMatchObject({ success: true })
  expect(await call('other')).toMatchObject({ success: false })
  expect((await get('rules')).json.rules).toMatchObject([{ who: ['codex'] }])
  expect((await get('questions')).json.ended[0]).toMatchObject({ answer: 'yes', by: 'Ada' })
})

test.each([
  [{}],
  [{ ids: [], answer: 'yes' }],
  [{ ids: ['1'], answer: 'maybe' }],
  [{ ids: ['1'], answer: 'yes', more: 1 }],
  [{ ids: [''], answer: 'no' }],
])('refuses the body %j', async (body) => {
  const { signIn } = await openConsole({ toolsets: [asking] })
  expect((await (await signIn()).post('questions/answer', body)).json).toMatchObject({ code: 'invalid_request' })
})

test('a question that is not there is told, and does not stop the others', async () => {
  const { signIn, ask } = await openConsole({ toolsets: [asking] })
  const { post } = await signIn()
  const id = await ask('test.echo', { text: 'hi' })
  const { answers } = (await post('questions/answer', { ids: ['gone', id], answer: 'no' })).json
  expect(answers.map(({ result }: { result: string }) => result)).toEqual(['expired', 'denied'])
})

test('hidden characters and markup arrive as visible text', async () => {
  const { signIn, ask } = await openConsole({ toolsets: [asking] })
  const { get } = await signIn()
  const text = '<img src=x onerror=alert(1)>\u202eevil\u200b\x1b[31m\u2800'
  const id = await ask('test.echo', { text }, 'co\u202edex')
  const { headers, text: body, json } = await get(`questions/${id}`)
  expect(headers['content-type']).toBe('application/json')
  expect(body).not.toMatch(/[\u202e\u200b\x1b\u2800]|\\u001b|\\u202e/)
  expect(json.input.text).toBe('<img src=x onerror=alert(1)>\\u{202e}evil\\u{200b}\\x1b[31m\\u{2800}')
  expect(json.caller).toBe('co\\u{202e}dex')
})

test('a thousand questions are listed and answered together', async () => {
  const { signIn, ask } = await openConsole({ toolsets: [asking], storage: 'memory' })
  const { get, post } = await signIn()
  for (let number = 0; number < 1000; number++) await ask('test.echo', { text: `${number}` })
  const { pending } = (await get('questions')).json
  expect(pending).toHaveLength(1000)
  const ids = pending.map(({ id }: { id: string }) => id)
  const { answers } = (await post('questions/answer', { ids, answer: 'no' })).json
  expect(answers.every(({ result }: { result: string }) => result === 'denied')).toBe(true)
  expect((await get('overview')).json.questions).toBe(0)
})
