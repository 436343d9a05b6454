import { once } from 'node:events'
import { request as openRequest } from 'node:http'
import { describe, expect, test } from 'vitest'
import { openRest } from '../../../test/helpers/open-rest.ts'
import { defineEcho } from '../../../test/helpers/open-test-pipeline.ts'
import { defineToolset } from '../../contract/define-toolset.ts'
import { digest } from '../../contract/digest.ts'
import type { Tool } from '../../contract/tool.ts'
import { createCatalog } from '../../runtime/pipeline/catalog.ts'

const echo = defineToolset('test', [
  defineEcho(),
  defineEcho({ name: 'quiet', errors: quietErrors() }, (_input, { fail }) => fail('too_quiet', 'Speak up.')),
  defineEcho({ name: 'once', limits: { calls: { count: 1, windowMs: 600_000 } } }),
  defineEcho({ name: 'later', status: 'planned' }),
  defineEcho({ name: 'nothing', input: { type: 'object', additionalProperties: false } }, () => ({ said: '' })),
])

describe('a call', () => {
  test('is answered with the output and nothing else, and the id that the ledger has', async () => {
    const { post, toolpact } = await openRest({ toolsets: [echo] })
    const { status, headers, body } = await post('echo', { text: 'a', times: 3 })
    expect({ status, body }).toEqual({ status: 200, body: { said: 'aaa' } })
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('cache-control')).toBe('no-store')
    const entries = await toolpact.ledger.read({ callId: headers.get('toolpact-call-id')! })
    expect(entries.map(({ record }) => record.kind)).toEqual(['intent', 'outcome'])
    expect(entries[0]!.record).toHaveProperty('caller.name', 'tester')
  })

  test('takes no body, or an empty one, for an empty input', async () => {
    const { post } = await openRest({ toolsets: [echo] })
    for (const body of [undefined, '', '{}'])
      expect(await post('nothing', body)).toMatchObject({ status: 200, body: { said: '' } })
  })

  test('has the full id where several toolsets are served, and escapes in its path are read', async () => {
    const { post } = await openRest({ toolsets: ['learning', 'practitioner'] })
    for (const path of [
      'learning_hello',
      'learning.hello',
      'learning%2Ehello',
      '%6Cearning.hello',
      'learning.hello?x=1',
    ])
      expect(await post(path, { name: 'Ada' }), path).toMatchObject({ status: 200 })
    expect(await post('hello', {})).toMatchObject({ status: 400, body: { code: 'tool_ambiguous' } })
    expect(await post('learning.hello%', {})).toMatchObject({ status: 400, body: { code: 'bad_request' } })
    expect(await post('learning%2Fhello', {})).toMatchObject({ status: 404, body: { code: 'tool_not_found' } })
  })

  test('that fails is a problem with everything that the failure says', async () => {
    const { post } = await openRest({ toolsets: [echo] })
    const { status, headers, body } = await post('echo', { text: 5, more: true })
    const callId = headers.get('toolpact-call-id')
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        type: 'urn:toolpact:error:invalid_input',
        title: 'Invalid input',
        status: 400,
        detail: "The input does not match the contract of 'echo'.",
        code: 'invalid_input',
        suggestion: expect.any(String),
        fixable: true,
        problems: [expect.objectContaining({ pointer: '/more' }), expect.objectContaining({ pointer: '/text' })],
        call_id: callId,
      },
    })
    const declared = await post('quiet', { text: 'a' })
    expect(declared).toMatchObject({ status: 422, body: { code: 'too_quiet', detail: 'Speak up.', fixable: true } })
    expect(await post('ech', {})).toMatchObject({ status: 404, body: { suggestion: 'Did you mean echo?' } })
    expect(await post('later', {})).toMatchObject({ status: 501, body: { code: 'tool_planned' } })
  })

  test('beyond its rate is told when to come back', async () => {
    const { post } = await openRest({ toolsets: [echo] })
    expect((await post('once', { text: 'a' })).status).toBe(200)
    const { status, headers, body } = await post('once', { text: 'a' })
    expect({ status, body }).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(Number(headers.get('retry-after'))).toBe(Math.ceil(Number(body.retry_after_ms) / 1000))
    expect((await post('once', { text: 'a' }, { authorization: 'Bearer of-another' })).status).toBe(200)
  })

  test('is not made from a body that is not JSON, has a duplicate key, or is not UTF-8', async () => {
    const { post, url, toolpact } = await openRest({ toolsets: [echo] })
    for (const body of [
      '{"text":"a","text":"b"}',
      '{"text":"a","te\\u0078t":"b"}',
      '{',
      '{"text":NaN}',
      '"\\ud800"',
      ' ',
    ])
      expect(await post('echo', body), body).toMatchObject({ status: 400, body: { code: 'invalid_json' } })
    const response = await fetch(`${url}/v1/tools/echo`, {
      method: 'POST',
      headers: { authorization: 'Bearer of-tester', 'content-type': 'application/json' },
      body: Buffer.from([0x22, 0xff, 0x22]),
    })
    expect(await response.json()).toMatchObject({ status: 400, code: 'invalid_json' })
    expect(await toolpact.ledger.read()).toEqual([])
    expect(await post('echo', '[]')).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
    expect(await post('echo', '['.repeat(200) + ']'.repeat(200))).toMatchObject({ body: { code: 'input_too_large' } })
    expect(await post('echo', '['.repeat(9999) + ']'.repeat(9999))).toMatchObject({ body: { code: 'invalid_json' } })
  })

  test('is cancelled when the client goes away', async () => {
    const began = Promise.withResolvers<void>()
    const aborted = Promise.withResolvers<void>()
    const waits = defineWaiting(began.resolve, aborted.resolve)
    const { url, toolpact } = await openRest({ toolsets: [defineToolset('test', [waits])] })
    const request = openRequest(`${url}/v1/tools/waits`, {
      method: 'POST',
      headers: { authorization: 'Bearer of-tester', 'content-type': 'application/json' },
    })
    request.on('error', () => {})
    request.end('{"text":"a"}')
    await began.promise
    request.destroy()
    await aborted.promise
    await expect
      .poll(async () => (await toolpact.ledger.read()).at(-1)!.record)
      .toMatchObject({ errorCode: 'cancelled' })
  })

  test('that is in flight when the server stops ends within the grace period, or is cancelled', async () => {
    const began = Promise.withResolvers<void>()
    const aborted = Promise.withResolvers<void>()
    const waits = defineWaiting(began.resolve, aborted.resolve)
    const { post, close } = await openRest({ toolsets: [defineToolset('test', [waits])] })
    const answered = post('waits', { text: 'a' }, { 'idempotency-key': 'k' }).catch(() => 'cut off')
    await began.promise
    await close(50)
    await aborted.promise
    await answered
  })
})

