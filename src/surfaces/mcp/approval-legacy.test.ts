import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  accept,
  acceptTool,
  approveInQueue,
  codeOf,
  elicitation,
  intentOf,
  lastOf,
  legacyNote,
  pendingIn,
  refusals,
  waitForQuestion,
} from '../../../test/helpers/approval-calls.ts'
import { openMcpTools } from '../../../test/helpers/mcp-toolset.ts'
import { initialize, openMcpHttp, openMcpStdio, quiet, readEvents } from '../../../test/helpers/open-mcp.ts'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { minReadingMs } from './client-answer.ts'

const short = { ...quiet, waitMs: 50 }
const both = { ...quiet, askIn: () => 'both' as const }

/** Moves the clock on by as long as a person needs to read. */
function read() {
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + minReadingMs)
  onTestFinished(() => clock.mockRestore())
}

const reply = (id: unknown, result: unknown) => ({ jsonrpc: '2.0', id, result })

async function ask(more: Parameters<typeof openMcpStdio>[0] = {}, revision = '2025-11-25') {
  const mcp = await openMcpStdio(more)
  mcp.send(initialize(revision, elicitation), legacyNote(1))
  await mcp.next()
  return { ...mcp, asked: await mcp.next() }
}

test.each(['2025-11-25', '2025-06-18'])('%s: the call waits while the client asks its user', async (revision) => {
  const { send, next, asked, toolpact } = await ask({}, revision)
  expect(asked).toMatchObject({ method: 'elicitation/create', params: { requestedSchema: { type: 'object' } } })
  send(reply('another', accept), reply(asked.id, accept))
  expect((await next()).result.structuredContent).toEqual({ noted: 'hi in notes.txt' })
  const by = expect.stringContaining('the client of stdio')
  expect(await intentOf(toolpact)).toMatchObject({ approval: { answer: 'yes', by, via: 'elicitation' } })
})

test('2025-11-25: if the preview is no longer true when the client answers, it is asked again', async () => {
  const toolpact = await openMcpTools({ workspace: makeFolder() })
  const { send, next, asked } = await ask({ toolpact })
  writeFileSync(join(toolpact.workspace, 'notes.txt'), 'somebody else was here')
  send(reply(asked.id, accept))
  const again = await next()
  expect(again).toMatchObject({ method: 'elicitation/create' })
  expect(again.params.message).toContain('what the call would change, or where, has changed since.')
  send(reply(again.id, accept))
  expect((await next()).result.structuredContent).toEqual({ noted: 'hi in notes.txt' })
})

describe('2025-11-25: a person answers', () => {
  test.each(refusals)('%j, which is a no', async (response) => {
    const { send, next, asked, toolpact } = await ask()
    read()
    send(reply(asked.id, response))
    expect(codeOf(await next())).toBe('approval_denied')
    const by = expect.stringContaining('the user of stdio')
    expect(await lastOf(toolpact)).toMatchObject({ approval: { answer: 'no', by, via: 'elicitation' } })
  })

  test('yes for the tool: the next call does not ask', async () => {
    const { send, next, asked, toolpact } = await ask()
    read()
    send(reply(asked.id, acceptTool))
    expect((await next()).result.isError).toBe(false)
    expect(await intentOf(toolpact)).toMatchObject({ approval: { by: 'the user of stdio' } })
    send(legacyNote(2, { arguments: { text: 'more' } }))
    expect((await next()).result.isError).toBe(false)
    expect(await intentOf(toolpact)).toMatchObject({ approval: null, decision: { action: 'allow' } })
  })

  test.each(refusals)('%j while the queue asks too: a later yes there runs nothing', async (response) => {
    const { send, next, asked, toolpact } = await ask({ asking: both })
    const { id } = await waitForQuestion(toolpact)
    read()
    send(reply(asked.id, response))
    expect(codeOf(await next())).toBe('approval_denied')
    const late = await toolpact.approvals.answer(id, { answer: 'yes', by: 'grace' }, Date.now())
    expect(late).toMatchObject({ taken: false })
    expect((await toolpact.ledger.read()).filter(({ record }) => record.kind === 'intent')).toEqual([])
  })
})

