import { expect, test } from 'vitest'
import { openMcpTools } from '../../../test/helpers/mcp-toolset.ts'
import { initialize, modernMeta, openMcpHttp, openMcpStdio, readJson } from '../../../test/helpers/open-mcp.ts'
import { openToolpact } from '../../app/app.ts'

const call = (id: number, query: unknown, more: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'echo', arguments: { text: 'hi' }, _meta: { 'toolpact/query': query }, ...more },
})

const codeOf = ({ result }: { result: { isError: boolean; _meta?: Record<string, { code: string }> } }) =>
  result.isError ? result._meta?.['toolpact/error']?.code : 'success'

test('a query makes one call, and calls that name none are not bound', async () => {
  const { send, next } = await openMcpStdio()
  send(initialize())
  await next()
  const codes: unknown[] = []
  for (const query of ['q', 'q', 'other', 'other', 'q']) {
    send(call(1, query))
    codes.push(codeOf(await next()))
  }
  expect(codes).toEqual(['success', 'single_step', 'success', 'single_step', 'single_step'])
  for (let again = 0; again < 2; again++) {
    send(call(1, 'q', { _meta: {} }))
    expect(codeOf(await next())).toBe('success')
  }
})

test.each(['', 'x'.repeat(257), 5, null, { id: 'q' }])('%j is no query', async (query) => {
  const { send, next } = await openMcpStdio()
  send(initialize(), call(1, query))
  await next()
  expect((await next()).error).toMatchObject({ code: -32602, message: expect.stringContaining('toolpact/query') })
})

test('2026-07-28: callers have queries of their own, and sessions do not matter', async () => {
  const { modern, begin, post } = await openMcpHttp()
  const params = { name: 'echo', arguments: { text: 'hi' }, _meta: modernMeta({}, { 'toolpact/query': 'q' }) }
  const callAs = async (name: string) =>
    codeOf(await readJson(await modern('tools/call', params, { 'X-Caller': name })))
  expect(await callAs('ada')).toBe('success')
  expect(await callAs('eve')).toBe('success')
  expect(await callAs('ada')).toBe('single_step')
  const session = await begin('2025-11-25', {}, { 'X-Caller': 'ada' })
  expect(codeOf(await readJson(await post(call(1, 'q'), session)))).toBe('single_step')
})

test('2026-07-28: a call that asks its user and comes back is one call', async () => {
  const { send, next } = await openMcpStdio()
  const note = (id: number, params: object = {}) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: {
      name: 'note',
      arguments: { text: 'hi' },
      _meta: modernMeta({ elicitation: {} }, { 'toolpact/query': 'q' }),
      ...params,
    },
  })
  send(note(1))
  const { requestState } = (await next()).result
  send(note(2, { arguments: { text: 'something else' } }))
  expect(codeOf(await next())).toBe('single_step')
  const approval = { action: 'accept', content: { decision: 'approve' } }
  send(note(3, { requestState, inputResponses: { approval } }))
  expect((await next()).result.structuredContent).toEqual({ noted: 'hi in notes.txt' })
  send(note(4))
  expect(codeOf(await next())).toBe('single_step')
})

test('a config that demands queries refuses calls without one, and says what to send', async () => {
  const other = await openMcpTools()
  const { tool } = (await other.catalog.all()).find(({ name }) => name === 'echo')!
  await other.close()
  const toolpact = await openToolpact({
    storage: 'memory',
    toolsets: [{ name: 'test', description: 'A test.', tools: [tool] }],
    config: { policy: { requireQuery: true } },
  })
  const { send, next, input } = await openMcpStdio({ toolpact })
  send(initialize(), call(1, undefined), call(2, 'q'))
  await next()
  const refused = await next()
  expect(codeOf(refused)).toBe('single_step')
  expect(refused.result.content[0].text).toContain('_meta["toolpact/query"]')
  expect(codeOf(await next())).toBe('success')
  input.end()
  await toolpact.close()
})
