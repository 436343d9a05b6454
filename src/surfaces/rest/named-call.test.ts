import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openRest } from '../../../test/helpers/open-rest.ts'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'

const path = '/v1/call'

test('a call with the tool and its parameters in the body is answered like one at the path of the tool', async () => {
  const { post, toolpact } = await openRest({ toolsets: ['practitioner', 'workspace'] })
  for (const tool of ['hello', 'practitioner_hello', 'practitioner.hello']) {
    const { status, headers, body } = await post(path, { tool, parameters: { name: 'Learner' } })
    expect({ status, body }).toEqual({
      status: 200,
      body: { message: 'Hello, Learner!', timestamp: expect.stringMatching(/^\d{4}-.*Z$/) },
    })
    const [intent] = await toolpact.ledger.read({ callId: headers.get('toolpact-call-id')! })
    expect(intent!.record).toMatchObject({ tool: 'practitioner.hello', caller: { name: 'tester' } })
  }
  expect((await post(path, { tool: 'hello' })).body).toMatchObject({ message: 'Hello, World!' })
})

test('fails as the pipeline says, also where a bare name is ambiguous', async () => {
  const { post } = await openRest({ toolsets: ['learning', 'practitioner'] })
  const codeOf = async (body: unknown) => (await post(path, body)).body.code
  expect(await codeOf({ tool: 'practitioner_hello', parameters: { name: 5 } })).toBe('invalid_input')
  expect(await codeOf({ tool: 'practitioner_hello', parameters: 'Ada' })).toBe('invalid_input')
  expect(await codeOf({ tool: 'nothing' })).toBe('tool_not_found')
  const ambiguous = await post(path, { tool: 'hello' })
  expect(ambiguous.body).toMatchObject({ code: 'tool_ambiguous' })
  expect(JSON.stringify(ambiguous.body)).toMatch(/learning_hello.*practitioner_hello/)
})

test.each(['[]', '"hello"', '{}', '{"tool":5}', '{"tool":"hello","arguments":{}}', ''])(
  'refuses the body %s',
  async (body) => {
    const { post } = await openRest({ toolsets: ['practitioner'] })
    expect(await post(path, body)).toMatchObject({ status: 400, body: { code: 'invalid_call' } })
  },
)

test('takes the headers of a call: query, approval and idempotency key', async () => {
  const workspace = makeFolder()
  const { post, toolpact } = await openRest({ toolsets: ['workspace'], workspace, asks: true })
  const body = { tool: 'create_file', parameters: { path: 'a.txt', content: 'a' } }
  const headers = { 'idempotency-key': 'k', 'toolpact-query': 'q' }
  const asked = await post(path, body, headers)
  expect(asked).toMatchObject({ status: 403, body: { code: 'approval_required' } })
  const id = String(asked.body.approval_id)
  await toolpact.approvals.answer(id, { answer: 'yes', by: 'Ada' }, Date.now())
  expect(await post(path, body, { ...headers, 'toolpact-approval-id': id })).toMatchObject({ status: 200 })
  expect(existsSync(join(workspace, 'a.txt'))).toBe(true)
  const again = await post('create_file', body.parameters, headers)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  const other = { tool: 'create_file', parameters: { path: 'b.txt', content: 'b' } }
  expect((await post(path, other, { 'toolpact-query': 'q' })).body.code).toBe('single_step')
})

test('is POST alone', async () => {
  const { get } = await openRest({ toolsets: ['practitioner'] })
  expect(await get(path)).toMatchObject({ status: 405 })
})
