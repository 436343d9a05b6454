import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { define, makeChangeling } from '../helpers/open-changeling.ts'
import { twoToolsets, until } from '../helpers/open-serve.ts'
import { chromiumPath, findViolations } from './open-chromium.ts'
import { connect, isTooWide, textOf, useConsole } from './open-signed-in.ts'

const { open, openFolder, openPage } = useConsole()

const order = define('order', {
  inputSchema: {
    type: 'object',
    required: ['customer', 'delivery'],
    additionalProperties: false,
    properties: {
      customer: {
        type: 'object',
        required: ['name'],
        additionalProperties: false,
        properties: { name: { type: 'string', minLength: 3 }, tags: { type: 'array', items: { type: 'string' } } },
      },
      delivery: {
        oneOf: [
          {
            title: 'Pick up',
            type: 'object',
            required: ['shop'],
            additionalProperties: false,
            properties: { shop: { enum: ['North', 'South'] } },
          },
          {
            title: 'Send',
            type: 'object',
            required: ['street'],
            additionalProperties: false,
            properties: { street: { type: 'string' }, express: { type: 'boolean' } },
          },
        ],
      },
      text: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    },
  },
})

/** Counts sounds and notifications, which nobody hears or sees here, and lets a test say that the tab is hidden. */
const watchAlerts = `
  globalThis.sounds = 0
  globalThis.shown = []
  const Sound = AudioContext
  globalThis.AudioContext = class extends Sound { constructor() { super(); sounds++ } }
  const Shown = Notification
  globalThis.Notification = class extends Shown { constructor(title, more) { super(title, more); shown.push([title, more.body]) } }
  Object.defineProperty(document, 'hidden', { get: () => globalThis.isAway === true })
`

