import { request as openRequest } from 'node:http'
import { describe, expect, test } from 'vitest'
import { openRest } from '../../../test/helpers/open-rest.ts'
import { defineEcho, makeFolder, openTestStorage } from '../../../test/helpers/open-test-pipeline.ts'
import { defineToolset } from '../../contract/define-toolset.ts'
import type { Tool } from '../../contract/tool.ts'
import type { Storage } from '../../runtime/storage/storage.ts'

const key = { 'idempotency-key': 'c0ffee-1' }

describe.each(['memory', 'sqlite'] as const)('a key, kept in %s', (kind) => {
  test('makes a call that writes run once, and be answered as the first time', async () => {
    const { tools, runs } = defineCounting()
    const { post } = await openRest({ toolsets: [tools], storage: openTestStorage(kind) })
    const first = await post('write', { text: 'a' }, key)
    expect(first).toMatchObject({ status: 200, body: { said: 'run 1' } })
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    for (const body of ['{"text":"a"}', ' { "text" : "\\u0061" } ']) {
      const again = await post('write', body, key)
      expect(again).toMatchObject({ status: 200, body: { said: 'run 1' } })
      expect(again.headers.get('idempotency-replayed')).toBe('true')
      expect(again.headers.get('toolpact-call-id')).toBe(first.headers.get('toolpact-call-id'))
    }
    expect(runs.count).toBe(1)
    expect((await post('write', { text: 'a' })).body).toEqual({ said: 'run 2' })
  })

  test('makes one call of fifty that come at once run', async () => {
    const { tools, runs } = defineCounting()
    const { post } = await openRest({ toolsets: [tools], storage: openTestStorage(kind) })
    const answers = await Promise.all(Array.from({ length: 50 }, () => post('write', { text: 'a' }, key)))
    expect(runs.count).toBe(1)
    const statuses = Map.groupBy(answers, ({ status }) => status)
    expect(statuses.get(200)!.every(({ body }) => body.said === 'run 1')).toBe(true)
    expect(statuses.get(200)!.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1)
    expect([...statuses.keys()].every((status) => status === 200 || status === 409)).toBe(true)
    for (const { body } of statuses.get(409) ?? []) expect(body.code).toBe('idempotency_under_way')
  })

  test('is given back by a call that did not run, such as one that waits for approval', async () => {
    const { tools, runs } = defineCounting()
    const { post, toolpact } = await openRest({ toolsets: [tools], storage: openTestStorage(kind), asks: true })
    expect(await post('write', { text: 5 }, key)).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
    const asked = await post('write', { text: 'a' }, key)
    expect(asked).toMatchObject({ status: 403, body: { code: 'approval_required' } })
    const approvalId = String(asked.body.approval_id)
    await toolpact.approvals.answer(approvalId, { answer: 'yes', by: 'Ada' }, Date.now())
    const approved = { ...key, 'toolpact-approval-id': approvalId }
    expect(await post('write', { text: 'a' }, approved)).toMatchObject({ status: 200 })
    // The answer was lost, and the call is repeated: the approval is used up, but the answer is there.
    expect(await post('write', { text: 'a' }, approved)).toMatchObject({ status: 200, body: { said: 'run 1' } })
    expect(runs.count).toBe(1)
  })
})

test('a key is for one call: another input or another tool is refused', async () => {
  const { tools, runs } = defineCounting()
  const { post } = await openRest({ toolsets: [tools] })
  await post('write', { text: 'a' }, key)
  for (const [tool, input] of [
    ['write', { text: 'b' }],
    ['write', { text: 'a', times: 2 }],
    ['fail', { text: 'a' }],
  ] as const)
    expect(await post(tool, input, key)).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
  expect(runs.count).toBe(1)
})

test('a key is its caller’s own', async () => {
  const { tools, runs } = defineCounting()
  const { post } = await openRest({ toolsets: [tools] })
  await post('write', { text: 'a' }, key)
  const other = await post('write', { text: 'b' }, { ...key, authorization: 'Bearer of-another' })
  expect(other).toMatchObject({ status: 200, body: { said: 'run 2' } })
  expect(runs.count).toBe(2)
})

test('a failure of a call that ran is answered again too', async () => {
  const { tools, runs } = defineCounting()
  const { post } = await openRest({ toolsets: [tools] })
  const first = await post('fail', { text: 'a' }, key)
  expect(first).toMatchObject({ status: 429, body: { code: 'too_often', retry_after_ms: 2500 } })
  const again = await post('fail', { text: 'a' }, key)
  expect({ status: again.status, body: again.body }).toEqual({ status: first.status, body: first.body })
  expect(again.headers.get('retry-after')).toBe('3')
  expect(again.headers.get('content-type')).toBe('application/problem+json')
  expect(runs.count).toBe(1)
})

test('a tool that only reads runs each time, whatever its key', async () => {
  const { tools, runs } = defineCounting()
  const { post } = await openRest({ toolsets: [tools] })
  for (const header of [key, key, { 'idempotency-key': 'not valid' }])
    expect(await post('read', { text: 'a' }, header)).toMatchObject({ status: 200 })
  expect(runs.count).toBe(3)
})

