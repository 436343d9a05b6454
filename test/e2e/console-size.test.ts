import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { bundleConsole } from '../../scripts/bundle-console.ts'

test('the console takes at most 45 kB without the plots, and 70 kB with them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-console-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  await bundleConsole(folder)
  const files = readdirSync(join(folder, 'assets')).map((name) => ({
    name,
    size: gzipSync(readFileSync(join(folder, 'assets', name)), { level: 9 }).length,
  }))
  const plots = files.filter(({ name }) => name.startsWith('plots-'))
  const sum = (some: typeof files) => some.reduce((all, { size }) => all + size, 0)
  expect(plots).toHaveLength(1)
  expect(sum(files) - sum(plots)).toBeLessThanOrEqual(45_000)
  expect(sum(files)).toBeLessThanOrEqual(70_000)
})
