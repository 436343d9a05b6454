import { expect, onTestFinished, test } from 'vitest'
import { openMcpTools } from '../../../test/mcp-toolset.ts'
import { initialize, modernMeta, openMcpStdio, quiet } from '../../../test/open-mcp.ts'
import type { Toolpact } from '../../app.ts'

const elicitation = { elicitation: {} }
const accept = { action: 'accept', content: { decision: 'approve' } }

const note = (id: number, params: object = {}, capabilities: object = elicitation) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'note', arguments: { text: 'hi' }, _meta: modernMeta(capabilities as never), ...params },
})

async function askModern(more: Parameters<typeof openMcpStdio>[0] = {}) {
  const mcp = await openMcpStdio(more)
  mcp.send(note(1))
  const { result } = await mcp.next()
  return { ...mcp, result, state: result.requestState as string }
}

const lastOf = async ({ ledger }: Toolpact) => (await ledger.read({ last: 1 }))[0]!.record

test('2026-07-28: the call ends with a question, and runs when it comes back with a yes', async () => {
  const { send, next, result, state, toolpact } = await askModern()
  expect(result).toMatchObject({
    resultType: 'input_required',
    inputRequests: {
      approval: { method: 'elicitation/create', params: { message: expect.stringContaining('May test.note run?') } },
    },
  })
  send(note(2, { inputResponses: { approval: accept, other: 5 }, requestState: state }))
  expect((await next()).result).toMatchObject({
    resultType: 'complete',
    structuredContent: { noted: 'hi in notes.txt' },
  })
  const [intent] = (await toolpact.ledger.read({ last: 2 })).map(({ record }) => record)
  expect(intent).toMatchObject({
    kind: 'intent',
    approval: { answer: 'yes', by: 'stdio by MCP elicitation', via: 'elicitation', id: state },
  })
})

test('2026-07-28: a yes counts once', async () => {
  const { send, next, state } = await askModern()
  const again = { inputResponses: { approval: accept }, requestState: state }
  send(note(2, again))
  expect((await next()).result.isError).toBe(false)
  send(note(3, again))
  expect((await next()).result._meta['toolpact/error'].code).toBe('approval_timeout')
})

test.each([{ action: 'decline' }, { action: 'cancel' }, { action: 'accept', content: { decision: 'deny' } }])(
  '2026-07-28: %j is a no',
  async (response) => {
    const { send, next, state, toolpact } = await askModern()
    send(note(2, { inputResponses: { approval: response }, requestState: state }))
    expect((await next()).result._meta['toolpact/error'].code).toBe('approval_denied')
    expect(await toolpact.approvals.look(state, Date.now())).toMatchObject({ state: 'answered', answer: 'no' })
  },
)

test('2026-07-28: whoever comes back without an answer is asked the same question again', async () => {
  const { send, next, result, state } = await askModern()
  for (const params of [{}, { requestState: state }, { requestState: state, inputResponses: { approval: 7 } }]) {
    send(note(2, params))
    expect((await next()).result).toEqual(result)
  }
})

test('2026-07-28: an answer counts for exactly the call that was asked about', async () => {
  const { send, next, state, toolpact } = await askModern()
  const answer = { inputResponses: { approval: accept } }
  const refused = async (params: object) => {
    send(note(2, { ...answer, ...params }))
    expect((await next()).error?.code, JSON.stringify(params)).toBe(-32602)
  }
  await refused({ requestState: `${state}-changed` })
  await refused({ requestState: state, arguments: { text: 'something else' } })
  await refused({ requestState: state, arguments: { text: 'hi', path: 'other.txt' } })
  expect(await toolpact.approvals.look(state, Date.now())).toEqual({ state: 'pending' })
  send(note(3, { ...answer, requestState: state, arguments: { path: 'notes.txt', text: 'hi' } }))
  expect((await next()).result.isError).toBe(false)
})

test('2026-07-28: nobody answers what another caller was asked', async () => {
  const toolpact = await openMcpTools()
  onTestFinished(() => toolpact.close())
  const { state } = await askModern({ toolpact, caller: { name: 'ada' } })
  const { send, next } = await openMcpStdio({ toolpact, caller: { name: 'eve' } })
  send(note(1, { inputResponses: { approval: accept }, requestState: state }))
  expect((await next()).error.code).toBe(-32602)
  expect(await toolpact.approvals.look(state, Date.now())).toEqual({ state: 'pending' })
})

test('2026-07-28: what somebody answered in the queue meanwhile stands', async () => {
  const { send, next, state, toolpact } = await askModern()
  await toolpact.approvals.answer(state, { answer: 'no', by: 'grace' }, Date.now())
  send(note(2, { inputResponses: { approval: accept }, requestState: state }))
  const error = (await next()).result._meta['toolpact/error']
  expect(error).toMatchObject({ code: 'approval_denied', message: expect.stringContaining('grace') })
})

