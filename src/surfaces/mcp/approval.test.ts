import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  accept,
  acceptTool,
  approveInQueue,
  codeOf,
  intentOf,
  lastOf,
  note,
  pendingIn,
  refusals,
  waitForQuestion,
} from '../../../test/helpers/approval-calls.ts'
import { openMcpTools } from '../../../test/helpers/mcp-toolset.ts'
import { modernMeta, openMcpStdio, quiet } from '../../../test/helpers/open-mcp.ts'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { RequestStates } from './request-state.ts'

const stateKey = Buffer.from('a key that the test knows')

/** As the server signs it for its client. */
function signState(id: string, at?: number): Promise<string> {
  const request = { kind: 'request', id: 0, method: 'tools/call', params: { name: 'note' } } as const
  return new RequestStates(async () => stateKey, 'stdio', request).sign(id, at)
}

const short = { ...quiet, waitMs: 50 }

async function askModern(more: Parameters<typeof openMcpStdio>[0] = {}) {
  const mcp = await openMcpStdio({ stateKey, ...more })
  mcp.send(note(1))
  const { result } = await mcp.next()
  const state = result.requestState as string
  const id = state.split('.')[0]!
  /** The state of a question that was shown for a minute. */
  const read = await signState(id, Date.now() - 60_000)
  return { ...mcp, result, state, id, read }
}

/** After the progress of the tool. */
async function nextResult(next: Awaited<ReturnType<typeof openMcpStdio>>['next']) {
  for (;;) {
    const { result } = await next()
    if (result) return result
  }
}

test('2026-07-28: the call ends with a question, and runs when it comes back with a yes', async () => {
  const { send, next, result, read, id, toolpact } = await askModern()
  expect(result).toMatchObject({
    resultType: 'input_required',
    inputRequests: {
      approval: {
        method: 'elicitation/create',
        params: {
          message: expect.stringMatching(
            /^Tool: note\nParameters:\n[\s\S]*\nFiles affected: notes\.txt\nRisk level: safe_write\n/,
          ),
        },
      },
    },
  })
  send(note(2, { inputResponses: { approval: accept, other: 5 }, requestState: read }))
  expect((await next()).result).toMatchObject({
    resultType: 'complete',
    structuredContent: { noted: 'hi in notes.txt' },
  })
  const approval = { answer: 'yes', by: 'the user of stdio', via: 'elicitation', id }
  expect(await intentOf(toolpact)).toMatchObject({ kind: 'intent', approval })
})

test('2026-07-28: a yes to a preview that is no longer true is answered with the new question', async () => {
  const toolpact = await openMcpTools({ workspace: makeFolder() })
  const { send, next, read, id } = await askModern({ toolpact })
  writeFileSync(join(toolpact.workspace, 'notes.txt'), 'somebody else was here')
  send(note(2, { inputResponses: { approval: accept }, requestState: read }))
  const { result } = await next()
  expect(result).toMatchObject({ resultType: 'input_required' })
  const { message } = result.inputRequests.approval.params
  expect(message).toContain('does not count: what the call would change, or where, has changed since.')
  expect(message).toContain(`Folder: ${toolpact.workspace}`)
  expect(result.requestState).not.toContain(id)
  send(note(3, { inputResponses: { approval: accept }, requestState: result.requestState }))
  expect((await next()).result).toMatchObject({ resultType: 'complete', isError: false })
})

test('2026-07-28: a yes that came at once is recorded as that of the client, not of a person', async () => {
  const { send, next, state, toolpact } = await askModern()
  send(note(2, { inputResponses: { approval: accept }, requestState: state }))
  expect((await next()).result.isError).toBe(false)
  const by = expect.stringMatching(/^the client of stdio, after \d+ ms$/)
  expect(await intentOf(toolpact)).toMatchObject({ approval: { answer: 'yes', by, via: 'elicitation' } })
})

test('2026-07-28: a yes counts once', async () => {
  const { send, next, state } = await askModern()
  const again = { inputResponses: { approval: accept }, requestState: state }
  send(note(2, again))
  expect((await next()).result.isError).toBe(false)
  send(note(3, again))
  expect(codeOf(await next())).toBe('approval_timeout')
})

test.each(refusals)('2026-07-28: %j is a no once a person had time to read', async (response) => {
  const { send, next, read, id, toolpact } = await askModern()
  send(note(2, { inputResponses: { approval: response }, requestState: read }))
  expect(codeOf(await next())).toBe('approval_denied')
  const by = expect.stringContaining('the user of stdio')
  expect(await lastOf(toolpact)).toMatchObject({ approval: { answer: 'no', by, via: 'elicitation' } })
  expect(await toolpact.approvals.answer(id, { answer: 'yes', by: 'grace' }, Date.now())).toMatchObject({
    taken: false,
  })
  send(note(3))
  expect((await next()).result.resultType).toBe('input_required')
})

