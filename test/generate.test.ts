import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const copy = mkdtempSync(join(tmpdir(), 'toolpact-generate-'))
for (const part of ['package.json', 'src', 'scripts', 'docs', 'schemas']) {
  cpSync(join(root, part), join(copy, part), { recursive: true })
}
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
afterAll(() => rmSync(copy, { recursive: true, force: true }))

test('the generated files of this repository are up to date', () => {
  expect(generate('--check')).toEqual({ status: 0, stderr: '' })
})

test('--check names every stale file and the command that mends it, and generating mends it', () => {
  const before = read('docs/errors.md')
  appendFileSync(join(copy, 'docs/errors.md'), 'By hand.\n')
  rmSync(join(copy, 'schemas/contract.schema.json'))
  const { status, stderr } = generate('--check')
  expect(status).toBe(1)
  expect(stderr).toContain('docs/errors.md is stale. Run: npm run generate')
  expect(stderr).toContain('schemas/contract.schema.json is stale. Run: npm run generate')
  expect(generate()).toEqual({ status: 0, stderr: '' })
  expect(read('docs/errors.md')).toBe(before)
  expect(generate('--check').status).toBe(0)
})

function generate(...options: string[]) {
  const { status, stderr } = spawnSync(process.execPath, [join(copy, 'scripts/generate.ts'), ...options], {
    encoding: 'utf8',
    timeout: 50_000,
  })
  return { status, stderr }
}

function read(path: string): string {
  return readFileSync(join(copy, path), 'utf8')
}
