// biome-ignore-all lint/suspicious/noThenProperty: `then` is a key of a compensation
import { expect, test } from 'vitest'
import { digest } from '../../src/contract/digest.ts'
import { makeWorkflowFolder, openFlow, step } from '../helpers/workflow-folder.ts'

const from = (pointer: string) => ({ $from: pointer })

test('a plan says what would be called and asked, and does nothing', async () => {
  const folder = makeWorkflowFolder({
    story: {
      steps: [
        step('first', 'note', { $join: ['About ', from('/input/text')] }),
        step('asked', 'publish', from('/input/text')),
        step('forced', 'note', 'x', { approval: 'ask' }),
        step('never', 'note', 'x', { when: { $eq: [from('/input/text'), 'other'] } }),
        step('maybe', 'note', 'x', { when: { $eq: [from('/steps/first/output/text'), 'y'] } }),
        step('later', 'publish', from('/steps/first/output/text')),
        step('each', 'note', from('/item'), { forEach: { in: ['a', from('/input/text')], max: 2 } }),
        step('some', 'note', { $join: [from('/item'), from('/run/id')] }, { forEach: { in: ['a', 'b'], max: 2 } }),
        { id: 'pause', wait: { forMs: 60_000 } },
        step('risky', 'note', 'x', { onError: { tool: 'flow.send', input: { text: from('/steps/risky/error/message') }, then: 'stop' } }), // biome-ignore format: one line
        step('known', 'note', { $from: '/steps/never/output/text', default: 'none' }),
      ],
    },
  })
  const toolpact = await openFlow(folder)
  const plan = await toolpact.runs.plan('flow.story', { text: 'news' })
  expect(plan).toMatchObject({ workflow: 'flow.story', problems: [] })
  const found = Object.fromEntries(
    plan.steps.map(({ foreseen: _, contractDigest: __, ...planned }) => [planned.id, planned]),
  )
  const safe = { tool: 'flow.note', risk: 'safe_write' }
  expect(found).toMatchObject({
    first: { ...safe, runs: 'yes', isInputKnown: true, input: { text: 'About news' }, inputDigest: digest({ text: 'About news' }), action: 'allow' }, // biome-ignore format: one line
    asked: { tool: 'flow.publish', runs: 'yes', input: { text: 'news' }, action: 'ask' },
    forced: { ...safe, runs: 'yes', action: 'ask', reason: 'The step is to be asked for.' },
    never: { ...safe, runs: 'skipped', isInputKnown: false, action: 'unknown' },
    maybe: { ...safe, runs: 'unknown', isInputKnown: true, action: 'allow' },
    later: { runs: 'yes', isInputKnown: false, input: { text: from('/steps/first/output/text') }, action: 'unknown' },
    each: { items: 2, isInputKnown: true, input: [{ text: 'a' }, { text: 'news' }], action: 'allow' },
    some: { items: 2, isInputKnown: false, action: 'unknown' },
    pause: { runs: 'yes', action: 'allow' },
    risky: { runs: 'yes', isInputKnown: true, action: 'allow' },
    'risky/undo': { tool: 'flow.send', runs: 'unknown', isInputKnown: false, action: 'unknown' },
    known: { input: { text: 'none' }, isInputKnown: true },
  })
  expect(found.pause).not.toHaveProperty('tool')
  expect(toolpact.log()).toEqual([])
  expect(await toolpact.runs.list()).toEqual([])
})

test('the problems of an input are those of the workflow, and no step is planned', async () => {
  const toolpact = await openFlow(makeWorkflowFolder({ story: { steps: [step('first', 'note', 'x')] } }))
  const plan = await toolpact.runs.plan('flow.story', { text: 1 })
  expect(plan).toMatchObject({ problems: [{ pointer: '/text' }], steps: [] })
  await expect(toolpact.runs.plan('flow.note', {})).rejects.toThrow("There is no workflow 'flow.note'")
})

test('who is asked about a plan sees every step, and a yes does not count once a step has changed', async () => {
  const steps = [
    step('first', 'publish', { $join: ['About ', from('/input/text')] }),
    { id: 'pause', wait: { forMs: 1 } },
    step('later', 'publish', from('/steps/first/output/text'), { when: { $ne: [from('/steps/first/output/text'), 'x'] } }), // biome-ignore format: one line
  ]
  const look = async (more: object[]) => {
    const folder = makeWorkflowFolder({ story: { approval: 'plan', steps: [...steps, ...more] } })
    const seen: { lines: readonly string[]; digest: string }[] = []
    const toolpact = await openFlow(folder, {
      async approver({ foresee, binding }) {
        seen.push({ lines: (await foresee()).steps ?? [], digest: binding.previewDigest })
        return { answer: 'no', by: 'anna' }
      },
    })
    expect(await toolpact.call('flow.story', { text: 'news' })).toMatchObject({ success: false })
    return seen[0]!
  }
  const { lines, digest: first } = await look([])
  expect(lines).toEqual([
    expect.stringMatching(/^first: flow\.publish \(safe_write, contract sha256:[0-9a-f]{12}\): {"text":"About news"}$/),
    'pause: waits 1 ms',
    expect.stringMatching(
      /^later: flow\.publish \(.*\), if its condition holds: .*\/steps\/first\/output\/text.* \(asks on its own, since this is not known yet\)$/,
    ),
  ])
  expect((await look([])).digest).toBe(first)
  expect((await look([{ id: 'end', wait: { forMs: 2 } }])).digest).not.toBe(first)
})