describe.skipIf(!chromiumPath)('the live console (skipped where Chromium is absent)', () => {
  test('a form with nested parts and choices explains wrong input at its field, refuses a key typed twice, and runs', async () => {
    const folder = openFolder()
    const config = join(folder.folder, 'toolpact.json')
    writeFileSync(config, JSON.stringify({ mcpServers: { shop: makeChangeling([order], {}, folder.folder).entry } }))
    const { page, go, run } = await open(['--config', config], { folder, toolsets: [], width: 390, dark: true })
    await go('tools/shop.order')
    await page.getByText('Try it').click()
    const form = page.locator('.try')
    const check = form.getByRole('button', { name: 'Check what would happen' })
    const customer = form.getByRole('group', { name: /^customer/ })
    await customer.getByLabel(/^name/).fill('Al')
    await customer.getByRole('button', { name: 'add tags' }).click()
    await customer.getByRole('button', { name: 'add item' }).click()
    await customer.getByLabel('1', { exact: true }).fill('new')
    const choice = form.getByLabel('form of delivery')
    await choice.selectOption({ label: 'Pick up' })
    await form.getByLabel('shop').selectOption('South')
    await choice.selectOption({ label: 'Send' })
    await form.getByLabel('street').fill('Long Road 1')
    await check.click()
    await expect.poll(() => textOf(page, '.try')).toMatch(/1 problem in the input/)
    expect(await customer.getByLabel(/^name/).getAttribute('aria-invalid')).toBe('true')
    expect(await findViolations(page)).toEqual([])
    expect(await isTooWide(page)).toBe(false)
    await customer.getByLabel(/^name/).fill('Alan')
    await form.getByRole('button', { name: 'JSON' }).click()
    const json = form.getByLabel('Input as JSON')
    const typed = await json.inputValue()
    expect(JSON.parse(typed)).toEqual({
      customer: { name: 'Alan', tags: ['new'] },
      delivery: { street: 'Long Road 1' },
    })
    await json.fill(typed.replace('"name"', '"name": "Eve", "name"'))
    await expect.poll(() => textOf(page, '.try')).toMatch(/The key "name" is there twice/)
    expect(await check.isEnabled()).toBe(false)
    await json.fill(typed)
    await check.click()
    await expect.poll(() => textOf(page, '.try')).toMatch(/It would run at once/)
    const runs = form.getByRole('button', { name: 'Run' })
    await expect.poll(() => runs.isEnabled()).toBe(true)
    await runs.click()
    await expect.poll(() => textOf(page, '.try')).toMatch(/Succeeded/)
    const [recorded] = JSON.parse(
      `[${(await run(['ledger', '--json', '--tool', 'shop.order'])).stdout.split('\n')[0]}]`,
    )
    expect(JSON.stringify(recorded)).toContain('Long Road 1')
  })

  test('a call that waited before the page was opened is a row, which opens its question and shows how it ended', async () => {
    const folder = openFolder()
    const server = await folder.start(['--show-link', ...twoToolsets])
    const call = await connect({ ...folder, server })
    const waiting = call('workspace_create_file', { path: 'early.txt', content: 'x' })
    const questions = async () => JSON.parse((await folder.run(['approvals', '--json'])).stdout)
    await until(async () => (await questions()).length === 1)
    const page = await openPage(server.console)
    await page.goto(`${server.url}/console/now`)
    const row = page.getByRole('link', { name: /workspace\.create_file/ }).first()
    await expect.poll(() => row.innerText()).toMatch(/early\.txt[\s\S]*waits for a person/)
    await row.click()
    await page.getByRole('button', { name: /Approve once/, disabled: false }).click()
    expect(await waiting).toMatchObject({ isError: false })
    await page.goto(`${server.url}/console/now`)
    await expect.poll(() => row.innerText()).toMatch(/succeeded/)
  })

  test('plots follow the calls', async () => {
    const opened = await open()
    const { page, go } = opened
    const call = await connect(opened)
    await go('plots?range=1h')
    await expect.poll(() => textOf(page)).toMatch(/toolpact connect|No calls|Nothing/)
    await call('learning_hello', { name: 'Ada' })
    await expect.poll(() => textOf(page)).toMatch(/Duration of learning\.hello\s+1 call\b/)
    // Its style sheet is loaded with its code.
    expect(await page.evaluate("getComputedStyle(document.querySelector('.plots')).display")).toBe('grid')
    await call('learning_hello', { name: 'Ada' })
    await expect.poll(() => textOf(page)).toMatch(/Duration of learning\.hello\s+2 calls/)
  })

  test('while the ledger cannot be written, every page says so, and goes on once it can', async () => {
    const opened = await open([], { expects: /503|500/ })
    const { page, folder } = opened
    const call = await connect(opened)
    await call('learning_hello', { name: 'Ada' })
    const database = join(folder, 'state/toolpact.db')
    renameSync(database, `${database}.elsewhere`)
    // Reads are acknowledged for a moment more.
    await until(async () => (await call('learning_hello', { name: 'Ada' })).isError === true)
    await expect.poll(() => textOf(page)).toMatch(/The ledger cannot be written/)
    await expect.poll(() => textOf(page, 'nav')).toMatch(/storage failing/)
    expect(await findViolations(page)).toEqual([])
    renameSync(`${database}.elsewhere`, database)
    await until(async () => (await call('learning_hello', { name: 'Ada' })).isError === false)
    await expect.poll(() => textOf(page)).not.toMatch(/The ledger cannot be written/)
    await expect.poll(() => textOf(page, 'nav')).toMatch(/storage ok/)
  })

  test('a person who wants it gets a sound and, while the tab is hidden, a notification for a new question', async () => {
    const opened = await open([], {
      prepare: async (context) => {
        await context.grantPermissions(['notifications'])
        await context.addInitScript(watchAlerts)
      },
    })
    const { page } = opened
    const call = await connect(opened)
    const ask = async (path: string) => {
      void call('workspace_create_file', { path, content: 'x' })
      await page.getByText(path).first().waitFor()
    }
    const heard = () => page.evaluate('sounds') as Promise<number>
    const shown = () => page.evaluate('shown') as Promise<string[][]>
    await ask('quiet.txt')
    expect([await heard(), await shown()]).toEqual([0, []])
    await page.locator('.person summary').click()
    await page.getByLabel('Sound on a new question').check()
    await page.getByLabel('Browser notification').check()
    await expect.poll(heard).toBe(1)
    await ask('seen.txt')
    await expect.poll(heard).toBe(2)
    expect(await shown()).toEqual([])
    await hide(page)
    await ask('away.txt')
    await expect.poll(shown).toEqual([[expect.stringMatching(/asks to run workspace\.create_file/), 'away.txt']])
    expect(await heard()).toBe(3)
  })
})

async function hide(page: Page): Promise<void> {
  await page.evaluate('isAway = true')
}
