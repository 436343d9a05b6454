import { describe, expect, test } from 'vitest'
import { chromiumPath } from './open-chromium.ts'
import { textOf, useConsole } from './open-signed-in.ts'

const { open } = useConsole()

describe.skipIf(!chromiumPath)('callers in the console (skipped where Chromium is absent)', () => {
  test('a rule that is saved with a yes is for the caller that asked, and the story says how it authenticated', async () => {
    const opened = await open(['--wait', '0'])
    const { page, run, server } = opened
    const token = (await run(['token', 'ada'])).stdout.trim()
    const call = () =>
      fetch(`${server.url}/v1/tools/workspace_create_file`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ path: 'notes/a.txt', content: 'x' }),
      })
    expect((await call()).status).toBe(403)
    await page.getByText('notes/a.txt').first().click()
    await expect.poll(() => textOf(page)).toMatch(/Known by\s+a token of Toolpact/)
    await expect.poll(() => page.getByRole('button', { name: /add rule/ }).isEnabled()).toBe(true)
    await page.getByRole('button', { name: /add rule/ }).click()
    await expect.poll(() => textOf(page)).toMatch(/exactly this call \(by ada\)/)
    expect(await page.getByLabel('For:').inputValue()).toBe('own')
    const save = page.getByRole('button', { name: 'Approve and save the rule' })
    await expect.poll(() => save.isEnabled()).toBe(true)
    await save.click()
    await expect.poll(async () => JSON.parse((await run(['rules', '--json'])).stdout)).toMatchObject([{ who: ['ada'] }])
    expect((await call()).status).toBe(200)
    await page.goto(`${server.url}/console/rules`)
    await expect.poll(() => textOf(page)).toMatch(/, for ada\s*; used 1 time/)
    await page.goto(`${server.url}/console/calls`)
    await page
      .getByRole('link', { name: /workspace\.create_file/ })
      .first()
      .click()
    await expect.poll(() => textOf(page)).toMatch(/Known by\s+a token of Toolpact/)
  })
})
