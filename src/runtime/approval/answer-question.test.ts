import { describe, expect, test } from 'vitest'
import { defineEcho, openTestPipeline, openTestStorage, yes } from '../../../test/helpers/open-test-pipeline.ts'
import { type ApproverEntry, toAnswerTerms } from '../../policy/approvers.ts'
import type { Approvals, RememberedQuestion } from '../storage/storage.ts'
import { answerQuestion } from './answer-question.ts'
import type { Approver } from './approver.ts'
import { countSameApprovals } from './count-same-approvals.ts'
import { createDeferringApprover, createQueueApprover } from './queue-approvers.ts'

const tool = defineEcho({ risk: 'safe_write', effects: { writes: ['text'] } })

describe.each(['memory', 'sqlite'] as const)('a question in the queue of the %s storage', (kind) => {
  test('is answered only by people whom the config names, and the ledger records them', async () => {
    const { call, pending, approvals, records } = open({ who: ['Ada'] })
    const calling = call('test.echo', { text: 'a' })
    const { id } = await pending()
    const answer = (person: string) => answerQuestion(approvals, { id, answer: 'yes', person, via: 'console' })
    expect(await answer('Eve')).toEqual({
      result: 'refused',
      message: 'Eve is not among the people who may answer this. One person of these must answer: Ada.',
    })
    expect(await approvals.find(id, Date.now())).toMatchObject({ state: 'pending', approvedBy: [] })
    expect(await answer('Ada')).toMatchObject({ result: 'approved', isAwaited: true })
    const result = await calling
    expect(result.success).toBe(true)
    expect((await records(result))[0]).toMatchObject({ approval: { by: 'Ada', via: 'console', id } })
    expect(await answer('Ada')).toMatchObject({ result: 'answered_before', by: 'Ada', answer: 'yes' })
    expect(await answerQuestion(approvals, { id: 'none', answer: 'no', person: 'Ada', via: 'queue' })).toMatchObject({
      result: 'expired',
    })
  })

  test('needs two different people where so marked, and the ledger records both', async () => {
    const { call, pending, approvals, records, runs } = open({ people: 2 })
    const calling = call('test.echo', { text: 'a' })
    const { id } = await pending()
    const answer = (person: string, more = {}) =>
      answerQuestion(approvals, { id, answer: 'yes', person, via: 'queue', ...more })
    expect(await answer('Ada', { forTool: true })).toMatchObject({ result: 'refused' })
    expect(await answer('Ada')).toMatchObject({ result: 'recorded', approvedBy: ['Ada'], peopleNeeded: 2 })
    expect(await answer('Ada')).toMatchObject({
      result: 'refused',
      message: expect.stringMatching(/approved .* already/),
    })
    expect(runs).toHaveLength(0)
    expect(await answer('Bob')).toMatchObject({ result: 'approved' })
    const result = await calling
    expect(runs).toHaveLength(1)
    expect((await records(result))[0]).toMatchObject({ approval: { answer: 'yes', by: 'Ada and Bob' } })
  })

  test('ends with one no', async () => {
    const { call, pending, approvals, runs } = open({ people: 2 })
    const calling = call('test.echo', { text: 'a' })
    const { id } = await pending()
    await answerQuestion(approvals, { id, answer: 'yes', person: 'Ada', via: 'queue' })
    expect(await answerQuestion(approvals, { id, answer: 'no', person: 'Bob', via: 'queue' })).toMatchObject({
      result: 'denied',
    })
    expect(await calling).toMatchObject({
      error: { code: 'approval_denied', message: expect.stringMatching(/by: Bob/) },
    })
    expect(runs).toHaveLength(0)
  })

  test('is never answered by the caller, unless the config allows it', async () => {
    const { call, pending, approvals, runs, setEntry } = open({})
    const calling = call('test.echo', { text: 'a' })
    const own = async () =>
      answerQuestion(approvals, { id: (await pending()).id, answer: 'yes', person: 'tester', via: 'queue' })
    expect(await own()).toMatchObject({ result: 'refused', message: expect.stringMatching(/^tester made this call/) })
    await approvals.discard((await pending()).id, Date.now())
    expect((await calling).success).toBe(false)
    setEntry({ callerMayAnswer: true })
    const again = call('test.echo', { text: 'b' })
    expect(await own()).toMatchObject({ result: 'approved' })
    expect((await again).success).toBe(true)
    expect(runs).toHaveLength(1)
  })

  test('does not count once the config lets others answer', async () => {
    const { call, pending, approvals, runs, setEntry } = open({ who: ['Ada'] }, (approvals) =>
      createDeferringApprover({ approvals, keepMs: 60_000 }),
    )
    await call('test.echo', { text: 'a' })
    const { id } = await pending()
    await answerQuestion(approvals, { id, answer: 'yes', person: 'Ada', via: 'queue' })
    setEntry({ who: ['Bob'] })
    expect(await call('test.echo', { text: 'a' })).toMatchObject({
      error: { code: 'approval_required', message: expect.stringMatching(/rules or policy settings have changed/) },
    })
    expect(runs).toHaveLength(0)
  })

  test('a yes of a group counts by the groups of whoever gave it, also when the call runs, and the ledger names the issuer', async () => {
    const ops = { person: 'Eve', via: 'console', issuer: 'https://id.example', subject: '7', groups: ['ops', 'dev'] }
    const { call, runs, approvals, pending, records } = open({ who: ['group:ops'] })
    const running = call('test.echo', { text: 'a' })
    const { id } = await pending()
    const dev = { ...ops, groups: ['dev'] }
    expect(await answerQuestion(approvals, { id, answer: 'yes', ...dev })).toMatchObject({
      result: 'refused',
      message: 'Eve is not among the people who may answer this. One person of these must answer: the group ops.',
    })
    expect(await answerQuestion(approvals, { id, answer: 'yes', ...ops })).toMatchObject({ result: 'approved' })
    const result = await running
    expect(runs).toHaveLength(1)
    const principals = [{ name: 'Eve', issuer: 'https://id.example', subject: '7', groups: ['ops'] }]
    expect((await records(result))[0]).toMatchObject({ approval: { answer: 'yes', by: 'Eve', via: 'console', principals } }) // biome-ignore format: one line
  })

  /** `entry`: the only entry of `approvers`. */
  function open(entry: ApproverEntry, toApprover = toQueue) {
    const storage = openTestStorage(kind)
    const { approvals } = storage
    let current = entry
    const opened = openTestPipeline([tool], {
      storage,
      approver: toApprover(approvals),
      termsOf: ({ caller, ...call }) => toAnswerTerms({ approvers: [current] }, { ...call, callers: [caller.name] }),
    })
    return {
      ...opened,
      approvals,
      pending: () => waitForQuestion(approvals),
      setEntry(next: ApproverEntry) {
        current = next
      },
    }
  }
})

