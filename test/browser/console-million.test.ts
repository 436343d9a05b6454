import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openSqliteStorage } from '../../src/runtime/storage/sqlite/sqlite.ts'
import { toIntent, toOutcome } from '../../src/runtime/storage/suite/records.ts'
import { chromiumPath, findViolations } from './open-chromium.ts'
import { textOf, useConsole } from './open-signed-in.ts'

const { open, openFolder } = useConsole()
const calls = 500_000
const rare = 123_456

describe.skipIf(!chromiumPath)('the console with a long ledger (skipped where Chromium is absent)', () => {
  test('of 1,000,000 entries it shows the newest, rare ones, one by its id, and their plots', async () => {
    const folder = openFolder()
    const id = await fill(join(folder.folder, 'state'))
    const { page, go } = await open([], { folder })
    await go('calls')
    const rows = page.locator('.call-row')
    await rows.first().waitFor()
    expect(await rows.first().innerText()).toMatch(/learning\.hello[\s\S]*caller 4/)
    expect(await page.locator('nav [title]').first().getAttribute('title')).toBe(`${2 * calls} entries`)
    // Further pages are loaded while scrolling, and rows out of view are not in the document.
    const list = page.locator('.virtual').first()
    const heightOf = () => list.evaluate((element) => element.scrollHeight)
    const before = await heightOf()
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await expect.poll(heightOf).toBeGreaterThan(before)
    expect(await rows.count()).toBeLessThan(150)
    await go('calls?caller=rare')
    await expect.poll(() => rows.count()).toBe(1)
    expect(await rows.first().innerText()).toMatch(/web\.fetch[\s\S]*timeout/)
    await go(`calls/${id}`)
    await expect.poll(() => textOf(page, '.story')).toMatch(/The Needle/)
    expect(await textOf(page, '.story')).toContain(`${2 * rare + 1}`)
    await go('plots?range=24h')
    await expect.poll(() => textOf(page)).toMatch(/Duration of learning\.hello/)
    expect(await findViolations(page)).toEqual([])
  }, 300_000)
})

/** A ledger of mostly equal calls up to now, with one that is looked for. Resolves to the id of that one. */
async function fill(directory: string): Promise<string> {
  const storage = openSqliteStorage({ directory })
  const begin = Date.now() - calls * 100
  const wanted = randomUUID()
  for (let call = 0; call < calls; ) {
    const records = Array.from({ length: Math.min(4000, calls - call) }, () => {
      const isRare = call === rare
      const callId = isRare ? wanted : randomUUID()
      const at = new Date(begin + call * 100).toISOString()
      const tool = isRare ? 'web.fetch' : 'learning.hello'
      const asked = {
        caller: { name: isRare ? 'rare' : `caller ${call % 9}` },
        input: { name: isRare ? 'The Needle' : 'Ada' },
      }
      const failed = isRare ? { success: false, errorCode: 'timeout' } : {}
      call++
      return [toIntent(callId, { at, tool, ...asked }), toOutcome(callId, { at, tool, durationMs: 5, ...failed })]
    })
    await Promise.all(records.flat().map((record) => storage.ledger.append(record, { durable: true })))
  }
  await storage.close()
  return wanted
}