test.each(['2025-11-25', '2025-06-18'])('%s: the call waits while the client asks its user', async (revision) => {
  const { send, next, toolpact } = await openMcpStdio()
  send(initialize(revision, elicitation), { ...note(1), params: { name: 'note', arguments: { text: 'hi' } } })
  await next()
  const asked = await next()
  expect(asked).toMatchObject({ method: 'elicitation/create', params: { requestedSchema: { type: 'object' } } })
  send({ jsonrpc: '2.0', id: 'another', result: accept }, { jsonrpc: '2.0', id: asked.id, result: accept })
  expect((await next()).result.structuredContent).toEqual({ noted: 'hi in notes.txt' })
  const [intent] = (await toolpact.ledger.read({ last: 2 })).map(({ record }) => record)
  expect(intent).toMatchObject({ approval: { answer: 'yes', by: 'stdio by MCP elicitation', via: 'elicitation' } })
})

async function askLegacy(more: Parameters<typeof openMcpStdio>[0] = {}) {
  const mcp = await openMcpStdio(more)
  mcp.send(initialize('2025-11-25', elicitation), { ...note(1), params: { name: 'note', arguments: { text: 'hi' } } })
  await mcp.next()
  return { ...mcp, asked: await mcp.next() }
}

test('2025-11-25: a no is a no', async () => {
  const { send, next, asked } = await askLegacy()
  send({ jsonrpc: '2.0', id: asked.id, result: { action: 'decline' } })
  expect((await next()).result._meta['toolpact/error'].code).toBe('approval_denied')
})

test('2025-11-25: a call that is cancelled takes its question back', async () => {
  const { send, next, asked, toolpact } = await askLegacy()
  send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
  expect(await next()).toMatchObject({ method: 'notifications/cancelled', params: { requestId: asked.id } })
  await expect.poll(() => lastOf(toolpact)).toMatchObject({ kind: 'refusal', errorCode: 'cancelled' })
})

test('2025-11-25: nobody answers once the client is gone', async () => {
  const { input, next, ended, toolpact } = await askLegacy()
  input.end()
  await next()
  expect((await next()).result._meta['toolpact/error'].code).toBe('approval_denied')
  await ended
  expect(await lastOf(toolpact)).toMatchObject({ approval: { answer: 'no', via: 'elicitation' } })
})

test('2025-11-25: a client that cannot ask after all leaves it to the queue', async () => {
  const { send, next, asked, toolpact } = await askLegacy()
  send({ jsonrpc: '2.0', id: asked.id, error: { code: -32601, message: 'no' } })
  await approveInQueue(toolpact)
  expect((await next()).result.isError).toBe(false)
})

test.each([
  ['2026-07-28', {}],
  ['2026-07-28', { elicitation: { url: {} } }],
])('%s: a client with %j waits for whoever looks into the queue', async (_, capabilities) => {
  const waiting: string[] = []
  const asking = { ...quiet, onWaiting: (_: unknown, id: string) => waiting.push(id) }
  const { send, next, toolpact } = await openMcpStdio({ asking })
  send(note(1, {}, capabilities))
  await approveInQueue(toolpact)
  expect((await next()).result).toMatchObject({ resultType: 'complete', isError: false })
  expect(waiting).toHaveLength(1)
})

test('2025-11-25: a client without elicitation waits for the queue', async () => {
  const { send, next, toolpact } = await openMcpStdio()
  send(initialize(), { ...note(1), params: { name: 'note', arguments: { text: 'hi' } } })
  await next()
  await approveInQueue(toolpact)
  expect((await next()).result.isError).toBe(false)
})

test('where the operator says yes to everything, nobody is asked', async () => {
  const always = async () => ({ answer: 'yes', by: 'the operator' }) as const
  const { send, next } = await openMcpStdio({ asking: { ...quiet, always } })
  send(note(1))
  expect((await next()).result).toMatchObject({ resultType: 'complete', isError: false })
})

test('where nobody waits, a client that cannot ask is refused at once', async () => {
  const { send, next } = await openMcpStdio({ asking: { ...quiet, waitMs: 0 } })
  send(note(1, {}, {}))
  expect((await next()).result._meta['toolpact/error'].code).toBe('approval_denied')
})

async function approveInQueue({ approvals }: Toolpact) {
  const pending = async () => (await approvals.questions(Date.now())).filter(({ state }) => state === 'pending')
  await expect.poll(pending).toHaveLength(1)
  const [question] = await pending()
  await approvals.answer(question!.id, { answer: 'yes', by: 'grace' }, Date.now())
}