describe('every other way of answering', () => {
  const ada = { name: 'Ada', issuer: 'https://id.example', subject: '7', groups: ['ops'] }
  const approver =
    (answer: object): Approver =>
    async () => ({ answer: 'yes', by: 'Ada', ...answer })
  const callWith = async (entry: ApproverEntry, approver: Approver) => {
    const { call, runs, records } = openTestPipeline([tool], {
      approver,
      termsOf: ({ caller, ...call }) => toAnswerTerms({ approvers: [entry] }, { ...call, callers: [caller.name] }),
    })
    const result = await call('test.echo', { text: 'a' })
    return { ran: runs.length > 0, result, record: (await records(result))[0] }
  }

  test.each<[string, ApproverEntry, object, boolean]>([
    ['a person who may', { who: ['Ada'] }, { via: 'terminal' }, true],
    ['a person who may not', { who: ['Bob'] }, { via: 'terminal' }, false],
    ['--yes of a person who may not', { who: ['Bob'] }, { via: '--yes' }, false],
    ['a program', { who: ['Bob'] }, { by: 'a program' }, false],
    ['the caller', {}, { by: 'tester' }, false],
    ['the client', { who: ['Ada'] }, { via: 'elicitation' }, false],
    ['the client that may', { who: ['Ada'], clientMayAnswer: true }, { by: 'the user of x', via: 'elicitation' }, true],
    ['one of two people', { people: 2 }, { via: 'terminal' }, false],
    ['the same person twice', { people: 2 }, { people: ['Ada', 'Ada'] }, false],
    ['two people', { people: 2 }, { people: ['Ada', 'Bob'] }, true],
    ['a member of the group', { who: ['group:ops'] }, { principals: [ada] }, true],
    ['a member of another group', { who: ['group:dev'] }, { principals: [ada] }, false],
    ['a name whose groups are those of another', { who: ['group:ops'] }, { by: 'Eve', principals: [ada] }, false],
    ['two people of the group', { who: ['group:ops'], people: 2 }, { people: ['Ada', 'Bob'], principals: [ada, { ...ada, name: 'Bob', subject: '8' }] }, true], // biome-ignore format: one line
    ['two people, of whom one is of the group', { who: ['group:ops'], people: 2 }, { people: ['Ada', 'Bob'], principals: [ada] }, false], // biome-ignore format: one line
  ])('is held to the config: %s', async (_, entry, answer, runs) => {
    expect((await callWith(entry, approver(answer))).ran).toBe(runs)
  })

  test('a refused yes says why, to the caller and in the ledger', async () => {
    const { result, record } = await callWith({ who: ['Bob'] }, yes)
    const why = 'a test is not among the people who may answer this. One person of these must answer: Bob.'
    expect(result).toMatchObject({ error: { code: 'approval_denied', message: expect.stringContaining(why) } })
    expect(record).toMatchObject({ kind: 'refusal', approval: { answer: 'no', by: 'a test', note: why } })
  })
})

test('counts how often people approved exactly the same call', async () => {
  const { call, asked, storage } = openTestPipeline([tool], { approver: yes })
  for (const text of ['a', 'b', 'a', 'a']) await call('test.echo', { text })
  await call('test.echo', { text: 'a' }, { approver: async () => ({ answer: 'yes', by: 'Ada', via: '--yes' }) })
  await call('test.echo', { text: 'a' }, { approver: async () => ({ answer: 'no', by: 'Ada' }) })
  const { tool: id, inputDigest } = asked[0]!.binding
  expect(await countSameApprovals(storage.ledger, { tool: id, inputDigest })).toBe(3)
  expect(await asked[1]!.countApprovals()).toBe(1)
})

function toQueue(approvals: Approvals): Approver {
  return createQueueApprover({ approvals, waitMs: 30_000 })
}

async function waitForQuestion(approvals: Approvals): Promise<RememberedQuestion> {
  const pending = async () => (await approvals.questions(Date.now())).filter(({ state }) => state === 'pending')
  await expect.poll(pending, { timeout: 60_000 }).toHaveLength(1)
  return (await pending())[0]!
}
