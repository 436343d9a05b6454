import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openConsole } from '../../../test/helpers/open-console.ts'
import { defineEcho } from '../../../test/helpers/open-test-pipeline.ts'
import { defineToolset } from '../../contract/define-toolset.ts'

const asking = defineToolset('test', [defineEcho({ approval: 'ask' })])

test('lists tools by page and toolset, and finds them by words and by a part of their name', async () => {
  const { signIn, toolpact } = await openConsole()
  const { get } = await signIn('Ada', ['view'])
  const all = (await toolpact.catalog.all()).map(({ id }) => id)
  const first = (await get('tools?limit=3&offset=0')).json
  const second = (await get('tools?limit=3&offset=3')).json
  expect([...first.tools, ...second.tools].map(({ id }: { id: string }) => id)).toEqual(all.slice(0, 6))
  expect(first.total).toBe(all.length)
  const sum = first.toolsets.reduce((count: number, { tools }: { tools: number }) => count + tools, 0)
  expect(sum).toBe(all.length)
  const { tools, total } = (await get('tools?toolset=workspace&limit=500')).json
  expect(tools).toHaveLength(total)
  expect(new Set(tools.map(({ toolset }: { toolset: string }) => toolset))).toEqual(new Set(['workspace']))
  expect((await get('tools?text=write+a+new+file')).json.tools[0].id).toBe('workspace.create_file')
  const part = (await get('tools?text=create_fi')).json.tools
  expect(part.map(({ id }: { id: string }) => id)).toContain('workspace.create_file')
  expect((await get('tools?text=zzzz')).json).toMatchObject({ tools: [], total: 0 })
  expect((await get('tools?limit=none')).json).toMatchObject({ status: 400, code: 'invalid_request' })
})

test('shows the contract that is enforced, the name that clients see, and how calls ended', async () => {
  const { signIn, toolpact } = await openConsole({ toolsets: [asking, 'learning'] })
  const { get } = await signIn('Ada', ['view'])
  await toolpact.call('test.echo', { text: 1 })
  const shown = (await get('tools/test.echo')).json
  expect(shown).toMatchObject({
    id: 'test.echo',
    servedAs: 'test_echo',
    isUpstream: false,
    approval: 'ask',
    contract: { name: 'echo', input: { required: ['text'] } },
    calls: { total: 1, failed: 0, refused: 1, since: expect.any(String) },
    notes: [],
  })
  expect(shown.contractDigest).toMatch(/^sha256:/)
  expect(shown.tokens).toBeGreaterThan(50)
  expect((await get('tools/learning.hello')).json.calls).toEqual({ total: 0, failed: 0, refused: 0, since: null })
  expect((await get('tools/echo')).json).toMatchObject({ status: 404, code: 'not_found' })
})

test('foresees problems, the decision and the changes, and runs and records nothing', async () => {
  const { signIn, toolpact } = await openConsole()
  const { post } = await signIn('Ada')
  writeFileSync(join(toolpact.workspace, 'a.txt'), 'old\n')
  const before = await toolpact.ledger.head()
  const foresee = (input: object, by = post) => by('tools/workspace.create_file/foresee', { input })
  const wrong = (await foresee({ path: 7 })).json
  expect(wrong.valid).toBe(false)
  expect(wrong.problems.map(({ pointer }: { pointer: string }) => pointer)).toContain('/path')
  expect((await foresee({ path: 'b.txt', content: 'new\n' })).json).toEqual({
    valid: true,
    action: 'ask',
    rule: 'contract',
    reason: expect.any(String),
    changes: [
      { path: 'b.txt', kind: 'new', added: 1, removed: 0, omitted: 0, lines: [{ kind: 'added', text: 'new' }] },
    ],
  })
  await toolpact.rules.add({ tool: 'workspace.create_file', pattern: '*', action: 'deny', createdBy: 'Ada' })
  expect((await foresee({ path: 'b.txt', content: 'new\n' })).json).toMatchObject({ action: 'deny', changes: [] })
  expect(readdirSync(toolpact.workspace)).toEqual(['a.txt'])
  expect(await toolpact.ledger.head()).toEqual(before)
  expect((await post('tools/workspace.none/foresee', { input: {} })).status).toBe(404)
})

test('foresees what the tool itself refuses, and what follows from what the person has read', async () => {
  const { signIn, toolpact } = await openConsole({ toolsets: ['workspace', 'web-fetch'], dataFlow: 'session' })
  const { post } = await signIn('Ada')
  writeFileSync(join(toolpact.workspace, '.env'), 'KEY=SECRET\n')
  const read = (path: string) => post('tools/workspace.read_file/foresee', { input: { path } })
  const missing = (await read('absent.txt')).json
  expect(missing).toMatchObject({ action: 'allow', changes: [], error: { code: 'file_not_found' } })
  const called = (await post('tools/workspace.read_file/call', { input: { path: 'absent.txt' } })).json
  expect(missing.error.message).toBe(called.error.message)
  expect((await read('.env')).json).not.toHaveProperty('error')
  const fetch = async () =>
    (await post('tools/web-fetch.web.fetch/foresee', { input: { url: 'https://example.com/' } })).json
  expect(await fetch()).toMatchObject({ action: 'allow', rule: 'contract' })
  await post('tools/workspace.read_file/call', { input: { path: '.env' } })
  expect(await fetch()).toMatchObject({ action: 'ask', rule: 'data-flow', reason: expect.stringContaining('.env') })
})

test('who may only look sees the decision but not the content of files, and cannot call', async () => {
  const { signIn } = await openConsole()
  const { post } = await signIn('Ada', ['view', 'approve'])
  const input = { path: 'b.txt', content: 'new\n' }
  expect((await post('tools/workspace.create_file/foresee', { input })).json).toMatchObject({ action: 'ask', changes: [] }) // biome-ignore format: one line
  expect((await post('tools/workspace.create_file/call', { input })).json).toMatchObject({ status: 403, code: 'right_missing' }) // biome-ignore format: one line
})

test('calls a tool as the person through every check, and a call that asks waits in the inbox', async () => {
  const { signIn, toolpact } = await openConsole({ toolsets: [asking, 'learning'] })
  const { get, post } = await signIn('Ada')
  const call = (input: object) => post('tools/test.echo/call', { input })
  expect((await call({ text: 'hi', times: 0 })).json).toMatchObject({
    success: false,
    error: { code: 'invalid_input', problems: [{ pointer: '/times' }] },
  })
  const asked = (await call({ text: 'hi' })).json
  expect(asked).toMatchObject({ success: false, error: { code: 'approval_required' } })
  const { questionId } = asked.error
  expect((await get('questions')).json.pending).toMatchObject([{ id: questionId, caller: 'Ada' }])
  await post('questions/answer', { ids: [questionId], answer: 'yes' })
  const ran = (await call({ text: 'hi' })).json
  expect(ran).toMatchObject({ success: true, output: { said: 'hi' } })
  const [entry] = await toolpact.ledger.read({ callId: ran.callId })
  expect(entry!.record).toMatchObject({ caller: { name: 'Ada' }, approval: { answer: 'yes', by: 'Ada' } })
})