describe('a call with a query', () => {
  const query = { 'toolpact-query': 'q' }

  test('is the only one of its query, for each caller', async () => {
    const { post } = await openRest({ toolsets: ['learning'] })
    const input = { name: 'Ada' }
    expect(await post('hello', input, query)).toMatchObject({ status: 200 })
    expect(await post('hello', input, query)).toMatchObject({ status: 409, body: { code: 'single_step' } })
    expect(await post('hello', input, { ...query, authorization: 'Bearer of-eve' })).toMatchObject({ status: 200 })
    expect(await post('hello', input, { 'toolpact-query': 'p' })).toMatchObject({ status: 200 })
    expect(await post('hello', input)).toMatchObject({ status: 200 })
  })

  test('may be repeated once somebody has approved it', async () => {
    const { post, toolpact } = await openRest({ toolsets: ['workspace'], asks: true })
    const input = { path: 'a.txt', content: 'a' }
    const id = String((await post('create_file', input, query)).body.approval_id)
    expect((await post('create_file', { ...input, content: 'b' }, query)).body.code).toBe('single_step')
    await toolpact.approvals.answer(id, { answer: 'yes', by: 'Ada' }, Date.now())
    expect(await post('create_file', input, { ...query, 'toolpact-approval-id': id })).toMatchObject({ status: 200 })
    expect((await post('create_file', input, query)).body.code).toBe('single_step')
  })

  test('is answered as the first time where it is repeated with its key', async () => {
    const { post } = await openRest({ toolsets: ['workspace'] })
    const input = { path: 'a.txt', content: 'a' }
    const keyed = { ...query, 'idempotency-key': 'k' }
    const first = await post('create_file', input, keyed)
    expect(first.status).toBe(200)
    expect((await post('create_file', input, keyed)).body).toEqual(first.body)
  })

  test.each(['', 'a b', 'x'.repeat(257), 'é'])('that is %j is refused', async (id) => {
    const { post } = await openRest({ toolsets: ['learning'] })
    const answer = await post('hello', { name: 'Ada' }, { 'toolpact-query': id })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_query' } })
  })
})