test('a key is 1 to 255 visible characters, sent once', async () => {
  const { tools, runs } = defineCounting()
  const { post, url } = await openRest({ toolsets: [tools] })
  for (const bad of ['', 'a b', 'é', '\t', 'x'.repeat(256)]) {
    const answer = await post('write', { text: 'a' }, { 'idempotency-key': bad })
    expect(answer, bad).toMatchObject({ status: 400, body: { code: 'invalid_idempotency_key' } })
  }
  const status = await new Promise((resolve, reject) => {
    const headers = { authorization: 'Bearer of-tester', 'content-type': 'application/json' }
    const request = openRequest(`${url}/v1/tools/write`, { method: 'POST', headers })
    request.setHeader('Idempotency-Key', ['a', 'b'])
    request.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject)
    request.end('{"text":"a"}')
  })
  expect(status).toBe(400)
  expect(runs.count).toBe(0)
  for (const good of ['!', '~', '"8e03978e-40d5-43dd-bc93-6894a57f9324"', 'x'.repeat(255)])
    expect((await post('write', { text: 'a' }, { 'idempotency-key': good })).status, good).toBe(200)
})

test('a call with a key continues if its client disconnects, and the repeat gets its response', async () => {
  const { tools, runs, began, end } = defineWaiting()
  const { post, url } = await openRest({ toolsets: [tools] })
  const lost = openRequest(`${url}/v1/tools/wait`, {
    method: 'POST',
    headers: { authorization: 'Bearer of-tester', 'content-type': 'application/json', ...key },
  })
  lost.on('error', () => {})
  lost.end('{"text":"a"}')
  await began
  lost.destroy()
  expect(await post('wait', { text: 'a' }, key)).toMatchObject({ status: 409, body: { code: 'idempotency_under_way' } })
  end()
  await expect.poll(() => post('wait', { text: 'a' }, key)).toMatchObject({ status: 200, body: { said: 'done' } })
  expect(runs.count).toBe(1)
})

test('what cannot be claimed does not run; what cannot be kept is answered, and not repeated', async () => {
  const { tools, runs } = defineCounting()
  const storage = openTestStorage('memory')
  const broken = new Set<string>()
  const faults: string[] = []
  const failing: Storage = { ...storage, replies: failWhere(storage.replies, broken) }
  const { post } = await openRest({ toolsets: [tools], storage: failing, onFault: (message) => faults.push(message) })
  broken.add('claim')
  expect(await post('write', { text: 'a' }, key)).toMatchObject({ status: 503, body: { code: 'ledger_unavailable' } })
  expect(runs.count).toBe(0)
  broken.delete('claim')
  broken.add('keep')
  expect(await post('write', { text: 'a' }, key)).toMatchObject({ status: 200, body: { said: 'run 1' } })
  broken.delete('keep')
  expect(await post('write', { text: 'a' }, key)).toMatchObject({ status: 409 })
  expect(runs.count).toBe(1)
  expect(faults).toHaveLength(2)
})

test('a key outlives the server where the storage does', async () => {
  const [stateDirectory, workspace] = [makeFolder(), makeFolder()]
  const { tools, runs } = defineCounting()
  for (let start = 0; start < 2; start++) {
    const { post, close } = await openRest({ toolsets: [tools], storage: 'sqlite', stateDirectory, workspace })
    expect(await post('write', { text: 'a' }, key)).toMatchObject({ status: 200, body: { said: 'run 1' } })
    await close(0)
  }
  expect(runs.count).toBe(1)
})

test('a key of one folder does not stand for the same call in another', async () => {
  const stateDirectory = makeFolder()
  const { tools } = defineCounting()
  for (const said of ['run 1', 'run 2']) {
    const { post, close } = await openRest({ toolsets: [tools], storage: 'sqlite', stateDirectory })
    const answer = await post('write', { text: 'a' }, key)
    expect(answer).toMatchObject({ status: 200, body: { said } })
    expect(answer.headers.get('idempotency-replayed')).toBeNull()
    await close(0)
  }
})

/** Tools that say how often they have run. */
function defineCounting() {
  const runs = { count: 0 }
  const count: Tool['run'] = () => ({ said: `run ${++runs.count}` })
  const errors = [{ code: 'too_often', status: 429, when: 'It is too often.', suggestion: 'Wait.' }]
  const fail = defineEcho({ name: 'fail', risk: 'dangerous', errors }, (_input, context) => {
    runs.count++
    return context.fail('too_often', 'Not yet.', { retryAfterMs: 2500 })
  })
  const write = defineEcho({ name: 'write', risk: 'safe_write' }, count)
  return { runs, tools: defineToolset('test', [write, fail, defineEcho({ name: 'read' }, count)]) }
}

function defineWaiting() {
  const runs = { count: 0 }
  const began = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const wait = defineEcho({ name: 'wait', risk: 'safe_write' }, async () => {
    runs.count++
    began.resolve()
    await ended.promise
    return { said: 'done' }
  })
  return { runs, tools: defineToolset('test', [wait]), began: began.promise, end: ended.resolve }
}

function failWhere(replies: Storage['replies'], broken: ReadonlySet<string>): Storage['replies'] {
  const orFail = (name: string) => {
    if (broken.has(name)) throw new Error('The disk is full.')
  }
  return {
    ...replies,
    async claim(...parameters) {
      orFail('claim')
      return replies.claim(...parameters)
    },
    async keep(...parameters) {
      orFail('keep')
      return replies.keep(...parameters)
    },
  }
}
