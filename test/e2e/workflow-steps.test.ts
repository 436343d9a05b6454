import { expect, test } from 'vitest'
import { makeWorkflowFolder, openFlow, step } from '../helpers/workflow-folder.ts'

const given = { $from: '/input/text' }
const output = (properties: object) => ({
  ...{ type: 'object', additionalProperties: false, properties },
})

test('steps run in order, see earlier outputs, and the result is made of them', async () => {
  const folder = makeWorkflowFolder({
    both: {
      steps: [step('one', 'note', given), step('two', 'send', { $join: [{ $from: '/steps/one/output/text' }, '!'] })],
      output: output({ said: { type: 'string', description: 'Said' } }),
      result: { said: { $from: '/steps/two/output/text' } },
    },
  })
  const { call, runs, log, ledger } = await openFlow(folder)
  const seen: unknown[] = []
  const result = await call('flow.both', { text: 'a' }, { caller: { name: 'ada', session: 's' }, onProgress: (update) => seen.push(update) }) // biome-ignore format: one line
  expect(result).toMatchObject({ success: true, output: { said: 'a!' } })
  expect(log()).toEqual(['one a', 'two a!'])
  expect(seen).toEqual([
    { progress: 0, total: 2, message: 'one (flow.note)' },
    { progress: 1, total: 2, message: 'two (flow.send)' },
  ])
  const run = (await runs.find(result.callId))!
  expect(run).toMatchObject({
    ...{ state: 'completed', workflow: 'flow.both', caller: 'ada', progress: { done: 2, total: 2 } },
    ...{ input: { text: 'a' }, output: { said: 'a!' }, waitsFor: [] },
    steps: [
      { key: 'one', state: 'done', after: [], output: { text: 'a' } },
      { key: 'two', state: 'done', after: ['one'], output: { text: 'a!' } },
    ],
  })
  // Each step is a call of its own, by the same caller, linked to the run.
  const intents = (await ledger.read()).map(({ record }) => record).filter(({ kind }) => kind === 'intent')
  expect(intents).toMatchObject([
    { callId: result.callId, tool: 'flow.both' },
    { callId: run.steps[0]!.callId, tool: 'flow.note', caller: { name: 'ada', session: 's' }, run: { id: result.callId, step: 'one' } }, // biome-ignore format: one line
    { callId: run.steps[1]!.callId, tool: 'flow.send', caller: { name: 'ada', session: 's' }, run: { id: result.callId, step: 'two' } }, // biome-ignore format: one line
  ])
  expect(await ledger.verify()).toMatchObject({ intact: true })
})

test('a step whose condition is false is skipped', async () => {
  const folder = makeWorkflowFolder({
    maybe: {
      steps: [
        step('one', 'note', given, { when: { $eq: [given, 'yes'] } }),
        step('two', 'note', { $from: '/steps/one/output/text', default: 'nothing' }),
      ],
    },
  })
  const { call, log, runs } = await openFlow(folder)
  await call('flow.maybe', { text: 'yes' })
  const { callId } = await call('flow.maybe', { text: 'no' })
  expect(log()).toEqual(['one yes', 'two yes', 'two nothing'])
  expect((await runs.find(callId))!.steps.map(({ state }) => state)).toEqual(['skipped', 'done'])
})