test.each(refusals)('2025-11-25: %j at once means that no person was asked, so the queue decides', async (response) => {
  const { send, next, asked, toolpact } = await ask()
  send(reply(asked.id, response))
  expect(await approveInQueue(toolpact)).toMatchObject({ isAwaited: true })
  expect((await next()).result.isError).toBe(false)
  const note = expect.stringContaining('before a person could read')
  expect(await intentOf(toolpact)).toMatchObject({ approval: { answer: 'yes', by: 'grace', via: 'queue', note } })
})

test('2025-11-25: a headless client gets its answer in time, and the repeated call uses the approval', async () => {
  const { send, next, asked, toolpact } = await ask({ asking: short })
  send(reply(asked.id, { action: 'decline' }))
  const ended = await next()
  expect(codeOf(ended)).toBe('approval_required')
  expect(ended.result.content[0].text).toMatch(/toolpact approvals approve [0-9a-f]{8}.*repeat the same call/)
  expect(await approveInQueue(toolpact)).toMatchObject({ isAwaited: false })
  send(legacyNote(2))
  expect((await next()).result.isError).toBe(false)
})

test('2025-11-25: asked in both places, the first answer counts and the dialog is withdrawn', async () => {
  const { next, asked, toolpact } = await ask({ asking: both })
  expect(await approveInQueue(toolpact)).toMatchObject({ isAwaited: true })
  const messages = [await next(), await next()]
  expect(messages).toContainEqual(
    expect.objectContaining({ id: 1, result: expect.objectContaining({ isError: false }) }),
  )
  const withdrawn = { method: 'notifications/cancelled', params: { requestId: asked.id } }
  expect(messages).toContainEqual(expect.objectContaining(withdrawn))
  expect(await intentOf(toolpact)).toMatchObject({ approval: { by: 'grace', via: 'queue' } })
})

test('2025-11-25: asked in both places, the answer of the client ends the question in the queue', async () => {
  const { send, next, asked, toolpact } = await ask({ asking: both })
  const { id } = await waitForQuestion(toolpact)
  send(reply(asked.id, accept))
  expect((await next()).result.isError).toBe(false)
  expect(await pendingIn(toolpact)).toEqual([])
  expect(await intentOf(toolpact)).toMatchObject({ approval: { answer: 'yes', via: 'elicitation', id } })
})

test('2025-11-25: once the safe time is over, only the dialog can still run the call', async () => {
  const { send, next, asked, toolpact } = await ask({ asking: { ...both, waitMs: 20 } })
  await waitForQuestion(toolpact)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(await approveInQueue(toolpact)).toMatchObject({ isAwaited: false })
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect((await toolpact.ledger.read()).filter(({ record }) => record.kind === 'intent')).toEqual([])
  send(reply(asked.id, { action: 'cancel' }))
  const ended = await next()
  expect(ended).toMatchObject({ id: 1 })
  expect((await toolpact.ledger.read()).filter(({ record }) => record.kind === 'intent')).toEqual([])
})

test('2025-11-25: a call that is cancelled withdraws its questions', async () => {
  for (const asking of [quiet, both]) {
    const { send, next, asked, toolpact } = await ask({ asking })
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    expect(await next()).toMatchObject({ method: 'notifications/cancelled', params: { requestId: asked.id } })
    await expect.poll(() => lastOf(toolpact)).toMatchObject({ kind: 'refusal', errorCode: 'cancelled' })
    await expect.poll(() => pendingIn(toolpact)).toEqual([])
  }
})

test('2025-11-25: no one answers once the client is gone', async () => {
  const { input, next, ended, toolpact } = await ask()
  input.end()
  await next()
  expect(codeOf(await next())).toBe('approval_denied')
  await ended
  expect(await lastOf(toolpact)).toMatchObject({ approval: { answer: 'no', by: 'no one: the client is gone' } })
})

