import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { findFreePort } from '../helpers/find-free-port.ts'
import { openIdentityProvider, toSignInConfig } from '../helpers/identity-provider.ts'
import { chromiumPath, findViolations } from './open-chromium.ts'
import { connect, isTooWide, useConsole } from './open-signed-in.ts'

const { openFolder, openPage } = useConsole()

describe.skipIf(!chromiumPath)('people who sign in by OpenID Connect (skipped where Chromium is absent)', () => {
  test('approve as one group and are refused as another, see and end sessions, and sign out', async () => {
    const { server, signInAs, folder, run } = await open()
    const grace = await signInAs('grace', '/console/inbox')
    const call = await connect({ run, server })
    const waiting = call('workspace_create_file', { path: 'plan.md', content: 'approved by ops' })
    await grace.getByText('plan.md').first().click()
    await expect.poll(() => grace.locator('main').innerText()).toMatch(/grace@acme\.example is not among the people who may answer this.*the group ops/s) // biome-ignore format: one line
    expect(await grace.getByRole('button', { name: /Approve once/, disabled: false }).count()).toBe(0)

    const ada = await signInAs('ada', '/console/inbox')
    await ada.getByText('plan.md').first().click()
    await ada.getByRole('button', { name: /Approve once/ }).click()
    expect(await waiting).toMatchObject({ isError: false })
    expect(existsSync(join(folder, 'plan.md'))).toBe(true)
    const ledger = (await run(['ledger', '--json', '--tool', 'create_file'])).stdout
    expect(ledger).toContain('"by":"ada@acme.example"')
    expect(ledger).toMatch(/"principals":\[\{[^}]*"subject":"ada"[^}]*"groups":\["ops"\]/)

    await ada.locator('.person > summary').click()
    await ada.getByRole('link', { name: 'Sessions' }).click()
    await expect.poll(() => ada.locator('main').innerText()).toMatch(/ada@acme\.example[\s\S]*this browser[\s\S]*grace@acme\.example/) // biome-ignore format: one line
    expect(await ada.locator('main').innerText()).toMatch(/Chrome on Linux/)
    expect(await findViolations(ada)).toEqual([])
    await ada.getByRole('listitem').filter({ hasText: 'grace@acme.example' }).getByRole('button', { name: 'End this session' }).click() // biome-ignore format: one line
    await ada.getByText('Ended 1 session.').waitFor()
    await grace.getByText('You are not signed in').waitFor()

    await ada.locator('.person > summary').click()
    await ada.getByRole('button', { name: 'Sign out' }).last().click()
    await ada.getByText('You are not signed in').waitFor()
    await ada.reload()
    await ada.getByRole('link', { name: 'Sign in with Acme' }).waitFor()
    expect((await run(['sign-ins'])).stderr).toContain('Nobody is signed in.')
  })

  test('who has no right is told so, and who returns after a login is where they wanted to be', async () => {
    const { signInAs, openAt, server } = await open()
    const eve = await signInAs('eve', '/console')
    await expect.poll(() => eve.locator('body').innerText()).toMatch(/You are eve@acme\.example, but have no right here\. Your groups: guests\./) // biome-ignore format: one line
    const ada = await signInAs('ada', '/console/calls?tool=learning.hello')
    await expect.poll(() => ada.url()).toBe(`${server.url}/console/calls?tool=learning.hello`)
    await ada.getByRole('link', { name: 'Inbox' }).first().waitFor()
    for (const width of [1280, 390]) {
      const page = await openAt('/console/inbox', { width })
      await page.getByRole('link', { name: 'Sign in with Acme' }).waitFor()
      expect(await isTooWide(page)).toBe(false)
      expect(await findViolations(page)).toEqual([])
    }
  })
})

async function open() {
  const port = await findFreePort()
  const provider = await openIdentityProvider({ redirectUris: [`http://127.0.0.1:${port}/console/sign-in/callback`] })
  const folder = openFolder()
  const rights = { 'group:ops': ['approve', 'manage'], 'group:dev': ['approve'] }
  const signIn = toSignInConfig(provider, { name: 'Acme', rights, clientSecret: '$' + '{CONSOLE_SECRET}' })
  const config = join(folder.folder, 'people.json')
  writeFileSync(config, JSON.stringify({ toolsets: ['learning', 'workspace'], approvers: [{ who: ['group:ops'] }], http: { signIn } })) // biome-ignore format: one line
  const env = { CONSOLE_SECRET: 'a-secret-of-the-console' }
  const server = await folder.start(['--config', config, '--port', `${port}`], { env })
  const openAt = (path: string, more = {}) =>
    openPage(`${server.url}${path}`, {
      visits: [provider.issuer, 'https://fonts.googleapis.com'],
      expects: /401|403|404|ERR_NAME_NOT_RESOLVED/,
      ...more,
    })

  async function signInAs(login: string, path: string): Promise<Page> {
    const page = await openAt(path)
    await page.getByRole('link', { name: 'Sign in with Acme' }).click()
    await page.locator('input[name="login"]').fill(login)
    await page.locator('input[name="password"]').fill('any')
    await page.locator('button[type="submit"]').click()
    await page.getByRole('button', { name: /Continue/ }).click()
    return page
  }

  return { ...folder, server, provider, openAt, signInAs, run: (args: readonly string[]) => folder.run([...args, '--config', config], { env }) } // biome-ignore format: one line
}
