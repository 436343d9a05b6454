import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../helpers/open-test-pipeline.ts'
import { entries } from '../helpers/run-command.ts'
import { makeWorkflowFolder, openFlow, step } from '../helpers/workflow-folder.ts'

const items = { forEach: { in: ['x', 'y', 'z'], max: 3 } }
// biome-ignore lint/suspicious/noThenProperty: part of the document, and never a function
const undo = { tool: 'flow.send', input: { text: 'undo' }, then: 'continue' }

const workflows = {
  plain: { steps: [step('one', 'send', 'a'), step('two', 'send', 'b'), step('three', 'send', 'c')] },
  once: { steps: [step('one', 'note', 'a'), step('two', 'note', 'b'), step('three', 'note', 'c')] },
  each: { steps: [step('all', 'note', { $from: '/item' }, items), step('last', 'note', 'end')] },
  mends: { steps: [step('bad', 'send', 'fail', { onError: undo }), step('last', 'send', 'end')] },
}

/** Runs a workflow in a process that kills itself at the point, and goes on in this one. */
async function killAt(name: keyof typeof workflows, point: string) {
  const folder = makeWorkflowFolder(workflows)
  const [stateDirectory, workspace] = [join(makeFolder(), 'state'), makeFolder()]
  const child = spawn(process.execPath, [entries.workflowPoint, stateDirectory, folder, workspace, name, point], {
    stdio: 'inherit',
  })
  const signal = await new Promise((resolve) => child.once('exit', (_, by) => resolve(by)))
  expect(signal).toBe('SIGKILL')
  const flow = await openFlow(folder, { storage: 'sqlite', stateDirectory, workspace })
  flow.runs.begin()
  const isSettled = async () =>
    (await flow.runs.list()).every(({ state }) => state !== 'running' && state !== 'waiting')
  await expect.poll(isSettled, { timeout: 15_000 }).toBe(true)
  const [run] = await flow.runs.list()
  return { ...flow, run: run && (await flow.runs.find(run.id))! }
}

const all = ['one a', 'two b', 'three c']

test.each([
  ['after the run is stored', 'plain', 'after add'],
  ['before the outcome of a step that may run again is stored', 'once', 'before two:running'],
  ['after a step ended and the next began', 'once', 'after two:running'],
  ['after a step began, before its intent', 'plain', 'before intent:flow.send'],
  ['after the intent of a step that may run again', 'once', 'after intent:flow.note'],
  ['after the effect of a step that may run again', 'once', 'before outcome:flow.note'],
  ['after the outcome of a step that may run again', 'once', 'after outcome:flow.note'],
] as const)('a process killed %s: each step takes effect once', async (_, name, point) => {
  const { run, log, ledger } = await killAt(name, point)
  expect(run).toMatchObject({ state: 'completed', progress: { done: 3, total: 3 } })
  expect(log()).toEqual(all)
  expect(await ledger.verify()).toMatchObject({ intact: true })
  // The call that started the run has an end, although its process had none.
  const story = (await ledger.read({ callId: run!.id })).map(({ record }) => record)
  expect(story).toMatchObject([{ kind: 'intent' }, { kind: 'outcome', success: true }])
})

test('a process killed after the last outcome is stored leaves a run that ended', async () => {
  const { run, log } = await killAt('plain', 'after three:done')
  expect(run).toMatchObject({ state: 'completed' })
  expect(log()).toEqual(all)
})

test('a run that was not stored was not acknowledged, and does not exist', async () => {
  const { run, log } = await killAt('plain', 'before add')
  expect(run).toBeUndefined()
  expect(log()).toEqual([])
})

test.each([
  ['before its effect is known', 'after intent:flow.send', undefined, 'it is not known whether it took effect'],
  ['after its effect', 'before outcome:flow.send', undefined, 'it is not known whether it took effect'],
  ['after its outcome', 'after outcome:flow.send', true, 'but what it returned was lost'],
  ['before its outcome is stored with the run', 'before two:running', true, 'but what it returned was lost'],
] as const)('a step that may not run twice, killed %s, waits for a person', async (_, point, success, words) => {
  const { run, log, runs, ledger } = await killAt('plain', point)
  expect(run).toMatchObject({ state: 'needs_person' })
  const [one] = run!.steps
  expect(one).toMatchObject({ key: 'one', state: 'interrupted', known: { intended: true } })
  expect(one!.known!.outcome?.success).toBe(success)
  expect(one!.known!.message).toContain(words)
  const isDone = log().length > 0
  await expect(runs.resume(run!.id, { step: 'two', as: 'again' }, 'ada')).rejects.toMatchObject({ code: 'wrong_state' })
  await expect(runs.resume(run!.id, { step: 'one', as: 'done', output: {} }, 'ada')).rejects.toMatchObject({ code: 'invalid_option' }) // biome-ignore format: one line
  const decision = isDone ? ({ as: 'done', output: { text: 'a' } } as const) : ({ as: 'again' } as const)
  await runs.resume(run!.id, { step: 'one', ...decision }, 'ada')
  expect(await runs.wait(run!.id)).toMatchObject({ state: 'completed' })
  expect(log()).toEqual(all)
  const told = (await ledger.read({ callId: one!.callId! })).map(({ record }) => record).at(-1)
  if (isDone && !success) expect(told).toMatchObject({ kind: 'outcome', success: true, by: 'ada' })
})

test('a person says that an interrupted step failed', async () => {
  const { run, log, runs } = await killAt('plain', 'after intent:flow.send')
  await runs.resume(run!.id, { step: 'one', as: 'failed' }, 'ada')
  expect(await runs.wait(run!.id)).toMatchObject({ state: 'failed', error: { message: expect.stringContaining('ada says that it failed.') } }) // biome-ignore format: one line
  // A retry begins with the failed step.
  await runs.retry(run!.id, 'ada')
  expect(await runs.wait(run!.id)).toMatchObject({ state: 'completed' })
  expect(log()).toEqual(all)
})

test('items that ended do not run again, nor does a step before its compensation', async () => {
  const each = await killAt('each', 'before all/2:running')
  expect(each.run).toMatchObject({ state: 'completed' })
  expect(each.log()).toEqual(['all/0 x', 'all/1 y', 'all/2 z', 'last end'])
  const mends = await killAt('mends', 'after bad/undo:running')
  expect(mends.run).toMatchObject({ state: 'completed' })
  expect(mends.log()).toEqual(['bad/undo undo', 'last end'])
})
