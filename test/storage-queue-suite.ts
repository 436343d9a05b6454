import { describe, expect, test } from 'vitest'
import type { ApprovalQuestion, Storage } from '../src/storage/storage.ts'

/** What the queue of questions must do in every storage. Part of `testStorage`. */
export function testQueue(name: string, openNew: () => Promise<Storage>) {
  describe(`the queue of questions in ${name}`, () => {
    test('gives what waits, the oldest first, and forgets the details with the answer', async () => {
      const { approvals } = await openNew()
      await approvals.request({ ...question, id: '2', askedAt: 20 }, 20)
      await approvals.request(question, 20)
      expect(await approvals.questions(30)).toEqual([
        { ...question, state: 'pending' },
        { ...question, id: '2', askedAt: 20, state: 'pending' },
      ])
      expect(await approvals.answer('1', { answer: 'no', by: 'Ada' }, 30)).toEqual({ taken: true })
      expect(await approvals.questions(30)).toEqual([
        { ...question, details: {}, state: 'answered', answer: 'no', by: 'Ada' },
        { ...question, id: '2', askedAt: 20, state: 'pending' },
      ])
    })

    test('takes one answer, even of fifty who answer at the same time, and tells the others', async () => {
      const { approvals } = await openNew()
      await approvals.request(question, 10)
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          approvals.answer('1', { answer: index % 2 ? 'yes' : 'no', by: `${index}` }, 30),
        ),
      )
      const winner = answers.findIndex(({ taken }) => taken)
      const given = { answer: winner % 2 ? 'yes' : 'no', by: `${winner}` }
      expect(answers.filter(({ taken }) => taken)).toHaveLength(1)
      for (const [index, answer] of answers.entries())
        if (index !== winner) expect(answer).toEqual({ taken: false, state: 'answered', ...given })
      expect(await approvals.look('1', 30)).toEqual({ state: 'answered', ...given })
    })

    test('grants with a yes, for the same call and once', async () => {
      const { approvals } = await openNew()
      await approvals.request(question, 10)
      await approvals.answer('1', { answer: 'yes', by: 'Ada' }, 30)
      const { tool, contractDigest, inputDigest, expiresAt } = question
      const binding = { tool, contractDigest, inputDigest }
      expect(await approvals.use('1', { ...binding, inputDigest: 'other' }, 40)).toBeUndefined()
      expect(await approvals.use('1', binding, 40)).toEqual({ id: '1', ...binding, by: 'Ada', expiresAt })
      expect(await approvals.use('1', binding, 40)).toBeUndefined()
    })

    test('grants nothing with a no', async () => {
      const { approvals } = await openNew()
      await approvals.request(question, 10)
      await approvals.answer('1', { answer: 'no', by: 'Ada' }, 30)
      expect(await approvals.use('1', question, 40)).toBeUndefined()
    })

    test('does not take an answer from the moment on at which the question expires', async () => {
      const { approvals } = await openNew()
      await approvals.request(question, 10)
      expect(await approvals.look('1', 999)).toEqual({ state: 'pending' })
      expect(await approvals.look('1', 1000)).toEqual({ state: 'expired' })
      expect(await approvals.answer('1', { answer: 'yes', by: 'Ada' }, 1000)).toEqual({
        taken: false,
        state: 'expired',
      })
      expect(await approvals.use('1', question, 999)).toBeUndefined()
      expect(await approvals.questions(1000)).toEqual([{ ...question, details: {}, state: 'expired' }])
    })

    test('keeps a question alive as long as it is extended, and not beyond', async () => {
      const { approvals } = await openNew()
      await approvals.request(question, 10)
      await approvals.extend('1', 2000, 999)
      expect(await approvals.look('1', 1999)).toEqual({ state: 'pending' })
      await approvals.extend('1', 3000, 2000)
      expect(await approvals.look('1', 2000)).toEqual({ state: 'expired' })
      await approvals.extend('unknown', 3000, 0)
      expect(await approvals.look('unknown', 0)).toEqual({ state: 'expired' })
    })

    test('lets a question be withdrawn, unless it was answered', async () => {
      const { approvals } = await openNew()
      await approvals.request(question, 10)
      await approvals.request({ ...question, id: '2' }, 10)
      await approvals.answer('2', { answer: 'yes', by: 'Ada' }, 20)
      expect(await approvals.withdraw('1', 30)).toEqual({ state: 'pending' })
      expect(await approvals.answer('1', { answer: 'yes', by: 'Eve' }, 31)).toEqual({ taken: false, state: 'expired' })
      expect(await approvals.withdraw('2', 30)).toEqual({ state: 'answered', answer: 'yes', by: 'Ada' })
      expect(await approvals.withdraw('unknown', 30)).toEqual({ state: 'expired' })
      expect((await approvals.questions(31))[0]).toMatchObject({ id: '1', state: 'expired', details: {} })
    })

    test('remembers what became of a question for an hour', async () => {
      const { approvals } = await openNew()
      await approvals.request(question, 10)
      await approvals.answer('1', { answer: 'yes', by: 'Ada' }, 30)
      expect(await approvals.questions(3_600_999)).toHaveLength(1)
      expect(await approvals.questions(3_601_000)).toEqual([])
    })

    test('needs an id of its own for each question, and is closed with the storage', async () => {
      const storage = await openNew()
      const { approvals } = storage
      await approvals.request(question, 10)
      await expect(approvals.request({ ...question, details: {} }, 10)).rejects.toThrow('exists already')
      await storage.close()
      const closed = /The storage is closed/
      await expect(approvals.request({ ...question, id: '2' }, 10)).rejects.toThrow(closed)
      await expect(approvals.questions(10)).rejects.toThrow(closed)
      await expect(approvals.answer('1', { answer: 'yes', by: 'Ada' }, 10)).rejects.toThrow(closed)
      await expect(approvals.look('1', 10)).rejects.toThrow(closed)
      await expect(approvals.extend('1', 20, 10)).rejects.toThrow(closed)
      await expect(approvals.withdraw('1', 10)).rejects.toThrow(closed)
    })
  })
}

const question: ApprovalQuestion = {
  id: '1',
  tool: 'workspace.create_file',
  contractDigest: 'sha256:contract',
  inputDigest: 'sha256:input',
  askedAt: 10,
  expiresAt: 1000,
  details: { input: { path: 'hello.py', text: 'it\'s "so" \u0000 \u2028 🙂' }, reason: 'because' },
}
