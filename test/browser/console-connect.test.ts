import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openLoginStage } from '../helpers/open-login-stage.ts'
import { chromiumPath, findViolations } from './open-chromium.ts'
import { isTooWide, textOf, useConsole } from './open-signed-in.ts'

const { open, openFolder } = useConsole()

describe.skipIf(!chromiumPath)('connecting in a browser (skipped where Chromium is absent)', () => {
  test('a person connects on the page, logs in at the issuer, and the server is usable', async () => {
    const stage = await openLoginStage()
    const folder = openFolder()
    const config = join(folder.folder, 'own.json')
    writeFileSync(config, JSON.stringify(stage.toConfig()))
    // The pages of the issuer ask for a font elsewhere, which fails.
    const { server, page, go, run } = await open(['--config', config], {
      folder,
      toolsets: [],
      visits: [stage.issuer.issuer, 'https://fonts.googleapis.com'],
      expects: /fonts|ERR_|Refused|violates/,
      prepare: (context) => context.route('https://fonts.googleapis.com/**', (route) => route.abort()),
    })
    await go('servers/mail')
    await page.getByText('You are not connected.').waitFor()
    await page.getByRole('link', { name: 'Connect', exact: true }).click()
    await page.getByRole('button', { name: /^Log in at 127\.0\.0\.1/ }).waitFor()
    const text = await textOf(page)
    expect(text).toContain(stage.issuer.issuer)
    expect(text).toMatch(/read/)
    expect(await findViolations(page)).toEqual([])
    expect(await isTooWide(page)).toBe(false)

    await page.getByRole('button', { name: /^Log in at/ }).click()
    await page.getByPlaceholder('Enter any login').fill('olga')
    await page.getByPlaceholder('and password').fill('any')
    await page.getByRole('button', { name: 'Sign-in' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Connected to mail' }).waitFor()
    // Neither the code nor what was kept for the way back remains.
    expect(page.url()).toBe(`${server.url}/console/connected`)
    expect(await page.evaluate('Object.keys(localStorage).filter((key) => key.startsWith("toolpact-login"))')).toEqual([]) // biome-ignore format: one line
    expect(await findViolations(page)).toEqual([])

    expect((await run(['call', 'mail.whoami', '--config', config])).stdout).toContain('You are olga.')
    await go('servers/mail')
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('You are not connected.').waitFor()
    expect((await run(['connections', '--json', '--config', config])).stdout.trim()).toBe('[]')
    // Going back does not log in again.
    await go('connected?state=x&code=y')
    await page.getByText('This browser did not begin a login').waitFor()
  })
})