test.each(refusals)('2026-07-28: %j at once means that no person was asked, so the queue decides', async (response) => {
  const { send, next, state, id, toolpact } = await askModern()
  const _meta = { ...modernMeta({ elicitation: {} }), progressToken: 1 }
  send(note(2, { inputResponses: { approval: response }, requestState: state, _meta }))
  expect(await next()).toMatchObject({ method: 'notifications/progress' })
  expect((await waitForQuestion(toolpact)).id).toBe(id)
  await approveInQueue(toolpact)
  expect(await nextResult(next)).toMatchObject({ resultType: 'complete', isError: false })
  const approval = {
    answer: 'yes',
    by: 'grace',
    via: 'queue',
    note: expect.stringContaining('before a person could read'),
  }
  expect(await intentOf(toolpact)).toMatchObject({ approval })
})

test('2026-07-28: a headless client gets its answer in time, and the repeated call uses the approval', async () => {
  const { send, next, state, toolpact } = await askModern({ asking: short })
  send(note(2, { inputResponses: { approval: { action: 'cancel' } }, requestState: state }))
  const reply = await next()
  const [question] = await pendingIn(toolpact)
  expect(codeOf(reply)).toBe('approval_required')
  expect(reply.result).toMatchObject({ resultType: 'complete', isError: true })
  const { text } = reply.result.content[0]
  for (const part of [
    'note',
    'notes.txt',
    `toolpact approvals approve ${question!.id.slice(0, 8)}`,
    'repeat the same call',
  ])
    expect(text).toContain(part)
  expect(await lastOf(toolpact)).toMatchObject({ approval: { answer: 'later', by: 'no one yet', via: 'queue' } })
  expect(await approveInQueue(toolpact)).toMatchObject({ isAwaited: false })
  send(note(3))
  expect((await next()).result).toMatchObject({ resultType: 'complete', isError: false })
  send(note(4))
  expect((await next()).result.resultType).toBe('input_required')
})

test.each(refusals)('2026-07-28: after %j an approval that the queue gave before runs nothing', async (response) => {
  for (const slowly of [true, false]) {
    const { send, next, state, read, toolpact } = await askModern()
    expect(await approveInQueue(toolpact)).toMatchObject({ isAwaited: false })
    send(note(2, { inputResponses: { approval: response }, requestState: slowly ? read : state }))
    expect(codeOf(await next())).toBe('approval_denied')
    send(note(3))
    expect((await next()).result.resultType).toBe('input_required')
  }
})

test('2026-07-28: a client that comes back without an answer is asked the same question again', async () => {
  const { send, next, result, state, id } = await askModern()
  for (const params of [{}, { requestState: state }, { requestState: state, inputResponses: { approval: 7 } }]) {
    send(note(2, params))
    const again = (await next()).result
    expect(again).toEqual({ ...result, requestState: again.requestState })
    expect(again.requestState.split('.')[0]).toBe(id)
  }
})

test('2026-07-28: an answer counts for exactly the call that was asked about', async () => {
  const { send, next, state, id, toolpact } = await askModern()
  const answer = { inputResponses: { approval: accept } }
  const refused = async (params: object) => {
    send(note(2, { ...answer, ...params }))
    expect((await next()).error?.code, JSON.stringify(params)).toBe(-32602)
  }
  await refused({ requestState: `x${state}` })
  await refused({ requestState: 'x' })
  await refused({ requestState: state, arguments: { text: 'something else' } })
  await refused({ requestState: state, arguments: { text: 'hi', path: 'other.txt' } })
  expect(await toolpact.approvals.look(id, Date.now())).toEqual({ state: 'pending' })
  send(note(3, { ...answer, requestState: state, arguments: { path: 'notes.txt', text: 'hi' } }))
  expect((await next()).result.isError).toBe(false)
})

test('2026-07-28: no caller answers what another caller was asked, or uses its approval', async () => {
  const toolpact = await openMcpTools()
  onTestFinished(() => toolpact.close())
  const { state, id } = await askModern({ toolpact, caller: { name: 'ada' } })
  const { send, next } = await openMcpStdio({ toolpact, stateKey, caller: { name: 'eve' } })
  send(note(1, { inputResponses: { approval: accept }, requestState: state }))
  expect((await next()).error.code).toBe(-32602)
  expect(await toolpact.approvals.look(id, Date.now())).toEqual({ state: 'pending' })
  await toolpact.approvals.answer(id, { answer: 'yes', by: 'grace' }, Date.now())
  send(note(2))
  expect((await next()).result.resultType).toBe('input_required')
})

