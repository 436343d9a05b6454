import { stripVTControlCharacters } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { widthOf } from '../../src/runtime/approval/text/wrap.ts'
import { hasTmux, openScreens } from '../helpers/open-screens.ts'
import { entries, openCommandFolder } from '../helpers/run-command.ts'
import { makeWorkflowFolder, readLog, step } from '../helpers/workflow-folder.ts'

const given = { $from: '/input/text' }
const workflows = {
  asking: { steps: [step('first_of_all', 'note', given), step('then_publish', 'publish', given)] },
  planned: { approval: 'plan', steps: [step('one', 'note', given), step('two', 'publish', given)] },
  sending: { steps: [step('one', 'note', given), step('two', 'send', 'slow 4000'), step('three', 'note', 'end')] },
}

const { folder, env, run, close } = openCommandFolder()
const flow = makeWorkflowFolder(workflows, folder)
const screens = openScreens({ folder, env: { ...env, NO_PAGER: '1' } })
afterAll(() => {
  screens.close()
  close()
})

const line = (words: string) =>
  `"${process.execPath}" "${entries.toolpact}" ${words} --contracts "${flow}" --toolset flow`
const open = (words: string) => screens.open('runs', line(words), 80)
type Screen = ReturnType<typeof open>
const newest = async () => JSON.parse((await run(['runs', '--json', '--limit', '1'])).stdout)[0]

async function readScreen(screen: Screen, words: string | RegExp): Promise<string> {
  const seen = stripVTControlCharacters(await screen.until(words))
  expect(seen.split('\n').filter((row) => widthOf(row.trimEnd()) > 80)).toEqual([])
  return seen
}

describe.skipIf(!hasTmux)('in a terminal of 80 columns (skipped where tmux is absent)', () => {
  test('run asks at the terminal, and prints each step as it ends', async () => {
    const screen = open('run asking text=hi')
    await readScreen(screen, 'Approve? (y/n/always):')
    screen.type('y', 'Enter')
    const seen = await readScreen(screen, /done:0/)
    expect(seen).toMatch(/ {2}✓ {2}first_of_all +flow\.note +[\d.]+ m?s/)
    expect(seen).toMatch(/ {2}✓ {2}then_publish +flow\.publish +[\d.]+ m?s/)
    expect(seen).toContain('✓ flow.asking')
    expect(readLog(flow)).toContain('then_publish hi')
  })

  test('one yes to a plan runs every step of it', async () => {
    const screen = open('run planned text=planned --plan')
    const plan = await readScreen(screen, 'One yes covers every step')
    expect(plan).toMatch(/ {2}two flow\.publish \(safe_write\)\n {4}call {2}asks for approval/)
    expect(readLog(flow)).not.toContain('one planned')
    screen.type('y', 'Enter')
    const seen = await readScreen(screen, /done:0/)
    expect(seen).not.toContain('Approve? (y/n/always):')
    expect(readLog(flow)).toEqual(expect.arrayContaining(['one planned', 'two planned']))
  })

  test('Ctrl-C at a question leaves the run, which waits; resume asks about it again', async () => {
    const screen = open('run asking text=left')
    await screen.until('Approve? (y/n/always):')
    screen.type('C-c')
    const left = await readScreen(screen, /done:130/)
    const { run_id } = await newest()
    const id = run_id.slice(0, 8)
    expect(left).toContain(`Run ${id} is not finished: 1 of 2 steps have ended.`)
    expect(left).toContain(`toolpact runs resume ${id}    continue it here`)
    const shown = await readScreen(open(`runs show ${id}`), /done:0/)
    expect(shown).toMatch(/… {2}then_publish {2}flow\.publish/)
    const [question] = JSON.parse((await run(['approvals', '--json'])).stdout)
    expect((await run(['approvals', 'approve', question.id])).code).toBe(0)
    await readScreen(open(`runs resume ${id}`), /done:0/)
    expect(readLog(flow)).toContain('then_publish left')
  })

  test('a step whose process was killed is decided at the terminal, with what is known of it', async () => {
    const killed = run(['run', 'sending', 'text=x', '--contracts', flow], {
      alone: true,
      during: (child) =>
        void expect
          .poll(() => readLog(flow), { timeout: 30_000 })
          .toContain('two slow 4000')
          .then(() => child.kill('SIGKILL')),
    })
    await killed
    const { run_id } = await newest()
    const id = run_id.slice(0, 8)
    const resumed = open(`runs resume ${id}`)
    const asked = await readScreen(resumed, 'Did it take effect?')
    expect(asked).toContain('Interrupted: step two (flow.send)')
    resumed.type('d', 'Enter')
    await resumed.until('as JSON?')
    resumed.type('{"text":"sent"}', 'Enter')
    await readScreen(resumed, /done:0/)
    expect(readLog(flow).filter((entry) => entry === 'two slow 4000')).toHaveLength(1)
    expect(readLog(flow)).toContain('three end')
  })
})

test('without a terminal, a step that asks waits in the queue, and the run is left after --wait', async () => {
  const { code, stdout, stderr } = await run(['run', 'asking', 'text=queued', '--wait', '1', '--contracts', flow])
  const { run_id, state, created_at } = await newest()
  expect({ code, stdout, state }).toEqual({ code: 4, stdout: '', state: 'waiting' })
  expect(stderr).toMatch(
    /… {2}then_publish {2}flow\.publish +waits for approval: toolpact approvals approve [0-9a-f]{8}\n/,
  )
  expect(stderr).toContain(`toolpact runs cancel ${run_id.slice(0, 8)}    end it`)
  const cancelled = await run(['runs', 'cancel', run_id.slice(0, 8), '--contracts', flow])
  expect(cancelled).toMatchObject({ code: 0, stdout: `✓ Cancelled ${run_id.slice(0, 8)} (flow.asking). 1 of 2 steps had ended and stay as they are.\n` }) // biome-ignore format: one line
  expect(
    JSON.parse((await run(['approvals', '--json'])).stdout).filter(
      ({ askedAt }: { askedAt: string }) => askedAt > created_at,
    ),
  ).toEqual([])
})
