import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Approver } from '../../src/runtime/approval/approver.ts'
import { createDeferringApprover } from '../../src/runtime/approval/queue-approvers.ts'
import { makeFolder } from '../helpers/open-test-pipeline.ts'
import { makeWorkflowFolder, openFlow, step } from '../helpers/workflow-folder.ts'

const given = { $from: '/input/text' }
const text = { type: 'string', description: 'Said' } as const

const publishes = {
  steps: [step('one', 'note', given), step('two', 'publish', given), step('three', 'note', { $from: '/steps/two/output/text' })], // biome-ignore format: one line
  output: { type: 'object', additionalProperties: false, properties: { said: text } },
  result: { said: { $from: '/steps/three/output/text' } },
}

/** A flow in a state directory of its own, opened as often as wanted. */
function makeShared(workflows: { readonly [name: string]: object }) {
  const folder = makeWorkflowFolder(workflows)
  const [stateDirectory, workspace] = [join(makeFolder(), 'state'), makeFolder()]
  return (options = {}) => openFlow(folder, { storage: 'sqlite', stateDirectory, workspace, ...options })
}

type Flow = Awaited<ReturnType<ReturnType<typeof makeShared>>>

/** Starts a run whose steps ask in the queue, and no longer waits for it once it waits. */
async function startAndLeave({ call, approvals, runs }: Flow, workflow: string, input = { text: 'a' }) {
  const leave = new AbortController()
  const started = Promise.withResolvers<string>()
  const approver = createDeferringApprover({ approvals, keepMs: 600_000 })
  const called = call(workflow, input, { approver, run: { onStart: started.resolve, detach: leave.signal } })
  const id = await started.promise
  await expect.poll(async () => (await runs.find(id))?.state).toBe('waiting')
  leave.abort()
  return { id, result: await called }
}

test('a run waits for an approval without a process, and goes on in another', async () => {
  const open = makeShared({ publishes })
  const first = await open()
  const { id, result } = await startAndLeave(first, 'flow.publishes')
  const [question] = (await first.runs.find(id))!.waitsFor
  expect(result).toMatchObject({
    ...{ success: false, callId: id, ran: true },
    error: {
      code: 'run_pending',
      message: `The run ${id} of 'flow.publishes' waits for a person's approval of step 'two': toolpact approvals approve ${question!.questionId}.`,
      suggestion: `Look at it later: toolpact runs show ${id}`,
    },
  })
  const asked = await first.approvals.find(question!.questionId!, Date.now())
  expect(asked!.summary).toMatchObject({ run: { id, step: 'two' } })
  await first.close()
  const second = await open()
  await second.approvals.answer(question!.questionId!, { answer: 'yes', by: 'ada' }, Date.now())
  expect(second.log()).toEqual(['one a'])
  second.runs.begin()
  await expect.poll(async () => (await second.runs.find(id))?.state).toBe('completed')
  expect(await second.runs.find(id)).toMatchObject({ output: { said: 'a' }, waitsFor: [] })
  expect(second.log()).toEqual(['one a', 'two a', 'three a'])
  const calls = (await second.ledger.read()).map(({ record }) => record)
  expect(calls.find((record) => record.kind === 'intent' && record.tool === 'flow.publish')).toMatchObject({ approval: { answer: 'yes', by: 'ada' }, run: { id, step: 'two' } }) // biome-ignore format: one line
})

test('a no fails the step, and so does a question that no one answers', async () => {
  const open = makeShared({ publishes })
  const flow = await open()
  const { id } = await startAndLeave(flow, 'flow.publishes')
  const [wait] = (await flow.runs.find(id))!.waitsFor
  await flow.approvals.answer(wait!.questionId!, { answer: 'no', by: 'ada' }, Date.now())
  expect(await flow.runs.wait(id)).toMatchObject({ state: 'failed', error: { code: 'step_failed', message: expect.stringContaining('approval_denied') } }) // biome-ignore format: one line
  const second = await startAndLeave(flow, 'flow.publishes', { text: 'b' })
  const [other] = (await flow.runs.find(second.id))!.waitsFor
  await flow.approvals.discard(other!.questionId!, Date.now())
  expect(await flow.runs.wait(second.id)).toMatchObject({ state: 'failed', error: { message: expect.stringContaining('approval_timeout') } }) // biome-ignore format: one line
  expect(flow.log()).toEqual(['one a', 'one b'])
})

test('two runs with an equal step do not share its question', async () => {
  const open = makeShared({ publishes })
  const flow = await open()
  const [one, other] = [await startAndLeave(flow, 'flow.publishes'), await startAndLeave(flow, 'flow.publishes')]
  const questionOf = async (id: string) => (await flow.runs.find(id))!.waitsFor[0]!.questionId!
  const [first, second] = [await questionOf(one.id), await questionOf(other.id)]
  expect(first).not.toBe(second)
  flow.runs.begin()
  await flow.approvals.answer(second, { answer: 'yes', by: 'ada' }, Date.now())
  expect(await flow.runs.wait(other.id)).toMatchObject({ state: 'completed' })
  expect(await flow.runs.find(one.id)).toMatchObject({ state: 'waiting' })
  await flow.approvals.answer(first, { answer: 'yes', by: 'ada' }, Date.now())
  expect(await flow.runs.wait(one.id)).toMatchObject({ state: 'completed' })
})

