import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { bundleConsole } from '../../scripts/bundle-console.ts'

test('the console takes at most 45 kB, and 90 kB with what is loaded on demand', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-console-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  await bundleConsole(folder)
  const { script, imports, style } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
  const atOnce = [script, ...imports, style]
  const measure = (name: string) => gzipSync(readFileSync(join(folder, 'assets', name)), { level: 9 }).length
  const sum = (names: readonly string[]) => names.reduce((all, name) => all + measure(name), 0)
  const names = readdirSync(join(folder, 'assets'))
  const onDemand = names.filter((name) => !atOnce.includes(name))
  expect(onDemand.filter((name) => measure(name) > 1000).map((name) => name.split('-')[0])).toEqual([
    'lock',
    'plots',
    'proof',
    'runs',
    'servers',
  ])
  expect(sum(atOnce)).toBeLessThanOrEqual(45_000)
  expect(sum(names)).toBeLessThanOrEqual(90_000)
})