test('forEach calls once per item, in order or in parallel, and its output is the list', async () => {
  const items = { type: 'array', maxItems: 5, items: { type: 'string', description: 'One' }, description: 'All' }
  const all = (parallel: number, more = {}) => ({
    input: { type: 'object', additionalProperties: false, required: ['all'], properties: { all: items } },
    steps: [step('each', 'note', { $from: '/item' }, { forEach: { in: { $from: '/input/all' }, max: 5, parallel }, ...more })], // biome-ignore format: one line
    output: output({ said: { type: 'array', items: { type: 'string' }, description: 'Said' } }),
    result: { said: { $pluck: [{ $from: '/steps/each/output', default: [] }, '/text'] } },
  })
  const folder = makeWorkflowFolder({ serial: all(1), wide: all(3), lenient: all(2, { onError: 'continue' }) })
  const { call, log, runs } = await openFlow(folder)
  expect(await call('flow.serial', { all: ['a', 'b', 'c'] })).toMatchObject({ output: { said: ['a', 'b', 'c'] } })
  expect(log()).toEqual(['each/0 a', 'each/1 b', 'each/2 c'])
  expect(await call('flow.wide', { all: ['slow 300', 'slow 301', 'slow 302'] })).toMatchObject({ output: { said: ['slow 300', 'slow 301', 'slow 302'] } }) // biome-ignore format: one line
  expect(await call('flow.wide', { all: [] })).toMatchObject({ output: { said: [] } })
  const { callId, ...result } = await call('flow.lenient', { all: ['x', 'fail', 'y'] })
  expect(result).toMatchObject({ output: { said: ['x', 'y'] } })
  expect((await runs.find(callId))!.steps[0]!.items).toMatchObject([
    { key: 'each/0', state: 'done' },
    { key: 'each/1', state: 'failed', error: { code: 'refused' } },
    { key: 'each/2', state: 'done' },
  ])
  const failed = await call('flow.serial', { all: ['p', 'fail now', 'q'] })
  expect(failed).toMatchObject({ success: false, error: { code: 'step_failed', message: "Step 'each' (flow.note) failed: It does not like fail now. (refused)" } }) // biome-ignore format: one line
  expect(log().slice(-1)).toEqual(['each/0 p'])
})

test('independent steps run at once, within the bound', async () => {
  const steps = ['a', 'b', 'c'].map((id) => step(id, 'note', `slow 30${id.charCodeAt(0) - 97}`))
  const folder = makeWorkflowFolder({
    wide: { parallel: 3, steps: [...steps, step('last', 'note', given, { after: ['a', 'b', 'c'] })] },
    narrow: { parallel: 2, steps },
  })
  const { call, log, runs } = await openFlow(folder)
  const { callId } = await call('flow.wide', { text: 'end' })
  expect(log().slice(0, 3).sort()).toEqual(['a slow 300', 'b slow 301', 'c slow 302'])
  const at = (await runs.find(callId))!.steps.map(({ startedAt, endedAt }) => [startedAt!, endedAt!] as const)
  // All three began before any of them ended, and the last after all of them.
  expect(Math.max(...at.slice(0, 3).map(([start]) => start))).toBeLessThan(Math.min(...at.map(([, end]) => end)))
  const second = await call('flow.narrow', { text: 'x' })
  const [a, b, c] = (await runs.find(second.callId))!.steps
  expect(c!.startedAt).toBeGreaterThanOrEqual(Math.min(a!.endedAt!, b!.endedAt!))
})

test('a failed step stops the run, is passed over, or is compensated', async () => {
  // biome-ignore lint/suspicious/noThenProperty: part of the document, and never a function
  const [stop, goOn] = [{ then: 'stop' }, { then: 'continue' }]
  const undo = { tool: 'flow.note', input: { text: { $join: ['undo ', { $from: '/steps/bad/error/code' }] } } }
  const folder = makeWorkflowFolder({
    stops: { steps: [step('one', 'note', 'a'), step('bad', 'note', 'fail'), step('never', 'note', 'b')] },
    passes: {
      steps: [step('bad', 'note', 'fail', { onError: 'continue' }), step('next', 'note', { $from: '/steps/bad/error/code', default: 'fine' })], // biome-ignore format: one line
    },
    undoes: {
      steps: [step('bad', 'note', 'fail', { onError: { ...undo, ...stop } }), step('never', 'note', 'b')],
    },
    mends: {
      steps: [step('bad', 'note', 'fail', { onError: { ...undo, ...goOn } }), step('next', 'note', 'c')],
    },
  })
  const { call, log, runs } = await openFlow(folder)
  const stopped = await call('flow.stops', { text: 'x' })
  expect(stopped).toMatchObject({ success: false, error: { code: 'step_failed', message: "Step 'bad' (flow.note) failed: It does not like fail. (refused)" }, ran: true }) // biome-ignore format: one line
  expect(await runs.find(stopped.callId)).toMatchObject({ state: 'failed', progress: { done: 2, total: 3 }, steps: [{ state: 'done' }, { state: 'failed' }, { state: 'pending' }] }) // biome-ignore format: one line
  expect(await call('flow.passes', { text: 'x' })).toMatchObject({ success: true })
  expect(await call('flow.undoes', { text: 'x' })).toMatchObject({ error: { code: 'step_failed' } })
  const mended = await call('flow.mends', { text: 'x' })
  expect(mended).toMatchObject({ success: true })
  expect((await runs.find(mended.callId))!.steps).toMatchObject([{ key: 'bad', state: 'failed' }, { key: 'bad/undo', state: 'done', after: ['bad'] }, { key: 'next', state: 'done' }]) // biome-ignore format: one line
  expect(log()).toEqual(['one a', 'next refused', 'bad/undo undo refused', 'bad/undo undo refused', 'next c'])
})

