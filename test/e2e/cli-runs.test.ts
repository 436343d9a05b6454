import { afterAll, expect, test } from 'vitest'
import { openCommandFolder } from '../helpers/run-command.ts'
import { makeWorkflowFolder, readLog, step } from '../helpers/workflow-folder.ts'

const given = { $from: '/input/text' }
const workflows = {
  both: {
    steps: [step('one', 'note', given), step('two', 'send', given, { when: { $ne: [given, 'skip'] } })],
    result: { said: { $from: '/steps/one/output/text' } },
  },
  asking: { steps: [step('one', 'note', given), step('two', 'publish', given)] },
  failing: { steps: [step('one', 'note', given), step('two', 'send', 'fail'), step('three', 'note', 'end')] },
}

const { folder, run, close } = openCommandFolder()
const flow = makeWorkflowFolder(workflows, folder)
afterAll(close)
const toolpact = (...args: string[]) => run([...args, '--contracts', flow, '--toolset', 'flow'])

test('run prints each step as it ends, then the result, and where the steps are', async () => {
  const { code, stdout, stderr } = await toolpact('run', 'flow.both', 'text=hi')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^✓ flow\.both\n {2}said: hi\n/)
  expect(stderr).toMatch(/^ {2}✓ {2}one {2}flow\.note {2}[\d.]+ ms\n {2}✓ {2}two {2}flow\.send {2}[\d.]+ ms\n/)
  expect(stderr).toMatch(/Its steps: toolpact runs show [0-9a-f]{8}\n$/)
})

test('run --json prints the result with the id of the run, and nothing else', async () => {
  const { code, stdout, stderr } = await toolpact('run', 'both', '--input', '{"text":"skip"}', '--json')
  expect([code, stderr]).toEqual([0, ''])
  const result = JSON.parse(stdout)
  expect(result).toMatchObject({ tool: 'both', success: true, said: 'skip', run_id: expect.any(String) })
  const shown = await toolpact('runs', 'show', result.run_id.slice(0, 8), '--json')
  expect(JSON.parse(shown.stdout)).toMatchObject({
    ...{ run_id: result.run_id, workflow: 'flow.both', caller: 'cli', state: 'completed', input: { text: 'skip' } },
    steps: [
      { step: 'one', state: 'done', call_id: expect.any(String) },
      { step: 'two', state: 'skipped' },
    ],
  })
})

test('the exit codes are those of call', async () => {
  expect(await toolpact('run', 'both', 'wrong=1')).toMatchObject({ code: 2, stderr: expect.stringContaining('Code: invalid_input') }) // biome-ignore format: one line
  expect(await toolpact('run', 'both', '--input', '{')).toMatchObject({ code: 2 })
  expect(await toolpact('run', 'no_such_workflow')).toMatchObject({ code: 2, stderr: expect.stringContaining('no_such_workflow') }) // biome-ignore format: one line
  expect(await toolpact('run', 'note', 'text=a')).toMatchObject({
    code: 2,
    stderr: 'Error: flow.note is not a workflow.\nUse toolpact call flow.note. See toolpact run --help.\n',
  })
  expect(await toolpact('run', 'failing', 'text=a')).toMatchObject({ code: 1, stderr: expect.stringContaining('toolpact runs retry') }) // biome-ignore format: one line
  expect(await toolpact('run', 'asking', 'text=a', '--no-wait')).toMatchObject({ code: 1, stderr: expect.stringContaining('step_failed') }) // biome-ignore format: one line
  expect(await toolpact('run')).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Error: run needs the name/) })
})

test('--yes approves the steps', async () => {
  expect(await toolpact('run', 'asking', 'text=approved', '--yes')).toMatchObject({ code: 0 })
  expect(readLog(flow)).toContain('two approved')
})

test('--detach needs a server that continues the run', async () => {
  expect(await toolpact('run', 'both', 'text=hi', '--detach')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^Error: No server is running that would continue the run\.\nStart one with `toolpact serve`/), // biome-ignore format: one line
  })
})

test('runs lists by state, workflow and caller, in pages', async () => {
  for (const text of ['p1', 'p2', 'p3']) await toolpact('run', 'both', `text=${text}`)
  const list = async (...args: string[]) => JSON.parse((await toolpact('runs', '--json', ...args)).stdout)
  const page = await list('--workflow', 'both', '--limit', '2')
  expect(page).toMatchObject([{ workflow: 'flow.both' }, { workflow: 'flow.both' }])
  const next = await list('--workflow', 'flow.both', '--limit', '2', '--after', page[1].run_id.slice(0, 8))
  expect(next).toHaveLength(2)
  expect(next.map(({ run_id }: { run_id: string }) => run_id)).not.toContain(page[1].run_id)
  expect(await list('--caller', 'nobody')).toEqual([])
  const failed = await list('--state', 'failed')
  expect(new Set(failed.map(({ state }: { state: string }) => state))).toEqual(new Set(['failed']))
  const { stdout, stderr } = await toolpact('runs', '--limit', '1')
  expect(stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}[0-9a-f]{8} {2}flow\.\w+ {2}cli {2}\w+ +\d of \d\n$/)
  expect(stderr).toMatch(/^There are more: add --after [0-9a-f]{8}\n$/)
  expect(await toolpact('runs', '--state', 'odd')).toMatchObject({ code: 2 })
  expect(await toolpact('runs', '--limit', '0')).toMatchObject({ code: 2 })
  expect(await toolpact('runs', 'list', 'x')).toMatchObject({ code: 2 })
  expect(await toolpact('runs', 'odd')).toMatchObject({ code: 2, stderr: expect.stringContaining('Use list, show, cancel, resume, retry.') }) // biome-ignore format: one line
})

