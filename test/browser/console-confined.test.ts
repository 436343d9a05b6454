import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { probe } from '../../src/capabilities/sandbox/probe.ts'
import { chromiumPath, findViolations } from './open-chromium.ts'
import { connect, isTooWide, textOf, useConsole } from './open-signed-in.ts'

const { open, openFolder } = useConsole()
const works = 'driver' in (await probe())
const prying = fileURLToPath(new URL('../upstream-servers/prying.cjs', import.meta.url))

/** The page of a server that was just added may be asked for before the config is read again: 404. */
const early = /404/

/** A folder with notes and drafts, and a config with one confined server that may read the notes. */
function prepare() {
  const opened = openFolder()
  const folder = realpathSync(opened.folder)
  for (const name of ['notes', 'drafts', 'code']) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'a.txt'), name)
  }
  const config = join(folder, 'toolpact.json')
  const odd = { command: process.execPath, args: [prying], read: ['notes'], network: 'none', approval: 'never' }
  writeFileSync(config, JSON.stringify({ mcpServers: { odd } }))
  const servers = () => JSON.parse(readFileSync(config, 'utf8')).mcpServers
  return { folder: opened, path: (name: string) => join(folder, name), config, servers }
}

describe.skipIf(!chromiumPath || !works)(
  'confined servers in the console (skipped without Chromium or a sandbox)',
  () => {
    test.each([1280, 390])('the page of a server says what it may touch, what it tried and what allows it, at %i pixels', async (width) => {
    const { folder, path, config } = prepare()
    const opened = await open(['--config', config, '--toolset', 'odd'], { folder, toolsets: [], expects: early })
    const { page, go } = opened
    await page.setViewportSize({ width, height: 900 })
    await go('servers/odd')
    await expect.poll(() => textOf(page)).toContain('Confined by bubblewrap: it reads notes, writes nothing, talks to no host.')
    expect(await textOf(page)).toContain('It tried nothing beyond what it may.')
    const call = await connect(opened)
    await call('read', { path: path('drafts/a.txt') })
    await call('connect', { host: 'api.example.com', port: 443 })
    await page.reload()
    await expect.poll(() => textOf(page)).toContain('Tried beyond what it may touch: 2')
    const shown = await textOf(page)
    expect(shown).toContain(`toolpact mcp grant odd --read ${path('drafts/a.txt')}`)
    expect(shown).toMatch(/connect to api\.example\.com,.* last /)
    expect(shown).toContain('toolpact mcp grant odd --allow-host api.example.com')
    expect(shown).toContain('toolpact mcp revoke odd')
    expect(await isTooWide(page)).toBe(false)
    expect(await findViolations(page)).toEqual([])
  }) // biome-ignore format: one line

    test.each([1280, 390])('a server that is added is started once, and granted only what is checked, at %i pixels', async (width) => {
    const { folder, path, config, servers } = prepare()
    writeFileSync(path('code/early.cjs'), `require('fs').existsSync('${path('drafts')}')`)
    const opened = await open(['--config', config, '--toolset', 'odd'], { folder, toolsets: [], expects: early })
    const { page, go } = opened
    await page.setViewportSize({ width, height: 900 })
    await go('servers?add=1')
    await page.getByLabel(/A command line/).fill(`${process.execPath} --require ${path('code/early.cjs')} ${prying} ${path('notes')}`)
    await page.getByLabel('Name').fill('more')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const notes = page.getByRole('checkbox', { name: 'Read and write notes' })
    const drafts = page.getByRole('checkbox', { name: 'Read drafts' })
    await notes.waitFor()
    expect(servers().more).toBeUndefined()
    expect([await notes.isChecked(), await drafts.isChecked()]).toEqual([true, false])
    expect(await textOf(page)).toContain('only the server itself says so')
    expect(await isTooWide(page)).toBe(false)
    expect(await findViolations(page)).toEqual([])
    await notes.uncheck()
    await drafts.check()
    await page.getByRole('button', { name: 'Add it' }).click()
    await expect.poll(() => servers().more).toMatchObject({ read: ['drafts'], write: [], network: 'none' })
  }) // biome-ignore format: one line

    test('a server can be left unconfined, and nothing is granted by cancelling', async () => {
      const { folder, config, servers, path } = prepare()
      const { page, go } = await open(['--config', config, '--toolset', 'odd'], {
        folder,
        toolsets: [],
        expects: early,
      })
      await go('servers?add=1')
      await page.getByLabel(/A command line/).fill(`${process.execPath} ${prying} ${path('notes')}`)
      await page.getByLabel('Name').fill('more')
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByRole('button', { name: 'Cancel' }).click()
      expect(servers().more).toBeUndefined()
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByRole('radio', { name: /Leave it unconfined/ }).check()
      await page.getByRole('button', { name: 'Add it' }).click()
      await expect.poll(() => servers().more).toEqual({ command: process.execPath, args: [prying, path('notes')] })
    })
  },
)