test('a step may have a timeout of its own', async () => {
  const folder = makeWorkflowFolder({ late: { steps: [step('one', 'note', 'slow 5000', { timeoutMs: 50 })] } })
  const { call } = await openFlow(folder)
  expect(await call('flow.late', { text: 'x' })).toMatchObject({ error: { message: "Step 'one' (flow.note) failed: 'flow.note' did not finish within 0.05 s, the timeout of the step. (timeout)" } }) // biome-ignore format: one line
})

test('a step waits for a time span, or until a time', async () => {
  const folder = makeWorkflowFolder({
    waits: {
      steps: [{ id: 'span', wait: { forMs: 60 } }, { id: 'past', wait: { until: '2020-01-01T00:00:00Z' } }, step('one', 'note', given)], // biome-ignore format: one line
    },
  })
  const { call, log, runs } = await openFlow(folder)
  const result = await call('flow.waits', { text: 'x' })
  expect(result).toMatchObject({ success: true })
  expect(log()).toEqual(['one x'])
  const [span] = (await runs.find(result.callId))!.steps
  expect(span!.endedAt! - span!.startedAt!).toBeGreaterThanOrEqual(60)
})

test('a failed run is retried from its failed step', async () => {
  const folder = makeWorkflowFolder({
    again: { steps: [step('one', 'send', 'a'), step('two', 'note', given), step('three', 'send', 'c')] },
  })
  const { call, log, runs } = await openFlow(folder)
  const { callId } = await call('flow.again', { text: 'fail' })
  await expect(runs.retry('nothing', 'ada')).rejects.toMatchObject({ code: 'not_found' })
  await runs.retry(callId, 'ada')
  expect(await runs.wait(callId)).toMatchObject({ state: 'failed' })
  // The first step is not repeated.
  expect(log()).toEqual(['one a'])
  const done = await call('flow.again', { text: 'b' })
  await expect(runs.retry(done.callId, 'ada')).rejects.toMatchObject({ code: 'wrong_state' })
})

test('a run is cancelled by a person, or with its call', async () => {
  const folder = makeWorkflowFolder({ long: { steps: [step('one', 'note', 'slow 60000'), step('two', 'note', 'b')] } })
  const { call, log, runs } = await openFlow(folder)
  const started = Promise.withResolvers<string>()
  const first = call('flow.long', { text: 'x' }, { run: { onStart: started.resolve } })
  const id = await started.promise
  await expect.poll(log).toEqual(['one slow 60000'])
  expect(await runs.cancel(id, 'ada')).toMatchObject({ state: 'cancelled' })
  expect(await first).toMatchObject({ error: { code: 'run_cancelled', message: 'ada cancelled the run.' } })
  await expect(runs.cancel(id, 'ada')).rejects.toMatchObject({ code: 'wrong_state' })
  const controller = new AbortController()
  const second = call('flow.long', { text: 'x' }, { signal: controller.signal })
  await expect.poll(() => log().length).toBe(2)
  controller.abort()
  const { callId } = await second
  expect(await runs.wait(callId)).toMatchObject({ state: 'cancelled' })
  expect(log()).not.toContain('two b')
})
