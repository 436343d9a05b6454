import { type ApprovalQuestion, queueLimits } from '../storage.ts'
import { expect } from './expect.ts'
import type { SuiteParts } from './suite-parts.ts'

/** Tests the queue of questions. Part of `testStorage`. */
export function testQueue({ describe }: SuiteParts) {
  describe('queue of questions', (test) => {
    test('lists pending questions oldest first, and deletes the details with the answer', async (openNew) => {
      const { approvals } = await openNew()
      await approvals.request({ ...question, id: '2', askedAt: 20 }, 20)
      await approvals.request(question, 20)
      expect(await approvals.questions(30)).toEqual([
        { ...listed, state: 'pending' },
        { ...listed, id: '2', askedAt: 20, state: 'pending' },
      ])
      expect(await approvals.answer('1', { answer: 'no', by: 'Ada' }, 30)).toEqual({
        taken: true,
        isAwaited: false,
        expiresAt: 1000,
        missing: 0,
      })
      expect(await approvals.questions(30)).toEqual([
        { ...listed, summary: {}, state: 'answered', answer: 'no', by: 'Ada', isUsed: false },
        { ...listed, id: '2', askedAt: 20, state: 'pending' },
      ])
    })

    test('accepts one of fifty concurrent answers, and reports it to the others', async (openNew) => {
      const { approvals } = await openNew()
      await approvals.request(question, 10)
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          approvals.answer('1', { answer: index % 2 ? 'yes' : 'no', by: `${index}` }, 30),
        ),
      )
      const winner = answers.findIndex(({ taken }) => taken)
      const given = { answer: winner % 2 ? 'yes' : 'no', by: `${winner}`, isUsed: false }
      expect(answers.filter(({ taken }) => taken)).toHaveLength(1)
      for (const [index, answer] of answers.entries())
        if (index !== winner) expect(answer).toEqual({ taken: false, state: 'answered', ...given })
      expect(await approvals.look('1', 30)).toEqual({ state: 'answered', ...given })
    })

    test('grants an approval with a yes, for the same call and once', async (openNew) => {
      const { approvals } = await openNew()
      await approvals.request(question, 10)
      await approvals.answer('1', { answer: 'yes', by: 'Ada' }, 30)
      const { expiresAt } = question
      expect(await approvals.use('1', { ...binding, inputDigest: 'other' }, 40)).toBeUndefined()
      expect(await approvals.use('1', binding, 40)).toEqual({ id: '1', ...binding, by: 'Ada', expiresAt })
      expect(await approvals.use('1', binding, 40)).toBeUndefined()
    })

    test('grants nothing with a no', async (openNew) => {
      const { approvals } = await openNew()
      await approvals.request(question, 10)
      await approvals.answer('1', { answer: 'no', by: 'Ada' }, 30)
      expect(await approvals.use('1', question, 40)).toBeUndefined()
    })

    test('rejects an answer once the question has expired', async (openNew) => {
      const { approvals } = await openNew()
      await approvals.request(question, 10)
      expect(await approvals.look('1', 999)).toEqual({ state: 'pending' })
      expect(await approvals.look('1', 1000)).toEqual({ state: 'expired' })
      expect(await approvals.answer('1', { answer: 'yes', by: 'Ada' }, 1000)).toEqual({
        taken: false,
        state: 'expired',
      })
      expect(await approvals.use('1', question, 999)).toBeUndefined()
      expect(await approvals.questions(1000)).toEqual([{ ...listed, summary: {}, state: 'expired' }])
    })

    test('keeps a question alive as long as it is extended, and not beyond', async (openNew) => {
      const { approvals } = await openNew()
      await approvals.request(question, 10)
      await approvals.extend('1', { callId: 'a', waitsUntil: 2000 }, 999)
      expect(await approvals.look('1', 1999)).toEqual({ state: 'pending' })
      await approvals.extend('1', { callId: 'a', waitsUntil: 3000 }, 2000)
      expect(await approvals.look('1', 2000)).toEqual({ state: 'expired' })
      await approvals.extend('unknown', { callId: 'a', waitsUntil: 3000 }, 0)
      expect(await approvals.look('unknown', 0)).toEqual({ state: 'expired' })
    })

    test('lets a question be withdrawn, unless it was answered', async (openNew) => {
      const { approvals } = await openNew()
      await approvals.request(question, 10)
      await approvals.request({ ...question, id: '2' }, 10)
      await approvals.answer('2', { answer: 'yes', by: 'Ada' }, 20)
      expect(await approvals.withdraw('1', 30)).toEqual({ state: 'pending' })
      expect(await approvals.answer('1', { answer: 'yes', by: 'Eve' }, 31)).toEqual({ taken: false, state: 'expired' })
      expect(await approvals.withdraw('2', 30)).toEqual({
        state: 'answered',
        answer: 'yes',
        by: 'Ada',
        isUsed: false,
      })
      expect(await approvals.withdraw('unknown', 30)).toEqual({ state: 'expired' })
      expect((await approvals.questions(31))[0]).toMatchObject({ id: '1', state: 'expired', summary: {} })
    })

    test('returns an answer to the same call once, even if fifty ask concurrently', async (openNew) => {
      const { approvals } = await openNew()
      const resumeAll = () => Promise.all(Array.from({ length: 50 }, () => approvals.resume(binding, 40)))
      for (const [id, answer] of [
        ['1', 'yes'],
        ['2', 'no'],
      ] as const) {
        await approvals.request({ ...question, id }, 10)
        expect(await approvals.resume(binding, 20)).toEqual({ state: 'pending', id, expiresAt: 1000 })
        await approvals.answer(id, { answer, by: 'Ada', forTool: answer === 'yes' }, 30)
        const forTool = answer === 'yes' ? { forTool: true } : {}
        const found = (await resumeAll()).filter((one) => one !== undefined)
        expect(found).toEqual([{ state: 'answered', id, answer, by: 'Ada', waitedMs: 20, ...forTool }])
        expect(await approvals.look(id, 40)).toEqual({ state: 'answered', answer, by: 'Ada', isUsed: true })
        expect(await approvals.use(id, binding, 40)).toBeUndefined()
      }
    })

    test('returns no answer to another call, and none that was used, discarded or has expired', async (openNew) => {
      const { approvals } = await openNew()
      const ask = async (id: string) => {
        await approvals.request({ ...question, id }, 10)
        await approvals.answer(id, { answer: 'yes', by: 'Ada' }, 30)
      }
      await ask('1')
      for (const part of ['tool', 'inputDigest', 'caller'])
        expect(await approvals.resume({ ...binding, [part]: 'other' }, 40), part).toBeUndefined()
      expect(await approvals.use('1', binding, 40)).toMatchObject({ id: '1' })
      expect(await approvals.resume(binding, 40)).toBeUndefined()
      await ask('2')
      await approvals.discard('2', 40)
      expect(await approvals.resume(binding, 40)).toBeUndefined()
      await approvals.request({ ...question, id: '3' }, 10)
      await approvals.discard('3', 40)
      expect(await approvals.resume(binding, 40)).toBeUndefined()
      expect(await approvals.answer('3', { answer: 'yes', by: 'Ada' }, 41)).toEqual({ taken: false, state: 'expired' })
      await approvals.discard('unknown', 40)
    })

    for (const [part, difference] of [
      ['workspace', 'workspace'],
      ['contractDigest', 'contract'],
      ['policyDigest', 'policy'],
      ['previewDigest', 'preview'],
    ] as const)
      test(`reports a yes as outdated under another ${part}, and keeps it for its own call`, async (openNew) => {
        const { approvals } = await openNew()
        await approvals.request(question, 10)
        await approvals.answer('1', { answer: 'yes', by: 'Ada' }, 30)
        const other = { ...binding, [part]: 'other' }
        expect(await approvals.resume(other, 40)).toEqual({ state: 'outdated', difference })
        expect(await approvals.explain('1', other, 40)).toBe(difference)
        expect(await approvals.use('1', other, 40)).toBeUndefined()
        expect(await approvals.explain('1', { ...other, caller: 'somebody else' }, 40)).toBeUndefined()
        expect(await approvals.resume(binding, 40)).toMatchObject({ state: 'answered', answer: 'yes' })
        expect(await approvals.resume(other, 40)).toBeUndefined()
      })

    test('reports an expired yes, and does not revive it when the clock is set back', async (openNew) => {
      const { approvals } = await openNew()
      await approvals.request(question, 10)
      await approvals.answer('1', { answer: 'yes', by: 'Ada' }, 30)
      for (const now of [1000, 40]) {
        expect(await approvals.resume(binding, now)).toEqual({ state: 'outdated', difference: 'expired' })
        expect(await approvals.explain('1', binding, now)).toBe('expired')
        expect(await approvals.use('1', binding, now)).toBeUndefined()
      }
    })

    test('does not revive an expired question when the clock is set back', async (openNew) => {
      const { approvals } = await openNew()
      await approvals.request(question, 10)
      await approvals.questions(1000)
      expect(await approvals.questions(20)).toMatchObject([{ id: '1', state: 'expired' }])
      expect(await approvals.details('1', 20)).toBeUndefined()
      expect(await approvals.answer('1', { answer: 'yes', by: 'Ada' }, 20)).toEqual({ taken: false, state: 'expired' })
    })

    test('withdraws a question if the same call asks again under other conditions, unless a call waits for it', async (openNew) => {
      const { approvals } = await openNew()
      const waiter = { callId: 'a', waitsUntil: 100 }
      await approvals.request(question, 10)
      await approvals.request({ ...question, id: '2', previewDigest: 'other', waiter }, 20)
      await approvals.request({ ...question, id: '3', policyDigest: 'other' }, 30)
      await approvals.request({ ...question, id: '4', policyDigest: 'other', workspace: '/elsewhere' }, 40)
      const states = (await approvals.questions(50)).map(({ id, state }) => `${id} ${state}`)
      expect(states.sort()).toEqual(['1 expired', '2 pending', '3 pending', '4 pending'])
    })

    test('returns the details of a question only while it is pending', async (openNew) => {
      const { approvals } = await openNew()
      await approvals.request(question, 10)
      expect(await approvals.find('1', 20)).toEqual({ ...listed, state: 'pending' })
      expect(await approvals.details('1', 20)).toEqual(question.details)
      await approvals.answer('1', { answer: 'no', by: 'Ada' }, 30)
      expect(await approvals.details('1', 30)).toBeUndefined()
      expect(await approvals.find('2', 30)).toBeUndefined()
      expect(await approvals.details('2', 30)).toBeUndefined()
    })

    test('limits pending bytes per caller and in total, but always accepts the first question of a caller', async (openNew) => {
      const { approvals } = await openNew()
      const ask = (id: string, caller: string, bytes: number) =>
        approvals.request({ ...question, id, inputDigest: id, caller, details: { text: 'x'.repeat(bytes - 11) } }, 10)
      const ofCaller = queueLimits.caller.bytes
      expect(await ask('1', 'a', ofCaller + 1)).toBeUndefined()
      expect(await ask('2', 'a', 100)).toEqual({ scope: 'caller', unit: 'bytes', max: ofCaller })
      expect(await ask('3', 'b', ofCaller)).toBeUndefined()
      expect(await ask('4', 'b', 100)).toEqual({ scope: 'caller', unit: 'bytes', max: ofCaller })
      expect(await ask('5', 'c', ofCaller)).toBeUndefined()
      expect(await ask('6', 'd', ofCaller)).toEqual({ scope: 'total', unit: 'bytes', max: queueLimits.total.bytes })
      await approvals.answer('1', { answer: 'no', by: 'Ada' }, 20)
      expect(await ask('7', 'a', 100)).toBeUndefined()
      expect(await ask('8', 'd', ofCaller)).toBeUndefined()
    })

    test('holds a thousand questions of a caller, finds and answers each, and rejects more', async (openNew) => {
      const { approvals } = await openNew()
      const { questions: max } = queueLimits.caller
      const ids = Array.from({ length: max }, (_, index) => `${index}`)
      const ask = (id: string) => approvals.request({ ...question, id, inputDigest: id }, 10)
      expect(new Set(await Promise.all(ids.map(ask)))).toEqual(new Set([undefined]))
      expect(await ask('one more')).toEqual({ scope: 'caller', unit: 'questions', max })
      expect(await approvals.request({ ...question, id: 'other', caller: 'other' }, 10)).toBeUndefined()
      expect(await approvals.questions(20)).toHaveLength(max + 1)
      expect(await approvals.resume({ ...binding, inputDigest: '500' }, 20)).toMatchObject({
        state: 'pending',
        id: '500',
      })
      const answers = await Promise.all(ids.map((id) => approvals.answer(id, { answer: 'yes', by: 'Ada' }, 30)))
      expect(answers.every(({ taken }) => taken)).toBe(true)
      expect(await ask('one more')).toBeUndefined()
    })

    test('reports whether a call waits for the answer, and only the last waiter counts', async (openNew) => {
      const { approvals } = await openNew()
      const wait = (callId: string, waitsUntil = 100) => ({ callId, waitsUntil })
      await approvals.request({ ...question, waiter: wait('a', 50) }, 10)
      expect(await approvals.extend('1', wait('a'), 20)).toBe(true)
      expect(await approvals.find('1', 20)).toMatchObject({ awaitedBy: 'a' })
      await approvals.resume(binding, 30, wait('b'))
      expect(await approvals.find('1', 30)).toMatchObject({ awaitedBy: 'b' })
      expect(await approvals.find('1', 100)).toMatchObject({ awaitedBy: null })
      expect(await approvals.extend('1', wait('a', 900), 40)).toBe(false)
      expect(await approvals.extend('1', wait('b', 60), 40)).toBe(true)
      expect(await approvals.answer('1', { answer: 'yes', by: 'Ada' }, 59)).toMatchObject({ isAwaited: true })
      expect(await approvals.extend('1', wait('a'), 60)).toBe(false)
      expect(await approvals.extend('1', wait('b'), 60)).toBe(true)
      await approvals.request({ ...question, id: '2', waiter: wait('a', 50) }, 10)
      expect(await approvals.answer('2', { answer: 'yes', by: 'Ada' }, 50)).toMatchObject({ isAwaited: false })
    })

    test('keeps an answer usable for its own time, even if the question was about to expire', async (openNew) => {
      const { approvals } = await openNew()
      await approvals.request({ ...question, answerMs: 500 }, 10)
      expect(await approvals.answer('1', { answer: 'yes', by: 'Ada' }, 999)).toMatchObject({ expiresAt: 1499 })
      expect(await approvals.resume(binding, 1498)).toMatchObject({ answer: 'yes' })
    })

    test('keeps ended questions for an hour', async (openNew) => {
      const { approvals } = await openNew()
      await approvals.request(question, 10)
      await approvals.answer('1', { answer: 'yes', by: 'Ada' }, 30)
      expect(await approvals.questions(3_600_999)).toHaveLength(1)
      expect(await approvals.questions(3_601_000)).toEqual([])
    })

    test('waits for as many different people as a question needs, and grants one approval with all names', async (openNew) => {
      const { approvals } = await openNew()
      await approvals.request({ ...question, peopleNeeded: 2 }, 10)
      const yes = (by: string, now = 30) => approvals.answer('1', { answer: 'yes', by, via: 'console' }, now)
      expect(await yes('Ada')).toEqual({ taken: true, isAwaited: false, expiresAt: 1000, missing: 1 })
      expect(await yes('Ada', 31)).toEqual({ taken: false, state: 'pending' })
      expect(await approvals.find('1', 32)).toEqual({
        ...listed,
        peopleNeeded: 2,
        approvedBy: ['Ada'],
        state: 'pending',
      })
      expect(await approvals.details('1', 32)).toEqual(question.details)
      expect(await approvals.use('1', binding, 32)).toBeUndefined()
      expect(await approvals.resume(binding, 32)).toMatchObject({ state: 'pending' })
      expect(await yes('Bob', 33)).toEqual({ taken: true, isAwaited: false, expiresAt: 1000, missing: 0 })
      const given = { answer: 'yes', by: 'Ada and Bob' }
      expect(await yes('Eve', 34)).toEqual({ taken: false, state: 'answered', ...given, isUsed: false })
      expect(await approvals.find('1', 34)).toMatchObject({ ...given, approvedBy: ['Ada', 'Bob'], summary: {} })
      const people = ['Ada', 'Bob']
      expect(await approvals.resume(binding, 35)).toEqual({
        state: 'answered',
        waitedMs: 23,
        id: '1',
        ...given,
        via: 'console',
        people,
      })
      expect(await approvals.resume(binding, 36)).toBeUndefined()
    })

    test('keeps who vouches for the people who answer', async (openNew) => {
      const { approvals } = await openNew()
      const principal = { issuer: 'https://id.example', subject: "7 \u2028 O'Hara", groups: ['ops'] }
      const ada = { name: 'Ada', ...principal }
      await approvals.request({ ...question, peopleNeeded: 2 }, 10)
      await approvals.answer('1', { answer: 'yes', by: 'Ada', principal }, 20)
      expect((await approvals.find('1', 20))?.approvedBy).toEqual(['Ada'])
      await approvals.answer('1', { answer: 'yes', by: 'Bob' }, 21)
      expect(await approvals.resume(binding, 22)).toMatchObject({ people: ['Ada', 'Bob'], principals: [ada] })
      await approvals.request({ ...question, id: '2' }, 30)
      await approvals.answer('2', { answer: 'yes', by: 'Ada', principal }, 31)
      expect(await approvals.use('2', binding, 32)).toEqual({ id: '2', ...binding, by: 'Ada', principals: [ada], expiresAt: 1000 }) // biome-ignore format: one line
      await approvals.request({ ...question, id: '3', peopleNeeded: 2 }, 40)
      await approvals.answer('3', { answer: 'yes', by: 'Eve', principal: { ...principal, subject: '8' } }, 41)
      await approvals.answer('3', { answer: 'no', by: 'Ada', principal }, 42)
      expect((await approvals.find('3', 43))?.approvedBy).toEqual(['Eve'])
      expect(await approvals.resume(binding, 44)).toMatchObject({ answer: 'no', by: 'Ada', principals: [ada] })
      await approvals.grant({ id: '4', ...binding, by: 'Ada', principals: [ada], expiresAt: 1000 })
      expect(await approvals.use('4', binding, 50)).toMatchObject({ by: 'Ada', principals: [ada] })
    })

    test('ends a question that needs two people with one no, before or after a yes', async (openNew) => {
      const { approvals } = await openNew()
      for (const id of ['1', '2']) {
        await approvals.request({ ...question, id, inputDigest: id, peopleNeeded: 2 }, 10)
        if (id === '2') await approvals.answer(id, { answer: 'yes', by: 'Ada' }, 20)
        expect(await approvals.answer(id, { answer: 'no', by: 'Ada' }, 30)).toMatchObject({ taken: true, missing: 0 })
        expect(await approvals.answer(id, { answer: 'yes', by: 'Bob' }, 31)).toMatchObject({
          taken: false,
          answer: 'no',
        })
        expect(await approvals.resume({ ...binding, inputDigest: id }, 32)).toMatchObject({ answer: 'no', by: 'Ada' })
      }
    })

    test('counts each of fifty concurrent yeses of two people once', async (openNew) => {
      const { approvals } = await openNew()
      await approvals.request({ ...question, peopleNeeded: 2 }, 10)
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          approvals.answer('1', { answer: 'yes', by: index % 2 ? 'Ada' : 'Bob' }, 30),
        ),
      )
      const taken = answers.flatMap((answer) => (answer.taken ? [answer.missing] : []))
      expect(taken.sort()).toEqual([0, 1])
      expect((await approvals.find('1', 40))?.approvedBy.length).toBe(2)
    })

    test('requires a unique id per question, and is closed with the storage', async (openNew) => {
      const storage = await openNew()
      const { approvals } = storage
      await approvals.request(question, 10)
      await expect(approvals.request({ ...question, details: {} }, 10)).toRejectWith('exists_already')
      await storage.close()
      await expect(approvals.request({ ...question, id: '2' }, 10)).toRejectWith('closed')
      await expect(approvals.questions(10)).toRejectWith('closed')
      await expect(approvals.answer('1', { answer: 'yes', by: 'Ada' }, 10)).toRejectWith('closed')
      await expect(approvals.look('1', 10)).toRejectWith('closed')
      await expect(approvals.extend('1', { callId: 'a', waitsUntil: 20 }, 10)).toRejectWith('closed')
      await expect(approvals.withdraw('1', 10)).toRejectWith('closed')
      await expect(approvals.resume(question, 10)).toRejectWith('closed')
      await expect(approvals.discard('1', 10)).toRejectWith('closed')
    })
  })
}

export const question: ApprovalQuestion = {
  id: '1',
  tool: 'workspace.create_file',
  contractDigest: 'sha256:contract',
  inputDigest: 'sha256:input',
  caller: 'stdio',
  workspace: '/work',
  policyDigest: 'sha256:policy',
  previewDigest: 'sha256:preview',
  askedAt: 10,
  expiresAt: 1000,
  summary: { target: 'hello.py' },
  details: { input: { path: 'hello.py', text: 'it\'s "so" \u0000 \u2028 🙂' }, reason: 'because' },
}

const { details, ...shortened } = question
const listed = {
  ...shortened,
  bytes: Buffer.byteLength(JSON.stringify(details)),
  approvedBy: [],
  peopleNeeded: 1,
  awaitedBy: null,
}
const { tool, contractDigest, inputDigest, caller, workspace, policyDigest, previewDigest } = question
const binding = { tool, contractDigest, inputDigest, caller, workspace, policyDigest, previewDigest }