test('an attached call asks where its caller asks, and a step may ask although the policy allows it', async () => {
  const folder = makeWorkflowFolder({
    asks: { steps: [step('one', 'note', given, { approval: 'ask' }), step('two', 'note', 'b')] },
  })
  const asked: string[] = []
  const approver: Approver = async ({ reason, run }) => {
    asked.push(`${run?.step}: ${reason}`)
    return { answer: 'yes', by: 'ada' }
  }
  const { call, log } = await openFlow(folder, { approver })
  expect(await call('flow.asks', { text: 'a' })).toMatchObject({ success: true })
  expect(asked).toEqual(['one: The workflow asks before this step.'])
  expect(log()).toEqual(['one a', 'two b'])
})

test('one yes to the plan counts for the calls that it names, and another call asks', async () => {
  const folder = makeWorkflowFolder({
    planned: {
      approval: 'plan',
      steps: [step('one', 'publish', given), step('two', 'publish', { $from: '/steps/one/output/text' })],
    },
  })
  const asked: string[] = []
  const approver: Approver = async ({ binding, run }) => {
    asked.push(`${binding.tool} ${run?.step ?? ''}`)
    return { answer: 'yes', by: 'ada' }
  }
  const { call, log, ledger } = await openFlow(folder, { approver })
  expect(await call('flow.planned', { text: 'a' })).toMatchObject({ success: true })
  // The input of the second step is known only after the first.
  expect(asked).toEqual(['flow.planned ', 'flow.publish two'])
  expect(log()).toEqual(['one a', 'two a'])
  const [, first] = (await ledger.read()).map(({ record }) => record).filter(({ kind }) => kind === 'intent')
  expect(first).toMatchObject({ tool: 'flow.publish', approval: { answer: 'yes', by: 'ada', via: 'plan' } })
})

test('a query may make one workflow call, and its steps do not count', async () => {
  const folder = makeWorkflowFolder({ both: { steps: [step('one', 'note', 'a'), step('two', 'note', 'b')] } })
  const { query, log } = await openFlow(folder, { policy: { singleStep: true } })
  const once = query()
  expect(await once.call('flow.both', { text: 'x' })).toMatchObject({ success: true })
  expect(await once.call('flow.both', { text: 'y' })).toMatchObject({ error: { code: 'single_step' } })
  expect(log()).toEqual(['one a', 'two b'])
})

test('closing lets the step in flight end, and another process goes on at once', async () => {
  const open = makeShared({ two: { steps: [step('one', 'send', 'slow 300'), step('two', 'send', 'b')] } })
  const first = await open()
  const started = Promise.withResolvers<string>()
  const called = first.call('flow.two', { text: 'a' }, { run: { onStart: started.resolve } })
  const id = await started.promise
  await expect.poll(first.log).toEqual(['one slow 300'])
  await first.close()
  expect(await called).toMatchObject({ error: { code: 'run_pending' } })
  const second = await open()
  expect(await second.runs.find(id)).toMatchObject({
    state: 'running',
    steps: [{ state: 'done' }, { state: 'pending' }],
  })
  second.runs.begin()
  await expect.poll(async () => (await second.runs.find(id))?.state).toBe('completed')
  expect(second.log()).toEqual(['one slow 300', 'two b'])
})

test('a run whose question is pending waits, also if its process ends meanwhile', async () => {
  const open = makeShared({ publishes })
  const first = await open()
  const asked = Promise.withResolvers<void>()
  // A person at a terminal, who leaves without an answer: the question goes to the queue.
  const leaves = Promise.withResolvers<void>()
  const approver: Approver = async (request, signal) => {
    asked.resolve()
    await leaves.promise
    return createDeferringApprover({ approvals: first.approvals, keepMs: 600_000 })(request, signal)
  }
  const called = first.call('flow.publishes', { text: 'a' }, { approver })
  await asked.promise
  first.runs.pause()
  leaves.resolve()
  const { callId } = await called
  await expect.poll(async () => (await first.runs.find(callId))?.state).toBe('waiting')
})

test('a run that waits for a time goes on in another process', async () => {
  const open = makeShared({ later: { steps: [{ id: 'wait', wait: { forMs: 400 } }, step('one', 'note', given)] } })
  const first = await open()
  const { id, result } = await startAndLeave(first, 'flow.later')
  expect(result).toMatchObject({ error: { code: 'run_pending', message: expect.stringMatching(/waits at step 'wait' until \d{4}/) } }) // biome-ignore format: one line
  await first.close()
  const second = await open()
  second.runs.begin()
  await expect.poll(async () => (await second.runs.find(id))?.state, { timeout: 5000 }).toBe('completed')
  expect(second.log()).toEqual(['one a'])
})