describe('what can be read', () => {
  test('is the list of tools, each with where its contract is', async () => {
    const { get } = await openRest({ toolsets: ['learning', 'workspace'] })
    const { status, body } = await get('/v1/tools')
    const tools = body.tools as { id: string; name: string; url: string }[]
    expect(status).toBe(200)
    expect(body.openapi).toBe('/openapi.json')
    expect(tools[0]).toMatchObject({
      name: 'learning_hello',
      id: 'learning.hello',
      risk: 'read_only',
      approval: 'never',
      status: 'active',
    })
    for (const { url, id, name } of tools) {
      expect(url).toBe(`/v1/tools/${name}`)
      expect((await get(url)).body.name).toBe(id.slice(id.indexOf('.') + 1))
    }
  })

  test('is a contract exactly as it is, by the name of its tool', async () => {
    const { get } = await openRest({ toolsets: [echo] })
    const { body } = await get('/v1/tools/echo')
    expect(digest(body)).toBe(digest(echo.tools[0]!.contract))
    expect((await get('/v1/tools/later')).body.status).toBe('planned')
    expect(await get('/v1/tools/ech')).toMatchObject({ status: 404, body: { code: 'tool_not_found' } })
  })

  test('is not sent again to who has it', async () => {
    const { get } = await openRest({ toolsets: [echo] })
    for (const path of ['/openapi.json', '/v1/tools', '/v1/tools/echo']) {
      const first = await get(path)
      const etag = first.headers.get('etag')!
      expect(first.status).toBe(200)
      for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        const again = await get(path, { 'if-none-match': known })
        expect({ status: again.status, etag: again.headers.get('etag') }, known).toEqual({ status: 304, etag })
      }
      expect((await get(path, { 'if-none-match': '"x"' })).status).toBe(200)
    }
  })
})

test('a caller sees the tools that it may use, and no others', async () => {
  const loaders = { test: async () => echo }
  const rights = (id: string) => id !== 'test.echo'
  const catalog = createCatalog(loaders, { rightsOf: ({ name }) => (name === 'limited' ? rights : undefined) })
  const { get } = await openRest({ toolsets: [echo], catalog })
  const seen = async (caller: string) => {
    const headers = { authorization: `Bearer of-${caller}` }
    const document = (await get('/openapi.json', headers)).body as { paths: object }
    const { tools } = (await get('/v1/tools', headers)).body as { tools: { name: string }[] }
    const { status } = await get('/v1/tools/echo', headers)
    return { paths: Object.keys(document.paths), tools: tools.map(({ name }) => name), status }
  }
  const paths = [
    '/v1/tools',
    '/v1/tools/{name}',
    '/v1/call',
    '/v1/approvals/{id}',
    ...['', '/{id}', '/{id}/cancel', '/{id}/retry', '/{id}/resume'].map((end) => `/v1/runs${end}`),
    '/v1/checkpoints',
    '/v1/tools/echo',
    '/v1/tools/quiet',
    '/v1/tools/once',
    '/v1/tools/nothing',
  ]
  const tools = ['echo', 'quiet', 'once', 'later', 'nothing']
  expect(await seen('tester')).toEqual({ paths, tools, status: 200 })
  expect(await seen('limited')).toEqual({
    paths: paths.filter((path) => path !== '/v1/tools/echo'),
    tools: tools.slice(1),
    status: 404,
  })
})

function quietErrors() {
  return [{ code: 'too_quiet', status: 422, when: 'Nothing can be heard.', suggestion: 'Speak up.' }]
}

/** Runs until it is told to end. */
function defineWaiting(began: () => void, aborted: () => void): Tool {
  return defineEcho({ name: 'waits', risk: 'safe_write' }, async (_input, { signal }) => {
    began()
    await once(signal, 'abort')
    aborted()
    return { said: 'too late' }
  })
}