test('2026-07-28: a client that was restarted uses the approval that it was given meanwhile', async () => {
  const toolpact = await openMcpTools()
  onTestFinished(() => toolpact.close())
  const first = await askModern({ toolpact })
  first.input.end()
  await first.ended
  await approveInQueue(toolpact)
  const { send, next } = await openMcpStdio({ toolpact })
  send(note(1))
  expect((await next()).result).toMatchObject({ resultType: 'complete', isError: false })
})

test('2026-07-28: an answer that the queue gave first counts', async () => {
  const { send, next, state, id, toolpact } = await askModern()
  await toolpact.approvals.answer(id, { answer: 'no', by: 'grace' }, Date.now())
  send(note(2, { inputResponses: { approval: accept }, requestState: state }))
  const error = (await next()).result._meta['toolpact/error']
  expect(error).toMatchObject({ code: 'approval_denied', message: expect.stringContaining('grace') })
})

test('2026-07-28: a yes for the tool saves a rule, unless it came too fast to be a person', async () => {
  const { send, next, state, toolpact } = await askModern()
  send(note(2, { inputResponses: { approval: acceptTool }, requestState: state }))
  expect((await next()).result.isError).toBe(false)
  expect(await toolpact.rules.list()).toEqual([])
  send(note(3))
  const id = (await next()).result.requestState.split('.')[0]
  send(note(4, { inputResponses: { approval: acceptTool }, requestState: await signState(id, Date.now() - 60_000) }))
  expect((await next()).result.isError).toBe(false)
  expect(await toolpact.rules.list()).toMatchObject([{ rule: { tool: 'test.note', pattern: '*', action: 'allow' } }])
  send(note(5, { arguments: { text: 'another', path: 'other.txt' } }))
  expect((await next()).result).toMatchObject({ resultType: 'complete', isError: false })
})

test.each([
  ['2026-07-28', {}],
  ['2026-07-28', { elicitation: { url: {} } }],
])('%s: a client with %j is asked about in the queue', async (_, capabilities) => {
  const waiting: string[] = []
  const asking = { ...quiet, onWaiting: (_: unknown, id: string) => waiting.push(id) }
  const { send, next, toolpact } = await openMcpStdio({ asking })
  send(note(1, {}, capabilities))
  expect(await approveInQueue(toolpact)).toMatchObject({ isAwaited: true })
  expect((await next()).result).toMatchObject({ resultType: 'complete', isError: false })
  expect(waiting).toHaveLength(1)
})

test('the operator decides per caller where it is asked', async () => {
  const asking = { ...quiet, askIn: ({ name }: { name: string }) => (name === 'ci' ? 'queue' : 'client') } as const
  const { send, next, toolpact } = await openMcpStdio({ asking, caller: { name: 'ci' } })
  send(note(1))
  await approveInQueue(toolpact)
  expect((await next()).result).toMatchObject({ resultType: 'complete', isError: false })
  expect((await askModern({ asking })).result.resultType).toBe('input_required')
})

test('if the operator says yes to everything, no one is asked', async () => {
  const always = async () => ({ answer: 'yes', by: 'the operator' }) as const
  const { send, next } = await openMcpStdio({ asking: { ...quiet, always } })
  send(note(1))
  expect((await next()).result).toMatchObject({ resultType: 'complete', isError: false })
})

test('without waiting, the question is left in the queue and the call ends at once', async () => {
  const { send, next, toolpact } = await openMcpStdio({ asking: { ...quiet, waitMs: 0 } })
  send(note(1, {}, {}))
  expect(codeOf(await next())).toBe('approval_required')
  await approveInQueue(toolpact)
  send(note(2, {}, {}))
  expect((await next()).result.isError).toBe(false)
})

