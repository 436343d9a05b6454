import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { twoToolsets } from '../helpers/open-serve.ts'
import { makeWorkflowFolder, readLog, step } from '../helpers/workflow-folder.ts'
import { chromiumPath, findViolations } from './open-chromium.ts'
import { connect, isTooWide, textOf, useConsole } from './open-signed-in.ts'

const { open, openFolder, openPage } = useConsole()

const said = { $from: '/input/text' }

const release = {
  parallel: 2,
  steps: [
    step('build', 'note', 'slow 1500'),
    step('check', 'note', 'checked', { after: ['build'] }),
    step('announce', 'publish', said, { after: ['build'] }),
    step('tell', 'note', 'told', { after: ['check', 'announce'] }),
  ],
}

const box = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(`^${name} `) })
const storyOf = (page: Page) => textOf(page, '.step-story')

describe.skipIf(!chromiumPath)('the runs of the console (skipped where Chromium is absent)', () => {
  test('a run appears and advances while it is watched; a step is approved in the inbox, and the run continues', async () => {
    const flow = makeWorkflowFolder({ release })
    const opened = await open(['--contracts', flow, '--wait', '600'], { toolsets: [...twoToolsets, '--toolset', 'flow'] }) // biome-ignore format: one line
    const { page, go } = opened
    await go('runs')
    await expect.poll(() => textOf(page)).toMatch(/No runs yet[\s\S]*toolpact new workflow/)
    const call = await connect(opened)
    const ended = call('flow_release', { text: 'Version <b>2</b>' })
    const row = page.getByRole('link', { name: /flow\.release/ })
    await row.click()
    await expect.poll(() => box(page, 'build').innerText()).toMatch(/running/)
    await expect.poll(() => box(page, 'build').innerText()).toMatch(/done/)
    await expect.poll(() => box(page, 'announce').innerText()).toMatch(/waiting/)
    expect(await box(page, 'tell').innerText()).toMatch(/not begun/)
    await expect.poll(() => row.innerText()).toMatch(/waiting[\s\S]*2 of 4 steps/)
    await expect.poll(() => page.getByRole('link', { name: /^Runs 1 need attention/ }).count()).toBe(1)
    expect(await findViolations(page)).toEqual([])
    expect(await isTooWide(page)).toBe(false)
    // The step that waits is selected by itself.
    await page.getByRole('link', { name: 'Open the question' }).click()
    await page.getByRole('link', { name: 'Show the run' }).waitFor()
    await page.getByRole('button', { name: /Approve once/, disabled: false }).click()
    expect(await ended).toMatchObject({ isError: false })
    await page.goBack()
    await expect.poll(() => textOf(page, '.run')).toMatch(/completed, 4 of 4 steps ended/)
    expect(readLog(flow).map((line) => line.replace(/^\w+ /, ''))).toEqual(['slow 1500', 'checked', 'Version <b>2</b>', 'told']) // biome-ignore format: one line
    await box(page, 'announce').click()
    await page.getByRole('button', { name: /^show \d+ bytes/ }).first().click() // biome-ignore format: one line
    await expect.poll(() => storyOf(page)).toContain('Version <b>2</b>')
    await page.getByRole('link', { name: 'Show its story in the ledger' }).click()
    await expect.poll(() => textOf(page, '.story')).toMatch(/flow\.publish[\s\S]*yes by/)
    await page.getByRole('link', { name: 'Show the run' }).click()
    await expect.poll(() => textOf(page, '.run')).toMatch(/completed/)
  })

  test('after a crash a person says what became of the step, and the run continues', async () => {
    const steps = [step('ship', 'send', said), step('tell', 'note', { $from: '/steps/ship/output/text' })]
    const flow = makeWorkflowFolder({ ship: { steps } })
    const folder = openFolder()
    const args = ['--show-link', '--contracts', flow, '--toolset', 'flow']
    const first = await folder.start(args)
    const call = await connect({ ...folder, server: first })
    void call('ship', { text: 'slow 60000' })
    await expect.poll(() => readLog(flow)).toHaveLength(1)
    first.kill('SIGKILL')
    await first.exited
    const server = await folder.start(args)
    const page = await openPage(server.console, { width: 390, dark: true, expects: /400/ })
    await page.goto(`${server.url}/console/runs`)
    await page.getByRole('link', { name: /flow\.ship/ }).click()
    await expect.poll(() => textOf(page, '.run')).toMatch(/needs a person/)
    await expect.poll(() => storyOf(page)).toMatch(/may not run twice by itself/)
    const proceed = page.getByRole('button', { name: 'Continue the run' })
    expect(await proceed.isEnabled()).toBe(false)
    expect(await findViolations(page)).toEqual([])
    expect(await isTooWide(page)).toBe(false)
    await page.getByLabel(/It took effect/).check()
    await expect.poll(() => proceed.isEnabled()).toBe(true)
    await proceed.click()
    // An output that does not fit is refused, and what was typed stays.
    await expect.poll(() => storyOf(page)).toMatch(/✕/)
    await page.getByLabel(/^text/).fill('shipped')
    await proceed.click()
    await expect.poll(() => textOf(page, '.run')).toMatch(/completed, 2 of 2 steps ended/)
    expect(readLog(flow)).toEqual(['ship slow 60000', 'tell shipped'])
  })

  test('a run is cancelled, and a failed one retried, after saying what that means', async () => {
    const flow = makeWorkflowFolder({
      wait: { steps: [{ id: 'rest', wait: { forMs: 3_600_000 } }, step('tell', 'note', said)] },
      gate: { steps: [step('first', 'note', 'once'), { id: 'pass', tool: 'flow.pass', input: {} }] },
    })
    const contract = { name: 'pass', description: 'Passes an open gate.', risk: 'read_only', input: { type: 'object', additionalProperties: false, properties: {} }, output: { type: 'object', additionalProperties: false, properties: {} }, errors: [{ code: 'shut', status: 409, when: 'The gate is shut.', suggestion: 'Open it.' }] } // biome-ignore format: one line
    writeFileSync(join(flow, 'pass.contract.json'), JSON.stringify(contract))
    writeFileSync(join(flow, 'pass.js'), `import { existsSync } from 'node:fs'\nexport const run = (_input, { fail }) => existsSync(new URL('./open', import.meta.url)) ? {} : fail('shut', 'Shut: <img src=x onerror=alert(1)>\\u202e')`) // biome-ignore format: one line
    const opened = await open(['--contracts', flow], { toolsets: [...twoToolsets, '--toolset', 'flow'] })
    const { page, go } = opened
    const call = await connect(opened)
    const [waiting, failed] = [call('flow_wait', { text: 'x' }), await call('flow_gate', { text: 'x' })]
    expect(failed.isError).toBe(true)
    await go('runs?state=waiting')
    await page.getByRole('link', { name: /flow\.wait/ }).click()
    expect(await page.getByRole('link', { name: /flow\.gate/ }).count()).toBe(0)
    await expect.poll(() => storyOf(page)).toMatch(/waits for a time[\s\S]*59:\d\d left/)
    await page.getByRole('button', { name: 'Cancel the run…' }).click()
    await expect.poll(() => textOf(page, '.run')).toMatch(/nothing is undone/)
    await page.getByRole('button', { name: 'Leave it' }).click()
    await page.getByRole('button', { name: 'Cancel the run…' }).click()
    await page.getByRole('button', { name: 'Cancel the run', exact: true, disabled: false }).click()
    await expect.poll(() => textOf(page, '.run')).toMatch(/cancelled/)
    expect((await waiting).isError).toBe(true)
    await go('runs?state=failed')
    await page.getByRole('link', { name: /flow\.gate/ }).click()
    await expect.poll(() => storyOf(page)).toContain(String.raw`Shut: <img src=x onerror=alert(1)>\u{202e}`)
    writeFileSync(join(flow, 'open'), '')
    await page.getByRole('button', { name: 'Retry…' }).click()
    await page.getByRole('button', { name: 'Retry the run', disabled: false }).click()
    await expect.poll(() => textOf(page, '.run')).toMatch(/completed, 2 of 2 steps ended/)
    expect(readLog(flow)).toEqual(['first once'])
  })

  test('the items of a step are folded, and a person who may only look cannot act', async () => {
    const steps = [
      step('each', 'note', { $from: '/item' }, { forEach: { in: ['one', 'fail <i>two</i>', 'three'], max: 3 }, onError: 'continue' }), // biome-ignore format: one line
      { id: 'rest', wait: { forMs: 3_600_000 } },
    ]
    const flow = makeWorkflowFolder({ each: { steps } })
    const folder = openFolder()
    const server = await folder.start(['--contracts', flow, '--toolset', 'flow'])
    const call = await connect({ ...folder, server })
    void call('each', { text: 'x' })
    const link = (await folder.run(['open', '--print', '--view-only', '--port', `${server.port}`])).stdout.trim()
    const page = await openPage(link)
    await page.goto(`${server.url}/console/runs`)
    await page.getByRole('link', { name: /flow\.each/ }).click()
    await expect.poll(() => box(page, 'each').innerText()).toMatch(/done[\s\S]*3 of 3 × flow\.note/)
    await box(page, 'each').focus()
    await page.keyboard.press('Enter')
    await page.getByText('3 items').click()
    await page.getByRole('link', { name: 'each/1' }).click()
    await expect.poll(() => storyOf(page)).toMatch(/each\/1[\s\S]*failed[\s\S]*It does not like fail <i>two<\/i>\./)
    expect(await page.getByRole('button', { name: /Cancel|Retry/ }).count()).toBe(0)
  })
})
