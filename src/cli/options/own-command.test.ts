import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { toOwnCommand } from './own-command.ts'

function startAs(script: string, npm?: string) {
  const before = process.argv[1]
  process.argv[1] = script
  vi.stubEnv('npm_execpath', npm)
  onTestFinished(() => {
    process.argv[1] = before!
    vi.unstubAllEnvs()
  })
  return toOwnCommand()
}

test('an installed copy is named by absolute paths', () => {
  expect(startAs(join('lib', 'toolpact.js'))).toEqual([process.execPath, resolve('lib/toolpact.js')])
})

test('a copy in the cache of npx is named by its version, and fetched again when it is gone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-npm-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const cached = join(folder, '_npx', 'abc', 'node_modules', '.bin', 'toolpact')
  const named = expect.stringMatching(/^toolpact@\d+\.\d+\.\d+/)
  expect(startAs(cached)).toEqual(['npx', '-y', named])
  writeFileSync(join(folder, 'npx-cli.js'), '')
  expect(startAs(cached, join(folder, 'npm-cli.js'))).toEqual([
    process.execPath,
    join(folder, 'npx-cli.js'),
    '-y',
    named,
  ])
})
