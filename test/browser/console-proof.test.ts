import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { chromiumPath, findViolations } from './open-chromium.ts'
import { connect, isTooWide, textOf, useConsole } from './open-signed-in.ts'

const { open } = useConsole()
const hostile = '<img src=x onerror=alert(1)>\u202eevil\u200b'

/** A server with a call, whose story is open. */
async function openStory(name: string, width = 1280) {
  const opened = await open([], { width })
  const call = await connect(opened)
  await call('learning_hello', { name }).catch(() => {})
  await opened.go('calls')
  await opened.page.getByRole('link', { name: /learning\.hello/ }).first().click() // biome-ignore format: one line
  await opened.page.getByRole('button', { name: 'Verify in this browser' }).waitFor()
  return opened
}

const verifyFile = async (page: Page, file: string) => {
  await page.locator('#proof-file').setInputFiles(file)
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
}

describe.skipIf(!chromiumPath)('proofs in the console (skipped where Chromium is absent)', () => {
  test.each([1280, 390])('a call is verified in the browser, step by step, at a width of %d', async (width) => {
    const { page } = await openStory('Ada', width)
    await expect.poll(() => textOf(page, '.story')).toMatch(/sealed, positions? \d+/)
    await page.getByRole('button', { name: 'Verify in this browser' }).click()
    await expect.poll(() => textOf(page, '.story')).toMatch(/✓ Verified in this browser: the ledger contained \d records? of this call/) // biome-ignore format: one line
    const story = await textOf(page, '.story')
    expect(story).toMatch(/✓ The checkpoint of \d+ entries of \S+ is signed by/)
    expect(story).toMatch(/✓ Entry \d+: its hash [0-9a-f]{12} leads to the signed root/)
    expect(story).not.toContain('✕')
    expect(await findViolations(page)).toEqual([])
    expect(await isTooWide(page)).toBe(false)
    await page.getByRole('button', { name: 'Verify the ledger' }).click()
    await expect.poll(() => textOf(page, '.story')).toMatch(/✓ Intact/)
  })

  test('a downloaded proof is verified here and by the command, and a changed one is refused, with nothing sent', async () => {
    const { page, folder, run, go } = await openStory(hostile)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the proof' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^proof-[0-9a-f]{8}\.json$/)
    const file = join(folder, 'proof.json')
    await download.saveAs(file)
    const key = (await run(['ledger', 'key'])).stdout.trim()
    expect(await run(['verify', file, '--key', key])).toMatchObject({ code: 0 })

    await go('proof')
    await page.getByRole('button', { name: 'Use the key of this server' }).click()
    await expect.poll(() => page.locator('#proof-key').inputValue()).toBe(key)
    const sent: string[] = []
    page.on('request', (request) => sent.push(`${request.method()} ${request.url()}`))
    await verifyFile(page, file)
    await expect.poll(() => textOf(page)).toMatch(/✓ Verified in this browser/)
    const text = await textOf(page)
    expect(text).toContain('<img src=x onerror=alert(1)>')
    expect(text).not.toMatch(/[\u202e\u200b]/)
    expect(await page.locator('main img').count()).toBe(0)
    expect(await findViolations(page)).toEqual([])

    const changed = join(folder, 'changed.json')
    writeFileSync(changed, readFileSync(file, 'utf8').replace('onerror', 'onclick'))
    await verifyFile(page, changed)
    await expect.poll(() => textOf(page)).toMatch(/✕ Refused: Entry \d+ is not in the ledger/)
    expect(await textOf(page)).toMatch(/✕ Entry \d+: its hash [0-9a-f]{12} does not lead to the signed root/)
    expect(await textOf(page)).not.toMatch(/Verified|onclick/)

    const renamed = join(folder, 'renamed.json')
    writeFileSync(renamed, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), call: hostile }))
    await verifyFile(page, renamed)
    await expect.poll(() => textOf(page)).toMatch(/✕ Refused: .* is not a record of the call <img src=x/)
    expect(await textOf(page)).not.toMatch(/[\u202e\u200b]/)

    const foreign = 'example.com/ledger+6d2f1c04+AY4LzX8cBtQ2aEFZLn3GXfB0eQdqNnqEmbAC4dyMxpPu'
    await page.locator('#proof-key').fill(foreign)
    await verifyFile(page, file)
    await expect.poll(() => textOf(page)).toMatch(/✕ Refused: That is not a public key/)
    expect(sent).toEqual([])
  })

  test('a proof file can be dropped', async () => {
    const { page, folder, run, go } = await openStory('Ada')
    const file = join(folder, 'proof.json')
    const [call] = JSON.parse((await run(['ledger', '--json'])).stdout.split('\n')[0]!.replace(/^(?!\[)(.*)$/, '[$1]')) // biome-ignore format: one line
    await run(['ledger', 'prove', call.callId ?? call.record.callId, '--output', file])
    await go('proof')
    await page.getByRole('button', { name: 'Use the key of this server' }).click()
    const dropped = `new File([${JSON.stringify(readFileSync(file, 'utf8'))}], 'dropped.json')`
    const dataTransfer = await page.evaluateHandle(`(() => { const data = new DataTransfer(); data.items.add(${dropped}); return data })()`) // biome-ignore format: one line
    await page.dispatchEvent('form.form', 'drop', { dataTransfer })
    await page.getByText('dropped.json').waitFor()
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    await expect.poll(() => textOf(page)).toMatch(/✓ Verified in this browser/)
  })

  test('the state beside the navigation says when the ledger was sealed', async () => {
    const { page } = await openStory('Ada')
    const state = page.getByRole('link', { name: /^sealed / })
    await state.click()
    await expect.poll(() => textOf(page)).toMatch(/The newest checkpoint covers \d+ entries and was signed/)
  })
})