test('show prints the steps with what became of them, and how to go on', async () => {
  await toolpact('run', 'failing', 'text=shown')
  const { stdout } = await toolpact('runs', 'show')
  expect(stdout).toMatch(/^Run [0-9a-f-]{36}\n {2}Workflow {2}flow\.failing\n/)
  expect(stdout).toMatch(/\nSteps\n {2}✓ {2}one +flow\.note +[\d.]+ ms\n {2}✗ {2}two +flow\.send +[\d.]+ ms +failed: refused\n {2}· {2}three {2}flow\.note +pending\n/) // biome-ignore format: one line
  expect(stdout).toMatch(/\nTo run it again from the failed step: toolpact runs retry [0-9a-f]{8}\n$/)
  expect(await toolpact('runs', 'show', 'ffffffff')).toMatchObject({ code: 2, stderr: expect.stringContaining("No run has an id that starts with 'ffffffff'.") }) // biome-ignore format: one line
})

test('retry runs from the failed step, and refuses a run that has not failed', async () => {
  await toolpact('run', 'failing', 'text=retried')
  const [failed] = JSON.parse((await toolpact('runs', '--json', '--limit', '1')).stdout)
  expect(await toolpact('runs', 'retry', failed.run_id)).toMatchObject({ code: 1 })
  expect(readLog(flow).filter((line) => line === 'one retried')).toHaveLength(1)
  await toolpact('run', 'both', 'text=done')
  const [done] = JSON.parse((await toolpact('runs', '--json', '--limit', '1')).stdout)
  for (const action of ['retry', 'resume', 'cancel'])
    expect(await toolpact('runs', action, done.run_id)).toMatchObject({ code: expect.any(Number), stdout: '' })
  expect((await toolpact('runs', 'retry', done.run_id)).stderr).toContain('has not failed')
  expect((await toolpact('runs', 'resume', done.run_id)).stderr).toContain('has ended: completed')
  expect((await toolpact('runs', 'resume', done.run_id, '--again')).stderr).toContain('was interrupted')
})

test('--plan shows what each step would call and ask, without doing it', async () => {
  const before = readLog(flow)
  const { code, stdout } = await toolpact('run', 'asking', 'text=planned', '--plan')
  expect(code).toBe(0)
  expect(stdout).toContain('Plan of flow.asking')
  expect(stdout).toMatch(/ {2}two flow\.publish \(safe_write\)\n {4}call {2}asks for approval/)
  expect(stdout).toContain('Nothing was called, asked or recorded.')
  expect(await toolpact('run', 'asking', 'wrong=1', '--plan')).toMatchObject({ code: 2 })
  expect(readLog(flow)).toEqual(before)
})

test('list and show tell that a tool is a workflow, with its steps; the ledger tells the run of a call', async () => {
  expect((await toolpact('list')).stdout).toMatch(/flow\.both .*\(workflow, 2 steps\)/)
  expect((await toolpact('show', 'both')).stdout).toMatch(/\nSteps\n {2}one {2}flow\.note\n {2}two {2}flow\.send {2}if its condition is true\n/) // biome-ignore format: one line
  const { stdout } = await toolpact('run', 'both', 'text=told', '--json')
  const { run_id } = JSON.parse(stdout)
  const details = JSON.parse((await toolpact('runs', 'show', run_id, '--json')).stdout)
  const shown = (await run(['ledger', 'show', details.steps[0].call_id])).stdout
  expect(shown).toContain(`Run       step one of ${run_id.slice(0, 8)}: toolpact runs show ${run_id.slice(0, 8)}`)
  expect((await run(['ledger', '--limit', '3'])).stdout).toContain(`step two of ${run_id.slice(0, 8)}`)
})

test('workflows, actions and ids are completed', async () => {
  const complete = async (...words: string[]) => (await run(['--contracts', flow, 'completion', 'words', '--', ...words])).stdout.trim().split('\n') // biome-ignore format: one line
  expect(await complete('run', 'flow.')).toEqual(['flow.asking', 'flow.both', 'flow.failing'])
  expect(await complete('runs', '')).toEqual(['cancel', 'list', 'resume', 'retry', 'show'])
  const [newest] = JSON.parse((await toolpact('runs', '--json', '--limit', '1')).stdout)
  expect(await complete('runs', 'show', newest.run_id.slice(0, 4))).toContain(newest.run_id.slice(0, 8))
})