test('2025-11-25: a client that is gone leaves its question, and nothing runs until it comes back', async () => {
  const toolpact = await openMcpTools()
  onTestFinished(() => toolpact.close())
  const first = await openMcpStdio({ toolpact })
  first.send(initialize(), legacyNote(1))
  await first.next()
  await waitForQuestion(toolpact)
  first.input.end()
  await first.ended
  expect(await approveInQueue(toolpact)).toMatchObject({ isAwaited: false })
  expect((await toolpact.ledger.read()).filter(({ record }) => record.kind === 'intent')).toEqual([])
  const second = await openMcpStdio({ toolpact })
  second.send(initialize(), legacyNote(1))
  await second.next()
  expect((await second.next()).result.isError).toBe(false)
})

test('2025-11-25: a client that cannot ask after all is asked about in the queue', async () => {
  const { send, next, asked, toolpact } = await ask()
  send({ jsonrpc: '2.0', id: asked.id, error: { code: -32601, message: 'no' } })
  await approveInQueue(toolpact)
  expect((await next()).result.isError).toBe(false)
})

test('2025-11-25: a client without elicitation is asked about in the queue', async () => {
  const { send, next, toolpact } = await openMcpStdio()
  send(initialize(), legacyNote(1))
  await next()
  await approveInQueue(toolpact)
  expect((await next()).result.isError).toBe(false)
})

test('a client that gives up silently is answered before that, and its call never runs later', async () => {
  const { send, next, toolpact } = await openMcpStdio({ asking: { ...short, maxWaitMs: 600_000 } })
  send(initialize('2024-11-05'), legacyNote(1))
  await next()
  expect(codeOf(await next())).toBe('approval_required')
  await approveInQueue(toolpact)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect((await toolpact.ledger.read()).filter(({ record }) => record.kind === 'intent')).toEqual([])
})

test('over HTTP, a client whose connection closed does not run the call; progress is streamed while it waits', async () => {
  const { post, begin, toolpact } = await openMcpHttp({ asking: { ...quiet, progressMs: 20 } })
  const headers = await begin()
  const stop = new AbortController()
  const response = await post(legacyNote(1, { _meta: { progressToken: 'p' } }), headers, stop.signal)
  const events = readEvents(response)
  expect((await events.next()).value).toMatchObject({
    method: 'notifications/progress',
    params: { progress: 1, message: expect.stringContaining('toolpact approvals approve') },
  })
  stop.abort()
  await events.next().catch(() => {})
  await expect.poll(() => lastOf(toolpact)).toMatchObject({ kind: 'refusal', errorCode: 'approval_required' })
  expect(await approveInQueue(toolpact)).toMatchObject({ isAwaited: false })
  const again = await post(legacyNote(2), headers)
  expect(await again.json()).toMatchObject({ result: { isError: false } })
})

test('2025-11-25: a question opens in the console, which alone answers it', async () => {
  const findConsole = async () => 'http://127.0.0.1:7420'
  const asking = { ...quiet, askIn: () => 'console' as const, findConsole }
  const { send, next, toolpact } = await openMcpStdio({ asking })
  send(initialize('2025-11-25', { elicitation: { url: {} } }), legacyNote(2))
  await next()
  const asked = await next()
  const { id } = await waitForQuestion(toolpact)
  expect(asked).toMatchObject({
    method: 'elicitation/create',
    params: { mode: 'url', elicitationId: id, url: `http://127.0.0.1:7420/console/inbox/${id}` },
  })
  // Even an answer in the form of a dialog only means that the page was opened.
  send(reply(asked.id, accept))
  expect(await approveInQueue(toolpact)).toMatchObject({ isAwaited: true })
  expect(await next()).toMatchObject({
    method: 'notifications/elicitation/complete',
    params: { elicitationId: id },
  })
  expect(await next()).toMatchObject({ id: 2, result: { isError: false } })
  expect(await intentOf(toolpact)).toMatchObject({ approval: { by: 'grace', via: 'queue' } })
})

test('2025-11-25: a client that may not answer for its user is not asked, and its call waits in the queue', async () => {
  const toolpact = await openMcpTools({ config: { approvers: [{ who: ['grace'] }] } })
  const { send, next } = await openMcpStdio({ toolpact, asking: both })
  send(initialize('2025-11-25', elicitation), legacyNote(2))
  await next()
  expect(await approveInQueue(toolpact)).toMatchObject({ isAwaited: true })
  expect(await next()).toMatchObject({ id: 2, result: { isError: false } })
})
