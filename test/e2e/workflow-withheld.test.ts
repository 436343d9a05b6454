import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openToolpact } from '../../src/app/app.ts'
import { define, makeChangeling } from '../helpers/open-changeling.ts'
import { makeFolder } from '../helpers/open-test-pipeline.ts'
import { makeWorkflowFolder, openFlow, step } from '../helpers/workflow-folder.ts'

const given = { $from: '/input/text' }

test('a workflow has the highest risk of its steps, and their effects where its input reaches them', async () => {
  const folder = makeWorkflowFolder({
    copies: {
      risk: 'dangerous',
      steps: [
        {
          id: 'read',
          tool: 'workspace.read_file',
          input: { path: { $check: [given, { minLength: 1, maxLength: 4096 }] } },
        },
        step('note', 'note', given, { after: ['read'] }),
      ],
    },
  })
  const { catalog, workflows } = await openFlow(folder, { toolsets: ['flow', 'workspace'] })
  const found = await catalog.find('flow.copies')
  expect(found).toMatchObject({
    kind: 'found',
    tool: {
      workflow: { name: 'copies' },
      contract: { risk: 'dangerous', approval: 'never', effects: { reads: ['text'], returns: ['private'] } },
    },
  })
  expect(await workflows()).toMatchObject([{ id: 'flow.copies', file: join(folder, 'copies.workflow.json') }])
})

test('what does not fit is withheld, with the place and the reason', async () => {
  const folder = makeWorkflowFolder({
    unknown: { steps: [step('one', 'nothing', 'a')] },
    wrong: { steps: [{ id: 'one', tool: 'flow.note', input: { text: 5 } }] },
    calls: { steps: [step('one', 'fine', 'a')] },
    fine: { steps: [step('one', 'note', 'a')] },
    tame: { risk: 'read_only', steps: [step('one', 'note', 'a')] },
  })
  writeFileSync(join(folder, 'broken.workflow.yaml'), 'name: [')
  const { catalog, call } = await openFlow(folder)
  const withheld = Object.fromEntries((await catalog.withheld()).map(({ id, reasons }) => [id, reasons.join('; ')]))
  expect(withheld).toEqual({
    'flow.unknown': expect.stringContaining("/steps/0/tool: There is no tool 'flow.nothing'"),
    'flow.wrong': expect.stringMatching(/^\/steps\/0\/input\/text: /),
    'flow.calls': expect.stringContaining('it is a workflow, and a workflow calls tools only'),
    'flow.tame': expect.stringMatching(/^\/risk: /),
    'flow.broken': expect.stringContaining('It is not valid YAML'),
  })
  expect(await call('flow.wrong', { text: 'a' })).toMatchObject({ success: false, error: { code: 'tool_withheld' } })
  expect(await call('flow.fine', { text: 'a' })).toMatchObject({ success: true })
})

test('a workflow is withheld while a tool of another server is gone, and comes back with it', async () => {
  const server = makeChangeling([define('echo'), define('announce')])
  const folder = makeWorkflowFolder({
    echoes: { risk: 'dangerous', steps: [{ id: 'one', tool: 'other.echo', input: { text: given } }] },
  })
  const toolpact = await openToolpact({
    ...{ storage: 'memory', workspace: makeFolder(), contracts: [folder], start: 'eager' },
    config: { mcpServers: { other: { ...server.entry, disabled: false } as never }, toolsets: ['flow', 'other'] },
  })
  try {
    expect(await toolpact.call('flow.echoes', { text: 'a' })).toMatchObject({ success: true })
    const announce = () => toolpact.call('other.announce', { text: 'a' })
    server.list([define('announce')])
    await announce()
    const find = async () => (await toolpact.catalog.find('flow.echoes')).kind
    await expect.poll(find, { timeout: 10_000 }).toBe('withheld')
    expect(await toolpact.call('flow.echoes', { text: 'a' })).toMatchObject({ error: { code: 'tool_withheld', message: expect.stringContaining('other.echo') } }) // biome-ignore format: one line
    server.list([define('echo'), define('announce')])
    await announce()
    await expect.poll(find, { timeout: 10_000 }).toBe('found')
    expect(await toolpact.call('flow.echoes', { text: 'a' })).toMatchObject({ success: true })
  } finally {
    await toolpact.close()
  }
})

test('a run goes on with the document that it began with, also if that is deleted', async () => {
  const folder = makeWorkflowFolder({
    later: { steps: [{ id: 'wait', wait: { forMs: 300 } }, step('one', 'note', given)] },
    other: { steps: [step('one', 'note', 'x')] },
  })
  const shared = { storage: 'sqlite', stateDirectory: join(makeFolder(), 'state'), workspace: makeFolder() } as const
  const first = await openFlow(folder, shared)
  const { callId } = await first.call('flow.later', { text: 'a' }, { run: { detach: AbortSignal.timeout(100) } })
  await first.close()
  const file = join(folder, 'later.workflow.json')
  writeFileSync(file, '{}')
  const second = await openFlow(folder, shared)
  expect(await second.runs.wait(callId)).toMatchObject({ state: 'completed' })
  expect(second.log()).toEqual(['one a'])
  rmSync(file)
})
