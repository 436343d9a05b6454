import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openRest } from '../../../test/helpers/open-rest.ts'
import { makeFolder, openTestStorage } from '../../../test/helpers/open-test-pipeline.ts'
import type { Storage } from '../../runtime/storage/storage.ts'

describe('a call that asks', () => {
  test('is answered with an approval id, which works once, for the same input', async () => {
    const workspace = makeFolder()
    const { post, toolpact } = await openRest({ toolsets: ['workspace'], workspace, asks: true })
    const input = { path: 'a.txt', content: 'a' }
    const asked = await post('create_file', input)
    expect(asked).toMatchObject({ status: 403, body: { code: 'approval_required', fixable: true } })
    const approvalId = String(asked.body.approval_id)
    const approved = { 'toolpact-approval-id': approvalId }
    expect((await post('create_file', input)).body.approval_id).toBe(approvalId)
    expect((await post('create_file', input, approved)).body).toMatchObject({
      code: 'approval_required',
      approval_id: approvalId,
    })
    await toolpact.approvals.answer(approvalId, { answer: 'yes', by: 'Ada' }, Date.now())
    const other = await post('create_file', { ...input, content: 'b' }, approved)
    expect(other).toMatchObject({ status: 403, body: { code: 'approval_denied' } })
    expect(existsSync(join(workspace, 'a.txt'))).toBe(false)
    expect(await post('create_file', input, approved)).toMatchObject({ status: 200 })
    expect(await post('create_file', input, approved)).toMatchObject({ status: 409, body: { code: 'file_exists' } })
    rmSync(join(workspace, 'a.txt'))
    expect(await post('create_file', input, approved)).toMatchObject({ status: 403, body: { code: 'approval_denied' } })
  })

  test('asking, following and answering a question over REST reads no other one', async () => {
    const storage = openTestStorage('sqlite')
    const read: string[] = []
    const approvals: Storage['approvals'] = {
      ...storage.approvals,
      questions(now) {
        read.push('all')
        return storage.approvals.questions(now)
      },
      details(id, now) {
        read.push(id)
        return storage.approvals.details(id, now)
      },
    }
    const { post, get, toolpact } = await openRest({
      ...{ toolsets: ['workspace'], asks: true, storage: { ...storage, approvals } },
    })
    const content = 'x'.repeat(500_000)
    for (let index = 0; index < 5; index++) await post('create_file', { path: `${index}.txt`, content })
    const other = { authorization: 'Bearer of-other' }
    const input = { path: 'a.txt', content: 'a' }
    const id = String((await post('create_file', input, other)).body.approval_id)
    expect(await get(`/v1/approvals/${id}`, other)).toMatchObject({ status: 200, body: { state: 'pending' } })
    await toolpact.approvals.answer(id, { answer: 'yes', by: 'Ada' }, Date.now())
    expect(await post('create_file', input, other)).toMatchObject({ status: 200 })
    expect(read).toEqual([id])
  })

  test('that exceeds the limit of pending questions is told so, and what to do; other callers are not affected', async () => {
    const { post } = await openRest({ toolsets: ['workspace'], asks: true })
    const ask = (path: string, headers = {}) => post('create_file', { path, content: 'x'.repeat(900_000) }, headers)
    const answers = []
    for (let index = 0; index < 40; index++) answers.push(await ask(`${index}.txt`))
    expect(answers[0]).toMatchObject({ status: 403, body: { code: 'approval_required' } })
    expect(answers.at(-1)).toMatchObject({
      status: 429,
      body: {
        code: 'approval_queue_full',
        suggestion: expect.stringContaining('toolpact approvals deny --all-from tester'),
      },
    })
    expect(await ask('a.txt', { authorization: 'Bearer of-other' })).toMatchObject({
      body: { code: 'approval_required' },
    })
  })

  test('is answered with the text that a person is asked, and without what a look ahead found', async () => {
    const workspace = makeFolder()
    writeFileSync(join(workspace, 'a.txt'), 'a secret\nold\n')
    const { post, get, toolpact } = await openRest({ toolsets: ['workspace'], workspace, asks: true })
    const input = { path: 'a.txt', old_string: 'old', new_string: 'new' }
    const { body } = await post('replace_string_in_file', input)
    const text = String(body.approval_text)
    const parts = ['Tool: replace_string_in_file', 'Parameters:', '  path: a.txt', '  old_string: old', '  new_string: new', 'Files affected: a.txt', 'Risk level: dangerous'] // biome-ignore format: one line
    expect(text.split('\n').slice(0, 7)).toEqual(parts)
    expect(text).toMatch(/\n\nApprove\? \(y\/n\/always\):$/)
    expect(text).not.toContain('secret')
    const path = `/v1/approvals/${body.approval_id}`
    const pending = await get(path)
    expect(pending).toMatchObject({ status: 200, body: { state: 'pending', tool: 'workspace.replace_string_in_file' } })
    expect(String(pending.body.approval_text).split('\n').slice(0, 7)).toEqual(parts)
    expect(String(pending.body.approval_text)).not.toContain('secret')
    expect((await get(path, { authorization: 'Bearer of-another' })).status).toBe(404)
    expect((await get('/v1/approvals/made-up')).body).toMatchObject({ code: 'not_found' })
    await toolpact.approvals.answer(String(body.approval_id), { answer: 'no', by: 'Ada' }, Date.now())
    expect((await get(path)).body).toEqual({ approval_id: body.approval_id, tool: pending.body.tool, state: 'denied' })
  })

  test('is answered over REST only by callers whom the config names, and never by its own', async () => {
    const approvers = [{ who: ['ada', 'bob', 'tester'], people: 2 }]
    const workspace = makeFolder()
    const { post, get, toolpact } = await openRest({
      toolsets: ['workspace'],
      workspace,
      asks: true,
      config: { approvers },
    })
    const input = { path: 'a.txt', content: 'a' }
    const id = String((await post('create_file', input)).body.approval_id)
    const as = (name: string) => ({ authorization: `Bearer of-${name}` })
    const answer = (name: string, body: object = { answer: 'yes' }) => post(`/v1/approvals/${id}`, body, as(name))
    expect(await answer('tester')).toMatchObject({ status: 403, body: { code: 'may_not_answer' } })
    expect(await answer('eve')).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect((await get(`/v1/approvals/${id}`, as('eve'))).status).toBe(404)
    for (const wrong of [{}, { answer: 'maybe' }, { answer: 'yes', by: 'bob' }])
      expect(await answer('ada', wrong)).toMatchObject({ status: 400, body: { code: 'invalid_answer' } })
    expect(String((await get(`/v1/approvals/${id}`, as('ada'))).body.approval_text)).toContain('+ a')
    expect(await answer('ada')).toMatchObject({ status: 200, body: { approval_id: id, result: 'recorded' } })
    expect(await answer('ada')).toMatchObject({ status: 403, body: { code: 'may_not_answer' } })
    expect(await answer('bob')).toMatchObject({ status: 200, body: { result: 'approved' } })
    expect(await answer('bob', { answer: 'no' })).toMatchObject({ status: 409, body: { code: 'answered_before' } })
    expect((await post('create_file', input)).status).toBe(200)
    expect(await toolpact.ledger.read({ last: 2 })).toMatchObject([
      { record: { kind: 'intent', approval: { answer: 'yes', by: 'ada and bob', via: 'rest', id } } },
      { record: { kind: 'outcome', success: true } },
    ])
  })

  test('is not answered over REST if the config names nobody', async () => {
    const { post } = await openRest({ toolsets: ['workspace'], asks: true })
    const id = String((await post('create_file', { path: 'a.txt', content: 'a' })).body.approval_id)
    const other = { authorization: 'Bearer of-ada' }
    expect((await post(`/v1/approvals/${id}`, { answer: 'yes' }, other)).status).toBe(404)
    expect(await post(`/v1/approvals/${id}`, { answer: 'yes' })).toMatchObject({ body: { code: 'may_not_answer' } })
  })

  test('is refused where a person said no, or the id is made up', async () => {
    const { post, toolpact } = await openRest({ toolsets: ['workspace'], asks: true })
    const input = { path: 'a.txt', content: 'a' }
    const id = String((await post('create_file', input)).body.approval_id)
    await toolpact.approvals.answer(id, { answer: 'no', by: 'Ada' }, Date.now())
    const denied = await post('create_file', input, { 'toolpact-approval-id': id })
    expect(denied).toMatchObject({ status: 403, body: { code: 'approval_denied' } })
    expect(denied.body.detail).toContain('Ada')
    for (const madeUp of ['', 'x', id.toUpperCase()])
      expect((await post('create_file', input, { 'toolpact-approval-id': madeUp })).body.code).toBe('approval_denied')
  })
})