test('while a call waits, progress says so; the numbers of the tool follow after it', async () => {
  const { send, next, toolpact } = await openMcpStdio({ asking: { ...quiet, progressMs: 20 } })
  send(note(1, { _meta: modernMeta({}, { progressToken: 'p' }) }))
  const first = await next()
  const { id } = await waitForQuestion(toolpact)
  const message = `Waiting for approval of note (notes.txt). Run: toolpact approvals approve ${id.slice(0, 8)}`
  expect(first).toMatchObject({
    method: 'notifications/progress',
    params: { progressToken: 'p', progress: 1, message },
  })
  for (const progress of [2, 3, 4]) expect((await next()).params).toMatchObject({ progress, message })
  await approveInQueue(toolpact)
  const rest = []
  let reply = await next()
  for (; reply.method; reply = await next()) rest.push(reply.params)
  expect(reply.result.isError).toBe(false)
  const [zero, one] = rest.slice(-2)
  expect(zero.progress).toBeGreaterThan(4)
  expect(one.progress).toBe(zero.progress + 1)
  expect(one.total).toBe(one.progress)
})

test('only a client that accepts progress waits longer than the safe time', async () => {
  const asking = { ...quiet, waitMs: 50, maxWaitMs: 600_000 }
  const { send, next, toolpact } = await openMcpStdio({ asking })
  send(note(1, {}, {}))
  expect(codeOf(await next())).toBe('approval_required')
  send(note(2, { _meta: modernMeta({}, { progressToken: 'p' }) }))
  await next()
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(await approveInQueue(toolpact)).toMatchObject({ isAwaited: true })
  let reply = await next()
  while (reply.method) reply = await next()
  expect(reply.result.isError).toBe(false)
})

const pages = { elicitation: { form: {}, url: {} } }
const inConsole = { ...quiet, askIn: () => 'console' as const, findConsole: async () => 'http://127.0.0.1:7420' }

test('2026-07-28: a question opens in the console, and the client cannot answer it', async () => {
  const { send, next, toolpact } = await openMcpStdio({ asking: inConsole })
  send(note(1, {}, pages))
  const { result } = await next()
  const { id } = await waitForQuestion(toolpact)
  expect(result.inputRequests.approval.params).toEqual({
    mode: 'url',
    message: 'note (notes.txt) needs approval. Open the console to see what it would do, and answer there.',
    url: `http://127.0.0.1:7420/console/inbox/${id}`,
  })
  const _meta = { ...modernMeta(pages), progressToken: 1 }
  send(note(2, { inputResponses: { approval: accept }, requestState: result.requestState, _meta }))
  expect(await next()).toMatchObject({ method: 'notifications/progress' })
  expect(await approveInQueue(toolpact)).toMatchObject({ isAwaited: true })
  expect(await nextResult(next)).toMatchObject({ isError: false })
  expect(await intentOf(toolpact)).toMatchObject({ approval: { by: 'grace', via: 'queue' } })
})

test('2026-07-28: without a console, or with a client that opens no pages, the queue decides', async () => {
  for (const [asking, capabilities] of [
    [{ ...inConsole, waitMs: 50, findConsole: async () => undefined }, pages],
    [{ ...inConsole, waitMs: 50 }, { elicitation: {} }],
  ] as const) {
    const { send, next } = await openMcpStdio({ asking, stateKey })
    send(note(1, {}, capabilities))
    const reply = await next()
    expect(codeOf(reply)).toBe('approval_required')
    // An answer that nobody asked the client for does not count either.
    const { approval_id: approvalId } = reply.result._meta['toolpact/error']
    send(note(2, { inputResponses: { approval: accept }, requestState: approvalId }, capabilities))
    expect((await next()).error.code).toBe(-32602)
    send(note(3, { inputResponses: { approval: accept }, requestState: await signState(approvalId) }, capabilities))
    expect(codeOf(await next())).toBe('approval_required')
  }
})

test('2026-07-28: a client that may not answer for its user opens the console, whatever it declares', async () => {
  const toolpact = await openMcpTools({ config: { approvers: [{ who: ['grace'] }] } })
  const { send, next } = await openMcpStdio({ toolpact, asking: { ...inConsole, askIn: () => 'client', waitMs: 50 } })
  send(note(1, {}, pages))
  const { result } = await next()
  expect(result.inputRequests.approval.params).toMatchObject({ mode: 'url' })
  send(note(2, { inputResponses: { approval: accept }, requestState: result.requestState }))
  expect(codeOf(await next())).toBe('approval_required')
  expect(await pendingIn(toolpact)).toHaveLength(1)
})

test('2026-07-28: a client answers for its user where the config says so', async () => {
  const toolpact = await openMcpTools({ config: { approvers: [{ who: ['grace'], clientMayAnswer: true }] } })
  const { send, next, read } = await askModern({ toolpact })
  send(note(2, { inputResponses: { approval: accept }, requestState: read }))
  expect((await next()).result).toMatchObject({ isError: false })
  expect(await intentOf(toolpact)).toMatchObject({ approval: { by: 'the user of stdio', via: 'elicitation' } })
})
